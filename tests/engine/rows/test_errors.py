"""Errors about rows and expressions: one sentence, and the place."""

from explorer.engine.rows.errors import (
    EXCERPT,
    SHOWN_ROW,
    ExpressionError,
    RowError,
    SinkError,
    SourceError,
)


def test_an_expression_is_cut_and_its_place_counted_from_one() -> None:
    error = ExpressionError("select.y", "n + lower(k)", "lower takes STRING", (4, 12))

    assert str(error) == "select.y 'n + lower(k)', character 5: lower takes STRING"
    long = str(ExpressionError("where", "x" * 1000, "it is wrong"))
    assert "x" * SHOWN_ROW + "...'" in long
    assert "x" * (SHOWN_ROW + 1) not in long


def test_an_excerpt_is_the_line_at_fault_with_carets_below() -> None:
    text = "case when b\n then lower(k)\n end"
    start = text.index("lower")
    error = ExpressionError("select.y", text, "it is wrong", (start, start + 8))

    assert error.excerpt == " then lower(k)\n      ^^^^^^^^"
    assert ExpressionError("select.y", text, "it is wrong").excerpt == ""


def test_a_long_line_is_cut_on_both_sides_of_the_fault() -> None:
    error = ExpressionError("y", "a" * 500 + "b" * 500, "it is wrong", (500, 900))
    line, carets = error.excerpt.split("\n")

    assert line == "a" * EXCERPT + "b" * EXCERPT
    assert carets == " " * EXCERPT + "^" * EXCERPT


def test_an_excerpt_steers_no_terminal() -> None:
    assert "\x1b" not in ExpressionError("y", "\x1b[31mred", "no", (5, 8)).excerpt


def test_a_row_is_shown_by_column_and_cut() -> None:
    error = RowError("sum", "select.y", "n % 0", {"n": 1, "w": "a\nb"}, "% by zero")

    assert str(error) == (
        "operator 'sum', select.y 'n % 0': % by zero, at the row n = 1, w = 'a\\nb'"
    )
    long = RowError("sum", "the key", "", {"w": "x" * 1000}, "it is null")
    assert str(long).startswith("operator 'sum', the key: it is null, at the row w = 'xxx")
    assert str(long).endswith("x...")


def test_a_sentence_about_a_file_is_one_line() -> None:
    assert str(SourceError("file 'a\nb'")) == "file 'a\\nb'"
    assert str(SinkError("folder\x1b")) == "folder\\x1b"
