"""Rows of a preview and of a run as Arrow's tables."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from components.run.trial.row_table import named_rows, table_of

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(max_size=3),
    st.binary(max_size=3),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.datetimes(),
    st.lists(st.integers(0, 9), max_size=2),
    st.dictionaries(st.sampled_from("xy"), st.integers(0, 9)),
)


def test_columns_of_one_type_have_that_type() -> None:
    row = (1, 1.5, "a", True, None, Decimal("1.20"), datetime.fromisoformat("2026-01-02T03:00:00"))
    table = table_of("abcdefg", [row, (None,) * 7])

    assert [table[name][0].as_py() for name in table.column_names] == list(row)


def test_a_column_of_several_types_is_text() -> None:
    assert table_of(["a"], [[1], ["x"], [None]]).to_pydict() == {"a": ["1", "x", None]}


def test_rows_may_lack_columns_and_columns_names() -> None:
    assert named_rows([{"a": 1}, {"b": 2}]).to_pydict() == {"a": [1, None], "b": [None, 2]}
    assert table_of([], [(1,), (2, 3)]).to_pydict() == {"0": [1, 2], "1": [None, 3]}
    assert table_of(["a", "b"], []).column_names == ["a", "b"]


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=4))
def test_any_rows_make_a_table(rows: list[tuple[Any, Any]]) -> None:
    table = table_of(["a", "b"], rows)

    assert (table.num_rows, table.num_columns) == (len(rows), 2)
