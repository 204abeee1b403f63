"""The newest row of the second input for each row of the first."""

import pytest

from tests.engine.operators.few_rows import refusal, report, rows

CONNECT = {
    "type": "broadcast_connect",
    "inputs": ["s", "t"],
    "lookup": {"column": "k", "key": "k"},
    "select": {"k": "k", "n": "n", "newest": "n0"},
}


def test_the_newest_row_of_the_same_key_is_joined() -> None:
    assert rows(CONNECT) == [("a", 1, 3), ("b", 2, 2), ("a", 3, 3)]


def test_a_row_without_a_partner_has_nulls() -> None:
    found = rows({**CONNECT, "lookup": {"column": "n", "key": "t"}})

    assert [row[2] for row in found] == [None, None, None]


def test_the_run_warns_that_it_reads_the_second_input_first() -> None:
    assert "a trial takes the second input first" in report(CONNECT).warnings[0]


@pytest.mark.parametrize(
    ("key", "says"), [("k0", "there is no column 'k0'"), ("k", "which is LONG, and is STRING")]
)
def test_the_columns_must_be_there_and_of_one_type(key: str, says: str) -> None:
    assert says in refusal({**CONNECT, "lookup": {"column": "n", "key": key}})
