"""UTF-16 units of texts, as Java counts and orders them."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.utf16 import is_ascii, string_order, strings, utf8_bytes, utf16
from tests.engine.task.batches import TEXTS


@given(st.lists(st.none() | TEXTS))
def test_utf16_units_are_javas_chars(texts: list[str | None]) -> None:
    found = utf16(pa.array(texts, pa.string()))
    encoded = [(text or "").encode("utf-16-le") for text in texts]

    assert found.lengths.tolist() == [len(one) // 2 for one in encoded]
    assert found.units.astype("<u2").tobytes() == b"".join(encoded)
    assert strings(found.units, found.offsets).to_pylist() == [text or "" for text in texts]


def test_plain_text_has_the_same_bytes() -> None:
    plain, other = utf16(pa.array(["ab", None, "c"])), utf16(pa.array(["ab", "é"]))

    assert (plain.ascii, plain.offsets.tolist(), plain.units.tobytes()) == (
        True,
        [0, 2, 2, 3],
        b"abc",
    )
    assert not other.ascii
    assert [is_ascii(pa.array(texts)) for texts in (["a"], ["é"], [""])] == [True, False, True]


def test_a_slice_of_a_column_begins_at_its_own_text() -> None:
    sliced = pa.array(["ab", "cde", "f"]).slice(1)
    flat, offsets = utf8_bytes(sliced)

    assert (flat.tobytes(), offsets.tolist()) == (b"cdef", [0, 3, 4])


@given(st.lists(TEXTS))
def test_texts_are_ordered_by_their_units(texts: list[str]) -> None:
    ordered = [texts[at] for at in string_order(pa.array(texts, pa.string()))]

    assert ordered == sorted(texts, key=lambda text: text.encode("utf-16-be"))


def test_a_pair_of_units_is_one_letter() -> None:
    found = utf16(pa.array(["😀a", "b"]))

    assert found.lengths.tolist() == [3, 1]
    assert strings(found.units, found.offsets).to_pylist() == ["😀a", "b"]
