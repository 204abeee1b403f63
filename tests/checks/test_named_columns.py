"""Rules about expressions: the columns that they name, where the rows are known."""

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.checks.named_columns import _RESERVED, _columns_of, _missing
from explorer.model.row_type import ColumnType
from tests.checks.findings import messages
from tests.checks.pairs import PAID, SOURCE, job, op
from tests.many_cases import for_each

SUMS = (
    op("by", "key_by", "s", keys=["who"]),
    op("m", "map", "s", select={"who": "who", "twice": "amount * 2"}),
)


@for_each(
    ("operator", "field"),
    [
        (op("x", "filter", "s", where="amout > 3"), "where"),
        (op("x", "filter", "s", where="lower(`whom`) = 'who'"), "where"),
        (op("x", "map", "s", select={"a": "amount", "b": "case when n then 1 end"}), "select.b"),
        (op("x", "flat_map", "s", split={"value": "w", "pattern": " ", "as": "p"}), "split.value"),
        (op("x", "process", "s", side_outputs={"late": "amount > most"}), "side_outputs.late"),
        (op("x", "filter", "m", where="amount > 3"), "where"),
    ],
)
def test_a_column_that_the_rows_do_not_have_is_found(operator: dict[str, Any], field: str) -> None:
    (message,) = messages("RW01", job(PAID, *SUMS, operator, op("out", "sink", "x")))

    assert message.startswith(f"{field} of x names the column ")


@for_each(
    "where",
    [
        "amount > 3 AND who LIKE 'amout%'",
        "extract(year from current_timestamp) > amount",
        "timestampdiff(day, timestamp '2026-01-01', timestamp '2026-01-02') > amount",
        'cast("amount" as string) in (`who`, null)',
        "amount between 1 and 2 or not true",
        "amount >",
    ],
)
def test_columns_of_the_rows_and_broken_expressions_are_not_found(where: str) -> None:
    assert not messages("RW01", job(PAID, op("x", "filter", "s", where=where)))


def test_rows_that_are_not_known_have_any_column() -> None:
    assert not messages("RW01", job(SOURCE, op("x", "filter", "s", where="amout > 3")))


def test_the_nearest_column_is_named() -> None:
    (message,) = messages("RW01", job(PAID, op("x", "filter", "s", where="amout > 3")))

    assert "did you mean" in message.lower()


@given(
    st.lists(
        st.sampled_from(
            [
                *("amount", "who", "amout", "day", "end", "is", "in", "exists", "interval"),
                *("lower(", "like (", "in (", "cast(", ")", "(", ",", ".", "'a'", "'", '"', "`"),
                *(">", "+", "1", "--", "/*", "*/", "\n", "#", *sorted(_RESERVED)),
            ]
        ),
        max_size=8,
    )
)
def test_what_needs_no_parser_is_what_the_parser_finds(words: list[str]) -> None:
    text = " ".join(words)
    columns = (("amount", ColumnType.LONG), ("who", ColumnType.STRING))
    parsed = next((name for name in _columns_of(text) if name not in ("amount", "who")), None)

    assert _missing(text, columns) == parsed


@pytest.mark.process
def test_plain_comparisons_and_functions_load_no_parser() -> None:
    texts = ["amount > 3 and not who like 'a%'", "lower(who)", "coalesce(amount, 1) * 2"]
    code = (
        "import sys; from explorer.checks.named_columns import _missing; "
        f"assert not any(_missing(text, [('amount', 1), ('who', 1)]) for text in {texts}); "
        "print('sqlglot' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert printed.stdout == b"False\n"
