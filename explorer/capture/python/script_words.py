"""Finds the exception of a failed Python script in its output.

Java only knows that the interpreter ended, and with which code. What the interpreter printed ends
with its traceback, and where Java threw, with Java's own; other output may come after it.
"""

import re
from typing import Final, NamedTuple

from explorer.capture.failures import LONGEST
from explorer.wording import cut

_TRACEBACK: Final = re.compile(r'Traceback \(most recent call last\):|\s+File ".*", line \d+')
_JAVA: Final = re.compile(r"(?::|Caused by:) (?P<error>[\w.$]+(?:Exception|Error|Failure)\b.*)")
_BEHIND: Final = "Py4JJavaError"
"""The exception that stands for one of Java's, which follows it."""


class Words(NamedTuple):
    """The last output of a script."""

    reported: str
    """Its exception, or the last line that it printed; empty: it printed nothing."""
    causes: tuple[str, ...]
    """The exceptions that it may be reported by, each a class and a message."""


def failure_message(printed: str) -> Words:
    r"""The message of a failed script, read from its output.

    >>> failure_message("Traceback (most recent call last):\n  x\nKeyError: 'a'\nbye").reported
    "KeyError: 'a'"
    """
    lines = printed.splitlines()
    # The line of the exception behind the last traceback.
    begins = [at for at, line in enumerate(lines) if _TRACEBACK.match(line)]
    behind = range(begins[-1] + 1, len(lines)) if begins else ()
    own = next((at for at in behind if lines[at] and not lines[at][0].isspace()), None)
    if own is None:
        reported = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return Words(cut(reported, LONGEST), ())
    java = [result["error"] for line in lines[own:] if (result := _JAVA.match(line))]
    if _BEHIND not in lines[own] or not java:
        return Words(cut(lines[own].strip(), LONGEST), (lines[own].strip(),))
    first, root = cut(java[0], LONGEST), cut(java[-1], LONGEST)
    return Words(first if root in first else f"{first}, caused by {root}", tuple(java))
