"""What may be answered, and which of it is right: the shapes that answers have."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from explorer.model.lesson import Answer, Choice

FEWEST: Final = 3
"""Numbers to choose from."""


def one_of(words: str, choices: Mapping[str, str], right: str, reason: str) -> Answer:
    """One of several, by key their texts."""
    return Answer(question=words, choices=_choices(choices), right=(right,), reason=reason)


def a_number(words: str, right: int, others: Iterable[int], reason: str) -> Answer:
    """A number among others that a mistake would lead to, the smallest first."""
    known = {right, *(number for number in others if number >= 0)}
    # Where every count gives the same number, the neighbours are there to be chosen, too.
    for near in (right + 1, max(0, right - 1), right + 2):
        if len(known) < FEWEST:
            known.add(near)
    return one_of(words, {str(one): f"{one:,}" for one in sorted(known)}, str(right), reason)


def some_of(
    words: str,
    of: Literal["edges", "operators"],
    choices: Mapping[str, str],
    right: Iterable[str],
    reported: tuple[str, Mapping[str, str]],
) -> Answer:
    """A question with any number of right choices; ``reported``: their reason, and one by key."""
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
