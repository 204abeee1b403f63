"""Values of expressions, NULLs, rows that fail and rows that are not asked."""

import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import Batch, empty, from_rows
from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.evaluator import evaluate, holds
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.engine.rows.sizes import WORK_BYTES, BatchTooLargeError, Budget
from explorer.model.row_type import BOOLEAN, LONG, RowType, parse_schema
from tests.engine.rows.expressions.asked import BOTTOM, ROW, ROWS, TOP
from tests.engine.task.batches import LONGS
from tests.many_cases import for_each

VALUES: list[tuple[str, str, list[Any]]] = [
    ("n * 3 + 1", "LONG", [22, -20, None, TOP - 1]),
    ("n + 1", "LONG", [8, -6, None, BOTTOM]),
    ("-n", "LONG", [-7, 7, None, -TOP]),
    ("n % 3", "LONG", [1, -1, None, 1]),
    ("n % -3", "LONG", [1, -1, None, 1]),
    ("(-9223372036854775808 + n - n) % -1", "LONG", [0, 0, None, 0]),
    ("mod(n, 3)", "LONG", [1, -1, None, 1]),
    ("n / 4", "DOUBLE", [1.75, -1.75, None, TOP / 4]),
    ("n / k", "DOUBLE", [float("inf"), -7 / 3, None, TOP / -2]),
    ("x % 2", "DOUBLE", [1.5, -0.5, None, 0.0]),
    ("1", "LONG", [1] * 4),
    ("1e3", "DOUBLE", [1000.0] * 4),
    ("-9223372036854775808", "LONG", [BOTTOM] * 4),
    ("9223372036854775807 + 1", "LONG", [BOTTOM] * 4),
    ("concat('k', n % 5)", "STRING", ["k2", "k-2", None, "k2"]),
    ("concat(w, x, b)", "STRING", ["Hello wörld1.5true", "-2.5false", None, " 42 2.0true"]),
    ("w || '!' || n", "STRING", ["Hello wörld!7", "!-7", None, f" 42 !{TOP}"]),
    ("'it''s'", "STRING", ["it's"] * 4),
    ("length(w)", "LONG", [11, 0, None, 4]),
    ("lower(w)", "STRING", ["hello wörld", "", None, " 42 "]),
    ("upper(w)", "STRING", ["HELLO WÖRLD", "", None, " 42 "]),
    ("upper('straße ﬁ')", "STRING", ["STRASSE FI"] * 4),
    ("upper(concat(w, 'ß'))", "STRING", ["HELLO WÖRLDSS", "SS", None, " 42 SS"]),
    ("lower('ΟΔΟΣ İ')", "STRING", ["οδος i̇"] * 4),
    ("reverse(w)", "STRING", ["dlröw olleH", "", None, " 24 "]),
    ("substring(w, 1, 1)", "STRING", ["H", "", None, " "]),
    ("substring(w, 2, 3)", "STRING", ["ell", "", None, "42 "]),
    ("substring(w, 8)", "STRING", ["örld", "", None, ""]),
    ("substring(w, -3, 2)", "STRING", ["rl", "", None, "42"]),
    ("substring(w, -5, 2)", "STRING", ["w\u00f6", "", None, ""]),
    ("substring(w, 0, 2)", "STRING", ["He", "", None, " 4"]),
    ("substring(w, k, 2)", "STRING", ["He", "", None, "2 "]),
    ("left(w, 2)", "STRING", ["He", "", None, " 4"]),
    ("right(w, 2)", "STRING", ["ld", "", None, "2 "]),
    ("trim(w)", "STRING", ["Hello wörld", "", None, "42"]),
    ("trim(both ' 4' from w)", "STRING", ["Hello wörld", "", None, "2"]),
    ("ltrim(w)", "STRING", ["Hello wörld", "", None, "42 "]),
    ("rtrim(w)", "STRING", ["Hello wörld", "", None, " 42"]),
    ("replace(w, 'l', 'LL')", "STRING", ["HeLLLLo wörLLd", "", None, " 42 "]),
    ("replace(w, '', 'LL')", "STRING", ["Hello wörld", "", None, " 42 "]),
    ("starts_with(w, 'He')", "BOOLEAN", [True, False, None, False]),
    ("ends_with(w, 'd')", "BOOLEAN", [True, False, None, False]),
    ("contains(w, 'wö')", "BOOLEAN", [True, False, None, False]),
    ("w like 'H%d'", "BOOLEAN", [True, False, None, False]),
    ("w not like '%l_'", "BOOLEAN", [False, True, None, True]),
    ("w < 'I'", "BOOLEAN", [True, True, None, True]),
    ("abs(n)", "LONG", [7, 7, None, TOP]),
    ("abs(-9223372036854775808)", "LONG", [BOTTOM] * 4),
    ("ceil(x)", "DOUBLE", [2.0, -2.0, None, 2.0]),
    ("floor(x)", "DOUBLE", [1.0, -3.0, None, 2.0]),
    ("round(x)", "DOUBLE", [2.0, -3.0, None, 2.0]),
    ("round(2.345, 2)", "DOUBLE", [2.35] * 4),
    ("round(1.005, 2)", "DOUBLE", [1.01] * 4),
    ("round(x * 0.333, 2)", "DOUBLE", [0.5, -0.83, None, 0.67]),
    ("round(1e300, 400)", "DOUBLE", [1e300] * 4),
    ("round(0.0 / 0, 1) = 0", "BOOLEAN", [False] * 4),
    ("round(k, -1)", "LONG", [0, 0, 10, 0]),
    ("round(k, -400)", "LONG", [0] * 4),
    ("round(least(n, 99), -19)", "LONG", [0, 0, None, 0]),
    ("round(5e-324, -400)", "DOUBLE", [0.0] * 4),
    ("round(5e-324, -9223372036854775808)", "DOUBLE", [0.0] * 4),
    ("round(1.7e308, -300)", "DOUBLE", [1.7e308] * 4),
    ("round(1.7e308, -308)", "DOUBLE", [float("inf")] * 4),
    ("round(1.7e308, -309)", "DOUBLE", [0.0] * 4),
    ("sign(n)", "LONG", [1, -1, None, 1]),
    ("sqrt(k + 4)", "DOUBLE", [2.0, 7**0.5, 3.0, 2**0.5]),
    ("power(k, 2)", "DOUBLE", [0.0, 9.0, 25.0, 4.0]),
    ("exp(0)", "DOUBLE", [1.0] * 4),
    ("ln(1)", "DOUBLE", [0.0] * 4),
    ("greatest(n, k, 1.5)", "DOUBLE", [7.0, 3.0, None, float(TOP)]),
    ("least(w, 'a')", "STRING", ["Hello wörld", "", None, " 42 "]),
    ("coalesce(n, k)", "LONG", [7, -7, 5, TOP]),
    ("coalesce(null, w, 'none')", "STRING", ["Hello wörld", "", "none", " 42 "]),
    ("nullif(k, 0)", "LONG", [None, 3, 5, -2]),
    ("if(b, n, k)", "LONG", [7, 3, 5, TOP]),
    ("case k when 0 then 'zero' when 3 then w end", "STRING", ["zero", "", None, None]),
    ("case when b then null else 1.5 end", "DOUBLE", [None, 1.5, 1.5, None]),
    ("cast(n as string)", "STRING", ["7", "-7", None, str(TOP)]),
    ("cast(x as long)", "LONG", [1, -2, None, 2]),
    ("cast(1e300 * x as long)", "LONG", [TOP, BOTTOM, None, TOP]),
    ("cast(0.0 / 0 as long)", "LONG", [0] * 4),
    ("cast(b as long)", "LONG", [1, 0, None, 1]),
    ("cast(k as boolean)", "BOOLEAN", [False, True, True, True]),
    ("cast(' 42 ' as long)", "LONG", [42] * 4),
    ("try_cast(w as long)", "LONG", [None, None, None, 42]),
    ("try_cast('+7.9' as long)", "LONG", [7] * 4),
    ("try_cast('-1.' as long)", "LONG", [-1] * 4),
    ("try_cast('0x10' as long)", "LONG", [None] * 4),
    ("try_cast(w as double)", "DOUBLE", [None, None, None, 42.0]),
    ("try_cast(w as boolean)", "BOOLEAN", [None] * 4),
    ("n is null", "BOOLEAN", [False, False, True, False]),
    ("n is not null", "BOOLEAN", [True, True, False, True]),
    ("b is not true", "BOOLEAN", [False, True, True, False]),
    ("n is distinct from 7", "BOOLEAN", [False, True, True, True]),
    ("n in (7, -7)", "BOOLEAN", [True, True, None, False]),
    ("k in (0, 5, n - 4)", "BOOLEAN", [True, False, True, False]),
    ("n in (7, 2.5)", "BOOLEAN", [True, False, None, False]),
    ("k * 0.0 in (0.0, 4.0)", "BOOLEAN", [True] * 4),
    ("x * 0.0 / 0 in (0.0, 4.0)", "BOOLEAN", [False, False, None, False]),
    ("w in ('', 'none', null)", "BOOLEAN", [None, True, None, None]),
    ("b in (true)", "BOOLEAN", [True, False, None, True]),
    ("1 in (1, 2)", "BOOLEAN", [True] * 4),
    ("null in (1, 2)", "BOOLEAN", [None] * 4),
    ("n not in (7, null)", "BOOLEAN", [False, None, None, None]),
    ("n between 0 and 10", "BOOLEAN", [True, False, None, False]),
    ("not b", "BOOLEAN", [False, True, None, False]),
    ("b and null", "BOOLEAN", [None, False, None, None]),
    ("b or null", "BOOLEAN", [True, None, None, True]),
    ('`n` + "k"', "LONG", [7, -4, None, TOP - 2]),
]


