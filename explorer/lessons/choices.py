"""Builders of answers: their choices, and which of them are right."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from explorer.model.lesson import Answer, Choice

FEWEST: Final = 3
"""Numbers to choose from."""


def one_of(words: str, choices: Mapping[str, str], right: str, reason: str) -> Answer:
    """An answer with one right choice; ``choices``: texts by key."""
    return Answer(question=words, choices=_choices(choices), right=(right,), reason=reason)


def a_number(words: str, right: int, mistakes: Iterable[int], reason: str) -> Answer:
    """A number among plausible mistakes, in ascending order."""
    numbers = {right, *(number for number in mistakes if number >= 0)}
    # Where the mistakes give the same number, add its neighbours.
    for near in (right + 1, max(0, right - 1), right + 2):
        if len(numbers) < FEWEST:
            numbers.add(near)
    return one_of(words, {str(item): f"{item:,}" for item in sorted(numbers)}, str(right), reason)


def some_of(
    words: str,
    of: Literal["edges", "operators"],
    choices: Mapping[str, str],
    right: Iterable[str],
    reported: tuple[str, Mapping[str, str]],
) -> Answer:
    """An answer with several right choices; ``reported``: the reason, and a reason by key."""
    reason, reasons = reported
    return Answer(
        question=words,
        choices=_choices(choices),
        right=tuple(right),
        many=True,
        of=of,
        reason=reason,
        reasons=reasons,
    )


def _choices(texts: Mapping[str, str]) -> tuple[Choice, ...]:
    return tuple(Choice(key=key, text=text) for key, text in texts.items())
