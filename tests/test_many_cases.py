"""A test of many cases fails where one of them does, and names each that does."""

from pathlib import Path

import pytest

from tests.many_cases import for_each


def test_every_failing_case_is_named_with_its_cause() -> None:
    @for_each(("number", "divisor"), [(1, 1), (3, 2), (1, 0), (5, 2)], "{} by {}".format)
    def divides(number: int, divisor: int) -> None:
        assert number % divisor == 0, "a rest"

    with pytest.raises(AssertionError) as failure:
        divides()
    head, *lines = str(failure.value).splitlines()
    assert head == "3 of 4 cases fail:"
    named = [line for line in lines if " by " in line]
    assert [line.split(":")[0] for line in named] == ["3 by 2", "1 by 0", "5 by 2"]
    assert "AssertionError: a rest" in named[0]
    assert "ZeroDivisionError" in named[1]
    assert isinstance(failure.value.__cause__, AssertionError)


def test_a_case_that_raises_nothing_where_it_should_fails() -> None:
    @for_each("number", [0, 1])
    def refuses(number: int) -> None:
        with pytest.raises(ZeroDivisionError):
            1 / number

    with pytest.raises(AssertionError, match="1 of 2 cases fail:\n1: Failed: DID NOT RAISE"):
        refuses()


@for_each("name", ["a", "b"])
def test_cases_share_the_fixtures_of_their_test(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()

    assert (tmp_path / "a").exists()


def test_a_test_without_cases_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        for_each("number", [])
