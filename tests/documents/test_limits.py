"""The content of a file as text."""

import pytest

from explorer.documents.limits import MAX_BYTES, decode_content
from explorer.errors import DocumentError


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfa: \xc3\xa9", "\ufeffa: é", "a: é"])
def test_a_byte_order_mark_is_left_out(content: bytes | str) -> None:
    assert decode_content(content, "the document is") == "a: é"


def test_bytes_that_are_no_utf8_are_named_by_their_place() -> None:
    with pytest.raises(DocumentError, match="the lock is not UTF-8 text: byte 3 cannot be read"):
        decode_content(b"abc\xff", "the lock is")


@pytest.mark.parametrize("letter", ["a", b"a"])
def test_the_limit_is_the_most_that_is_read(letter: str | bytes) -> None:
    assert len(decode_content(letter * MAX_BYTES, "it is")) == MAX_BYTES
    with pytest.raises(DocumentError, match="it is larger than 5 MB, the most that is read"):
        decode_content(letter * (MAX_BYTES + 1), "it is")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("name: words".encode("utf-16"), "the document is UTF-16 text; save it as UTF-8"),
        ("name: words".encode("utf-16-le"), "the document is UTF-16 text; save it as UTF-8"),
        ("name: words".encode("utf-16-be"), "the document is UTF-16 text; save it as UTF-8"),
        (b"PK\x03\x04\x14\0", "the document is a zip archive, not text; unpack it"),
        (b"\x1f\x8b\x08\0", "the document is compressed with gzip; unpack it"),
    ],
    ids=["marked", "little-endian", "big-endian", "zip", "gzip"],
)
def test_other_forms_than_text_are_named(content: bytes, problem: str) -> None:
    with pytest.raises(DocumentError) as refused:
        decode_content(content, "the document is")

    assert str(refused.value).startswith(problem)
