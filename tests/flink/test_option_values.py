"""Texts of options, parsed as Flink parses them."""

from collections.abc import Callable

from explorer.flink.option_values import is_true, milliseconds, one_of, unreadable, whole
from tests.many_cases import for_each


def refuses(parse: Callable[[object], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return True
    return False


@for_each(
    ("text", "value"),
    [
        ("5", 5),
        (5, 5),
        ("1 s", 1000),
        ("1sec", 1000),
        (" 2 MIN ", 120_000),
        ("1h", 3_600_000),
        ("3 days", 259_200_000),
        ("1500 µs", 1),
        ("999999 ns", 0),
        ("9223372036854775807", 2**63 - 1),
    ],
)
def test_a_duration_is_of_milliseconds_where_it_has_no_unit(text: object, value: int) -> None:
    assert milliseconds(text) == value


@for_each(
    "text", ["", "-5", "1.5 s", "5 weeks", "s", "1 s 2 ms", "9223372036854775808", "200000000000 d"]
)
def test_a_duration_that_flink_cannot_parse_is_refused(text: str) -> None:
    assert refuses(milliseconds, text)


@for_each(("text", "value"), [("7", 7), ("+7", 7), (-7, -7), ("2147483647", 2**31 - 1), ("007", 7)])
def test_a_whole_number_is_a_java_int(text: object, value: int) -> None:
    assert whole(text) == value


@for_each("text", ["", "1.0", "2147483648", " 7", "1e3", "7L", "٣"])
def test_a_number_that_is_no_java_int_is_refused(text: str) -> None:
    assert refuses(whole, text)


def test_a_boolean_is_read_in_any_case() -> None:
    assert [is_true(text) for text in ("true", "TRUE", True, "False", False)] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert all(refuses(is_true, text) for text in ("yes", "1", ""))


def test_an_enum_constant_is_found_in_any_case() -> None:
    parse = one_of("STREAMING", "BATCH")

    assert parse("batch") == "BATCH"
    assert refuses(parse, "fast")


def test_the_words_for_a_value_of_another_type_are_flinks() -> None:
    assert unreadable("a.b", "x") == "Could not parse value 'x' for key 'a.b'."
