"""One base class for all errors that a user can fix, and one class for bugs of the explorer.

Each error carries the objects that it names and makes one sentence of them: what is wrong,
where, what is allowed, what to do. The page and the command line print only that sentence.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from heapq import nlargest
from itertools import takewhile
from pathlib import Path
from typing import ClassVar, Final

AT_FAULT: Final = 1
"""Exit code: the document or the job is at fault, or refused."""
USAGE: Final = 2
"""Exit code: wrong usage, or the installation lacks a library, Java or Flink's jars."""
OWN_BUG: Final = 70
"""Exit code: a bug of the explorer; EX_SOFTWARE of sysexits.h."""
LONGEST: Final = 4_000
"""Characters of a message; the objects that it names are whole."""
_END: Final = 500
"""Length of the end of a longer message that is still printed."""
_SHOWN: Final = 300
"""Characters of an unexpected exception's own words."""
_COMPARED: Final = 50
"""Number of known names that are compared letter by letter for a suggestion."""
_SHORT: Final = 4
"""Letters up to which a name is short: one wrong letter is a large share of it."""
_LIKENESS_OF_SHORT, _LIKENESS = 0.6, 0.72
"""``difflib``'s least ratio, for a short name and for others, of a name that is suggested."""
STEERING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters other than tab and line feed, those that turn the text's direction, and halves
of characters, which no stream encodes."""


class ExplorerError(Exception):
    """Root of everything that a user can fix; its text is short enough, and harmless to print."""

    exit_code: ClassVar[int] = AT_FAULT
    """What a command that ends with this error exits with."""

    @property
    def excerpt(self) -> str:
        """Lines that point at what is wrong, where the error knows; printed below the sentence."""
        return ""

    def __str__(self) -> str:
        text = STEERING.sub("\ufffd", super().__str__())
        if len(text) <= LONGEST:
            return text
        left_out = f" … ({len(text) - LONGEST:,} characters left out) … "
        # What is wrong stands at the beginning, and what to do at the end.
        return text[: LONGEST - _END] + left_out + text[-_END:]


class DocumentError(ExplorerError):
    """A document does not say what a document must say.

    ``path`` is the place in the document, as in ``transformations[3].parallelism``.
    """

    def __init__(self, path: str, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{path}: {problem}" if path else problem)


@contextmanager
def found_at(path: str) -> Iterator[None]:
    """Within it, whatever is wrong is a ``DocumentError`` at this place."""
    try:
        yield
    except ExplorerError as error:
        raise DocumentError(path, str(error)) from None


@contextmanager
def found_in(file: str) -> Iterator[None]:
    """Within it, a ``DocumentError`` names this file before the place.

    A place says nothing without its file: a command reads several, a page many.
    """
    try:
        yield
    except DocumentError as error:
        place = f"{file}, {error.path}" if error.path else file
        raise DocumentError(place, error.problem) from None


class FlinkRefusalError(ExplorerError):
    """Flink refuses this pipeline; ``flink_message`` is Flink's own text.

    ``exception`` is the class that Flink throws, ``transformations`` the document's ids of the
    transformations concerned, ``hint`` what to do where Flink's text does not say it.
    """

    def __init__(
        self,
        flink_message: str,
        *,
        exception: str,
        transformations: Iterable[str] = (),
        hint: str = "",
    ) -> None:
        self.flink_message, self.exception = flink_message, exception
        self.transformations = tuple(dict.fromkeys(transformations))
        owner = ", ".join(repr(name) for name in self.transformations)
        at = f" (transformations {owner})" if owner else ""
        more = f" {hint}" if hint else ""
        super().__init__(f"Flink refuses this pipeline with {exception}: {flink_message}{at}{more}")


class EditError(ExplorerError):
    """A change of a pipeline that cannot be made."""


class UnsupportedReleaseError(ExplorerError):
    """The pipeline uses something that the chosen Flink release does not have."""


class TooLargeError(ExplorerError):
    """A program that is small to write down stands for a graph that is too large to make."""


class UsageError(ExplorerError):
    """A command's arguments, each of them right, do not fit together."""

    exit_code = USAGE


class MissingJavaError(ExplorerError):
    """No Java is at hand, or only an older one than is needed."""

    exit_code = USAGE


class TrialError(ExplorerError):
    """A trial run could not be started, or ended early."""


class MissingFlinkError(ExplorerError):
    """No Flink jars are at hand; ``release`` is the one that is needed, None where any serves."""

    exit_code = USAGE

    def __init__(self, message: str, release: str | None = None) -> None:
        super().__init__(message)
        self.release = release


class UnwritableFileError(ExplorerError):
    """A result cannot be written to the file that was named."""

    def __init__(self, path: Path, error: OSError) -> None:
        self.path = path
        why = (error.strerror or "it failed").lower()
        super().__init__(f"cannot write {str(path)!r}: {why}")


class PortInUseError(ExplorerError):
    """The page cannot be served at this address."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        self.host, self.port = host, port
        super().__init__(
            f"the page cannot listen on {host}:{port} ({reason}): "
            "end what uses it, or name another port with --port (make run PORT=8502)"
        )


class BrokenInvariantError(AssertionError):
    """A pass left something behind that cannot be: our bug, never the user's."""


def own_bug(error: BaseException) -> str:
    """Describe an unexpected exception in one short line."""
    words = " ".join(str(error).split())[:_SHOWN]
    return f"a bug of the explorer, not of yours: {type(error).__name__}: {words}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known name, or nothing.

    >>> did_you_mean("rebalnce", ["rebalance", "rescale"])
    "; did you mean 'rebalance'?"
    """

    def shared_ends(candidate: str) -> int:
        """Number of letters that both names share at their beginning and at their end."""
        both = (
            zip(name, candidate, strict=False),
            zip(name[::-1], candidate[::-1], strict=False),
        )
        return sum(len(list(takewhile(lambda pair: pair[0] == pair[1], ends))) for ends in both)

    # A whole comparison of two names is expensive, so only the likeliest ones are compared.
    likeness = _LIKENESS if len(name) > _SHORT else _LIKENESS_OF_SHORT
    likeliest = nlargest(_COMPARED, known, shared_ends)
    near = get_close_matches(name, likeliest, n=1, cutoff=likeness)
    return f"; did you mean {near[0]!r}?" if near else ""
