"""Options in a text that a user writes."""

import pytest

from explorer.deployment.option_lines import read_options
from explorer.errors import ExplorerError
from tests.many_cases import for_each


def test_lines_semicolons_and_spaces_part_options() -> None:
    text = "a.b=1\nc.d: 2 kb; e.f = 3  -Dg.h=4"

    assert read_options(text) == {"a.b": "1", "c.d": "2 kb", "e.f": "3", "g.h": "4"}


def test_comments_and_empty_lines_are_left_out() -> None:
    assert read_options("# memory\n\n  # more=1\nparallelism.default: 2\n") == {
        "parallelism.default": "2"
    }


def test_a_value_may_hold_an_equals_sign_and_spaces() -> None:
    java = "env.java.opts: -Dfile=a b -Xmx1g\nrest.port=8081"

    assert read_options(java) == {"env.java.opts": "-Dfile=a b -Xmx1g", "rest.port": "8081"}


def test_the_last_of_two_values_wins() -> None:
    assert read_options("a.b=1\na.b=2") == {"a.b": "2"}


@for_each("text", ["memory", "a.b", "a.b=", "=1", "a.b=1\nwords only"])
def test_a_part_that_is_no_option_is_named(text: str) -> None:
    with pytest.raises(ExplorerError, match="is no option: write key=value"):
        read_options(text)
