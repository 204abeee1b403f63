"""Parsed forms become calls of the listed functions, or are refused by name."""

import pytest
import sqlglot
from sqlglot import exp

from explorer.engine.rows.errors import RefusedError
from explorer.engine.rows.expressions.ir import Call, Case, ColumnRef, Expr, Literal
from explorer.engine.rows.expressions.translation import Translation
from explorer.model.row_type import LONG, STRING
from tests.engine.rows.expressions.asked import ROW
from tests.many_cases import for_each


def translated(text: str) -> Expr:
    parsed = sqlglot.parse_one(text)
    assert isinstance(parsed, exp.Expression)
    return Translation(ROW).node(parsed)


def call(text: str) -> Call:
    found = translated(text)
    assert isinstance(found, Call)
    return found


def test_a_column_is_known_by_its_place() -> None:
    assert translated("w") == ColumnRef(index=3, type=STRING)


def test_a_long_junction_is_flat() -> None:
    both = call(" and ".join(["b"] * 200))

    assert (both.function, len(both.args)) == ("and", 200)


def test_a_list_is_looked_up_at_once_and_other_values_alone() -> None:
    plain, mixed = call("n in (1, 2)"), call("n in (1, k, 2.5)")

    assert plain.function == "or"
    (found,) = plain.args
    assert isinstance(found, Call)
    assert (found.function, len(found.args)) == ("in", 3)
    assert [one.function for one in mixed.args if isinstance(one, Call)] == ["in", "=", "="]


def test_between_is_two_comparisons() -> None:
    low, high = call("n between 1 and 2").args

    assert isinstance(low, Call)
    assert isinstance(high, Call)
    assert (low.function, high.function) == (">=", "<=")


def test_a_subject_is_compared_with_every_branch() -> None:
    found = translated("case k when 0 then 'a' when 1 then 'b' end")

    assert isinstance(found, Case)
    assert [one.function for one, _ in found.branches if isinstance(one, Call)] == ["=", "="]
    assert (found.type, found.default) == (STRING, Literal(value=None, type=STRING))


def test_a_minus_belongs_to_its_number() -> None:
    assert translated("-9223372036854775808") == Literal(value=-(2**63), type=LONG)
    assert call("-n").function == "negate"


def test_an_interval_is_added_and_subtracted_in_its_unit() -> None:
    later = call("cast(w as timestamp) - interval '5' minute")

    assert later.function == "timestampadd minute"
    assert later.args[0] == Literal(value=-5, type=LONG)


@for_each(
    ("text", "says"),
    [
        ("m", "there is no column 'm'; the columns are n LONG"),
        ("(select 1)", "SUBQUERY is not among what an expression may use"),
        ("sum(n)", "there is no function 'sum'"),
        ("n is k", "IS is not among"),
        ("timestampadd(fortnight, 1, cast(w as timestamp))", "no unit 'fortnight'"),
    ],
)
def test_another_form_is_refused_by_its_name(text: str, says: str) -> None:
    with pytest.raises(RefusedError, match=says):
        translated(text)


def test_a_refusal_knows_where_it_is() -> None:
    text = "upper(w) || lower(k)"
    with pytest.raises(RefusedError) as refusal:
        translated(text)

    assert refusal.value.span is not None
    start, stop = refusal.value.span
    assert text[start:stop].startswith("lower(k")