@for_each(("text", "kind", "values"), VALUES)
def test_an_expression_has_its_type_and_its_values(text: str, kind: str, values: list[Any]) -> None:
    expression = compile_expression(text, ROW, "select.y")
    found = evaluate(expression, ROWS).to_pylist()

    assert str(expression.type) == kind
    assert found == [pytest.approx(v) if isinstance(v, float) else v for v in values]
    assert evaluate(expression, empty(ROW)).to_pylist() == []


FAILING = [
    ("n % k", 0, "% by zero"),
    ("1 % 0", 0, "% by zero"),
    ("cast(w as long)", 0, "'Hello wörld' is no whole number"),
    ("cast(w as boolean)", 0, "'hello wörld' is no BOOLEAN"),
    ("case when n = -7 then n % 0 else n end", 1, "% by zero"),
    ("b or n % 0 = 1", 1, "% by zero"),
    ("round(n, -1)", 3, "Rounding 9223372036854775807 up to multiples of 10 would overflow"),
    ("round(n, -19)", 3, "the rounded number is beyond the range of LONG"),
    ("coalesce(n, 1 % 0)", 2, "% by zero"),
    ("case when k = 5 then 1 % 0 end", 2, "% by zero"),
    ("b or round(9223372036854775807, -1) = 1", 1, "Rounding 9223372036854775807 up to multipl"),
]


