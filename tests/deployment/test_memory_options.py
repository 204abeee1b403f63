"""Memory options as Flink reads them: sizes, fractions and former keys."""

import pytest

from explorer.deployment.memory_options import (
    MemoryRefusalError,
    Option,
    Options,
    UnreadableOptionError,
    multiplied,
    readable,
)
from tests.many_cases import for_each


def test_sizes_are_multiplied_in_decimal_and_written_half_up() -> None:
    assert multiplied(10, 0.1) == 1
    assert readable(1125) == "1.099kb (1125 bytes)"


def size(text: str) -> int:
    return Options({"a": text}).size(Option("a"))


@for_each(
    ("text", "wanted"),
    [
        ("7", 7),
        ("7 b", 7),
        ("2K", 2048),
        ("3 mebibytes", 3 << 20),
        ("1gb", 1 << 30),
        ("1TB", 1 << 40),
    ],
)
def test_a_size_is_bytes_unless_it_has_a_unit(text: str, wanted: int) -> None:
    assert size(text) == wanted


@for_each("text", ["", "much", "-1", "1.5g", "1 zb", "9999999999g"])
def test_an_invalid_size_is_refused(text: str) -> None:
    with pytest.raises(MemoryRefusalError, match="from config option 'a'"):
        size(text)


def test_a_former_key_holds_where_the_key_is_not_set() -> None:
    option = Option("new", "1", ("old", "older"))

    assert Options({}).text(option) == "1"
    assert Options({"older": "3", "old": "2"}).text(option) == "2"
    assert Options({"old": "2", "new": "4"}).text(option) == "4"
    assert [Options(one).has(option) for one in ({}, {"older": 1})] == [False, True]


def test_a_fraction_is_a_float_of_javas() -> None:
    assert Options({"a": "0.1"}).fraction(Option("a")) == 0.10000000149011612
    with pytest.raises(UnreadableOptionError, match="Could not parse value 'x' for key 'a'"):
        Options({"a": "x"}).fraction(Option("a"))


def test_a_share_stays_between_its_bounds() -> None:
    share = Options({"a": "0.25"}).share(10, 50, Option("a"))

    assert [share.of(base) for base in (8, 100, 1000)] == [10, 25, 50]
    assert share.of_rest(90) == 29  # 0.25 / 0.75 is less than a third, and the product is cut


@pytest.mark.parametrize(("least", "most", "text"), [(2, 1, "0.1"), (1, 2, "1.0"), (1, 2, "-0.1")])
def test_a_range_that_is_none_is_refused(least: int, most: int, text: str) -> None:
    option = Option("a", former=("b",))
    with pytest.raises(MemoryRefusalError, match="Inconsistently configured Key: 'a' ") as refusal:
        Options({"a": text}).share(least, most, option)

    assert "{key=b, isDeprecated=true}" in str(refusal.value)
