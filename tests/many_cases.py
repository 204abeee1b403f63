"""One test of many cases: each is tried, and those that fail are listed by their names.

``pytest.mark.parametrize`` makes a test of each case, which every worker collects, and which is
dealt out, run under all hooks and reported. For thousands of cases of a millisecond that is most
of the time, and a broken rule fails hundreds of tests with the same words.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

Check = Callable[..., None]

MOST_LISTED = 20
"""Of the cases that fail: their messages are for reading."""


def for_each(
    arguments: str | tuple[str, ...],
    values: Iterable[Any],
    name: Callable[..., str] | None = None,
) -> Callable[[Check], Check]:
    """Let a test try every case and fail with the list of those that fail.

    ``arguments`` and ``values`` are those of ``parametrize``; ``name`` makes a case's name of its
    values. Fixtures are shared by the cases. The traceback is that of the first failure.
    """
    names = (arguments,) if isinstance(arguments, str) else arguments
    cases = [(value,) if isinstance(arguments, str) else tuple(value) for value in values]
    if {*map(len, cases)} != {len(names)}:
        msg = f"each case of {', '.join(names)} has that many values, and there is at least one"
        raise ValueError(msg)

    def decorate(check: Check) -> Check:
        @wraps(check)
        def tried(**fixtures: Any) -> None:
            lines: list[str] = []
            first: BaseException | None = None
            for case in cases:
                try:
                    check(**dict(zip(names, case, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - listed
                    first = first or error
                    title = name(*case) if name else ascii(case if case[1:] else case[0])[:80]
                    lines.append(f"{title}: {type(error).__name__}: {error}")
            if lines:
                head = f"{len(lines)} of {len(cases)} cases fail:"
                raise AssertionError("\n".join([head, *lines[:MOST_LISTED]])) from first

        # By its signature pytest knows the fixtures of a test.
        signature = inspect.signature(check)
        fixtures = [one for one in signature.parameters.values() if one.name not in names]
        vars(tried)["__signature__"] = signature.replace(parameters=fixtures)
        return tried

    return decorate
