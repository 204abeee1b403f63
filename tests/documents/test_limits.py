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