@for_each(("text", "row", "reason"), FAILING)
def test_a_failing_row_is_named(text: str, row: int, reason: str) -> None:
    with pytest.raises(RowFailure) as failure:
        evaluate(compile_expression(text, ROW, "select.y"), ROWS)

    assert failure.value.index == row
    assert failure.value.reason.startswith(reason)


UNASKED = [
    ("case when k <> 0 then n % k end", [None, -1, None, 1]),
    ("k <> 0 and n % k = 1", [False, False, None, True]),
    ("k = 0 or n % k = 1", [True, False, None, True]),
    ("coalesce(k, n % 0)", [0, 3, 5, -2]),
    ("if(k = 0, 0, 10 % k)", [0, 1, 0, 0]),
    ("case when length(w) = 4 then cast(w as long) end", [None, None, None, 42]),
    ("case when n < 100 then round(n, -1) end", [10, -10, None, None]),
    ("case when k > 99 then 1 % 0 else k end", [0, 3, 5, -2]),
    ("case when k > 99 then round(9223372036854775807, -1) else k end", [0, 3, 5, -2]),
]


@for_each(("text", "values"), UNASKED)
def test_a_branch_that_a_row_does_not_evaluate_cannot_fail(text: str, values: list[Any]) -> None:
    assert evaluate(compile_expression(text, ROW, "select.y"), ROWS).to_pylist() == values


