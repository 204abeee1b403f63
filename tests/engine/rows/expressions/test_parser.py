"""From a text to a typed tree: what is refused, in one sentence, and where it stands."""

import pytest

from explorer.engine.rows.errors import ExpressionError
from explorer.engine.rows.expressions.parser import MAX_DEPTH, MAX_LENGTH, compile_expression
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG
from tests.engine.rows.expressions.asked import ROW
from tests.many_cases import for_each

REFUSED = [
    ("m", "there is no column 'm'; the columns are n LONG, k LONG, x DOUBLE, w STRING, b BOOLEAN"),
    ("nn", "did you mean 'n'?"),
    ("lenght(w)", "did you mean 'length'?"),
    ("rand()", "there is no function 'rand'"),
    ("count(*)", "there is no function 'count'"),
    ("(select 1)", "SUBQUERY is not among"),
    ("exists(select 1)", "there is no function 'exists'"),
    ("n; drop table x", "BLOCK is not among"),
    ("n m", "ALIAS is not among"),
    ("*", "STAR is not among"),
    ("t.n", "this form of COLUMN"),
    ("n & 1", "BITWISEAND is not among"),
    ("interval 1 day", "INTERVAL is not among"),
    ("cast(n as date)", "no cast from LONG to DATE"),
    ("cast(n as time)", "no cast to TIME; it may be to LONG, DOUBLE, STRING, BOOLEAN, DATE or"),
    ("cast(w as timestamp(9))", "no cast to TIMESTAMP(9); it may be to LONG,"),
    ("cast(w as timestamp(3))", "this is a TIMESTAMP, which no column holds; cast it to STRING"),
    ("timestamp '2024-02-30' < to_timestamp(w)", "'2024-02-30' is no TIMESTAMP; write it as"),
    ("extract(moon from to_date(w))", "extract has no unit 'moon'; choose one of year, quarter"),
    ("year(n)", "year is a part of a TIMESTAMP or a DATE, and this is LONG; cast it"),
    ("to_date(w) + interval '1' day", "argument 2 is DATE"),
    ("to_timestamp(w) + interval 'x' day", "an interval is one number and its unit"),
    ("date_format(to_timestamp(w), 'EEE')", "date_format knows yyyy, yy, MM, dd, HH, mm, ss, SSS"),
    ("to_timestamp_ltz(n, 6)", "to_timestamp_ltz takes 0 or 3 digits, and not 6"),
    ("regexp(w, '(?=a)')", "this is no pattern that a trial can match: invalid perl operator: (?="),
    ("regexp(w, w)", "argument 2 of regexp must stand there as a literal"),
    ("regexp_extract(w, '(a)b', 2)", "the pattern has 1 group, not 2"),
    ("regexp_count(w, '" + "a" * 501 + "')", "it has 501 characters, and 500 are allowed"),
    ("lower(n)", "lower takes STRING, and argument 1 is LONG"),
    ("n + w", "+ takes LONG or DOUBLE, and argument 2 is STRING"),
    ("n = w", "= cannot join LONG and STRING; cast one of them"),
    (
        "b < true",
        "< takes LONG or DOUBLE or STRING or TIMESTAMP or DATE, and argument 1 is BOOLEAN",
    ),
    ("substring(w)", "substring takes 2 to 3 arguments, not 1"),
    ("round(x, n)", "argument 2 of round must stand there as a literal"),
    ("w like w", "argument 2 of like must stand there as a literal"),
    ("case when 1 then 2 end", "a condition must be BOOLEAN, and this is LONG"),
    ("if(b, 1, 'a')", "the values of a case cannot join LONG and STRING"),
    ("9223372036854775808", "does not fit a LONG; write 9223372036854775808.0 for a DOUBLE"),
    ("n + ", "the syntax is wrong"),
    ("n mod 5", "the syntax is wrong at character 7, near '5'"),
    ("", "it is empty"),
    ("(" * 40 + "n" + ")" * 40, "parentheses are 40 deep, and 30 are allowed"),
    ("n" + " + n" * 2000, "it has 8,001 characters, and 5,000 are allowed"),
    ("- " * 2000 + "n", "it is nested too deeply"),
    ("'\ud800'", "half of a surrogate pair"),
]


@for_each(
    ("text", "marked"),
    [
        ("n + lower(k)", "lower(k)"),
        ("upper(w) || nowhere || 'x'", "nowhere"),
        ("case when b then n\n else regexp_replace(w, '[', '') end", "regexp_replace(w, '[', ''"),
        ("concat(w, to_date(w) = w)", "to_date(w) = w"),
        ("foo(n)", "foo(n"),
    ],
)
def test_carets_point_at_the_error(text: str, marked: str) -> None:
    with pytest.raises(ExpressionError) as refusal:
        compile_expression(text, ROW, "select.y")

    line, carets = refusal.value.excerpt.split("\n")
    start = carets.index("^")
    assert line[start : start + carets.count("^")].startswith(marked.removesuffix(")"))
    assert line in text
    at = f", character {text.index(marked) + 1}:" if not text.startswith(marked) else "':"
    assert at in str(refusal.value)


@for_each(("text", "problem"), REFUSED)
def test_a_wrong_expression_is_refused_in_one_sentence(text: str, problem: str) -> None:
    with pytest.raises(ExpressionError) as refusal:
        compile_expression(text, ROW, "select.y")

    assert problem in str(refusal.value)
    assert str(refusal.value).startswith("select.y ")
    assert "\n" not in str(refusal.value)


def test_a_condition_must_be_boolean() -> None:
    with pytest.raises(ExpressionError, match="expected a BOOLEAN, and this is a LONG"):
        compile_expression("n + 1", ROW, "where", BOOLEAN)


def test_the_limits_are_the_most_that_is_parsed() -> None:
    deep = "(" * MAX_DEPTH + "n" + ")" * MAX_DEPTH
    long = "n" + " " * (MAX_LENGTH - 1)

    assert compile_expression(deep, ROW, "y").type is LONG
    assert compile_expression(long, ROW, "y").type is LONG
    with pytest.raises(ExpressionError, match="5,001 characters"):
        compile_expression(long + " ", ROW, "y")


def test_a_value_is_widened_to_the_expected_type() -> None:
    assert compile_expression("null", ROW, "y").type is None
    assert compile_expression("null", ROW, "y", DOUBLE).type is DOUBLE
    with pytest.raises(ExpressionError, match="expected a DOUBLE, and this is a LONG"):
        compile_expression("n", ROW, "y", DOUBLE)


def test_quotes_hold_odd_names_of_columns() -> None:
    assert (
        compile_expression('`n` + "k"', ROW, "y").root == compile_expression("n + k", ROW, "y").root
    )
