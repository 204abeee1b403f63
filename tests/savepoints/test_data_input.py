"""Numbers, texts and counts as Java's ``DataInput`` reads them."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.savepoints.data_input import DataInput, SavepointError, modified_utf8


@given(st.text())
def test_java_texts_come_back(text: str) -> None:
    units = text.encode("utf-16-be")
    pairs = (units[at : at + 2] for at in range(0, len(units), 2))
    letters = [pair.decode("utf-16-be", "surrogatepass") for pair in pairs]
    java = b"".join(
        b"\xc0\x80" if letter == "\0" else letter.encode("utf-8", "surrogatepass")
        for letter in letters
    )

    assert modified_utf8(java) == text


def test_a_count_is_looked_at_before_anything_is_made_of_it() -> None:
    with pytest.raises(SavepointError, match="which it cannot hold"):
        DataInput(struct.pack(">i", 2**30)).read_count("things", 1)


def test_numbers_are_big_endian_and_signed() -> None:
    data = DataInput(struct.pack(">iqB", -2, 2**40, 200))

    assert (data.read_int(), data.read_long(), data.read_byte(), data.left) == (-2, 2**40, 200, 0)


def test_a_text_has_its_length_in_bytes_before_it() -> None:
    data = DataInput(b"\0\3a\xc3\xa9!")

    assert (data.read_utf(), data.left) == ("aé", 1)


@pytest.mark.parametrize("length", [5, -1])
def test_reading_past_the_end_is_refused(length: int) -> None:
    with pytest.raises(SavepointError, match="the metadata ends at byte 4, in the middle"):
        DataInput(b"abcd").take(length)


def test_a_count_may_need_all_of_the_rest() -> None:
    assert DataInput(struct.pack(">iq", 2, 0)).read_count("things", 4) == 2
    with pytest.raises(SavepointError, match="announces 3 things at byte 0"):
        DataInput(struct.pack(">iq", 3, 0)).read_count("things", 4)
    with pytest.raises(SavepointError, match="announces -1 things"):
        DataInput(struct.pack(">i", -1)).read_count("things", 0)


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert modified_utf8(b"a\xff") == "a\ufffd"