def test_null_is_not_true() -> None:
    condition = compile_expression("n > 0", ROW, "where", BOOLEAN)

    assert holds(condition, ROWS).tolist() == [True, False, False, True]


def _wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _remainder(a: int, b: int) -> int:
    return abs(a) % abs(b) * (1 if a >= 0 else -1)


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "%": _remainder,
}


@given(st.sampled_from(sorted(ARITHMETIC)), st.lists(st.tuples(LONGS, LONGS), min_size=1))
def test_long_arithmetic_is_javas(symbol: str, pairs: list[tuple[int, int]]) -> None:
    pairs = [(a, b or 1) if symbol == "%" else (a, b) for a, b in pairs]
    row = RowType.of(a=LONG, b=LONG)
    found = evaluate(compile_expression(f"a {symbol} b", row, "y"), from_rows(row, pairs))

    assert found.to_pylist() == [_wrapped(ARITHMETIC[symbol](a, b)) for a, b in pairs]


CONDITIONS = st.recursive(
    st.sampled_from(("b", "n > 0", "k = 3", "w = ''", "null", "true", "x is null")),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda both: f"({both[0]} and {both[1]})"),
        st.tuples(inner, inner).map(lambda both: f"({both[0]} or {both[1]})"),
        inner.map(lambda one: f"not {one}"),
    ),
    max_leaves=6,
)


def _truth(text: str, rows: Batch) -> list[bool | None]:
    found: list[bool | None] = evaluate(
        compile_expression(text, ROW, "y", BOOLEAN), rows
    ).to_pylist()
    return found


@given(CONDITIONS, CONDITIONS)
def test_de_morgans_law_holds_in_three_values(one: str, other: str) -> None:
    left = _truth(f"not (({one}) and ({other}))", ROWS)

    assert left == _truth(f"(not ({one})) or (not ({other}))", ROWS)


@given(CONDITIONS)
def test_an_expression_of_a_batch_is_that_of_its_rows(text: str) -> None:
    alone = [_truth(text, ROWS.slice(at, at + 1))[0] for at in range(len(ROWS))]

    assert _truth(text, ROWS) == alone


def test_a_row_over_the_budget_fails_and_several_are_halved() -> None:
    row = parse_schema("w STRING")
    large = "a" * 5000
    expression = compile_expression(f"replace(w, 'a', '{'b' * 4900}')", row, "y")

    with pytest.raises(BatchTooLargeError):
        evaluate(expression, from_rows(row, [(large * 3,), ("a",)]))
    with pytest.raises(RowFailure, match="bytes that are allowed for a row") as failure:
        evaluate(expression, from_rows(row, [(large * 3,)]))
    assert failure.value.index == 0


def test_a_budget_is_that_of_all_expressions_of_a_batch() -> None:
    budget = Budget()
    budget.spend(WORK_BYTES - 40)
    doubled = compile_expression("n * 2", ROW, "y")

    assert evaluate(doubled, ROWS, budget).to_pylist()[0] == 14
    with pytest.raises(BatchTooLargeError):
        evaluate(doubled, ROWS, budget)
