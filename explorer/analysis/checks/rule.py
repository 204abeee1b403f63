"""What is a rule of ``check``, and what does it find?

A rule's page is made of its row alone: the shell, the Check tab and SARIF print the same sentences.
"""

from collections.abc import Callable, Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.analysis.checks.case import Case
from explorer.flink.releases import LATEST, VERSIONS, Release, release
from explorer.model.changes import Proposal
from explorer.model.pipeline import Severity
from explorer.model.stream_graph import NodeId

Needs: TypeAlias = Literal["document", "refusal", "compilation", "program", "lock"]
"""What there must be for a rule to be asked: nothing more, Flink's refusal, a compilation, one of a
program that is wholly known, or a lock besides."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One place where a rule does not hold."""

    message: str
    """What was found, with its own names and numbers; one or two sentences."""
    nodes: tuple[NodeId, ...] = ()
    """The operators concerned."""
    edge: int | None = None
    """The position of the stream edge concerned."""
    about: tuple[str, ...] = ()
    """What the document calls those concerned: by this a finding is silenced, and found again."""
    path: str = ""
    """Where in the document, as in ``transformations[3].uid``."""
    in_lock: bool = False
    """Whether ``path`` is one of the lock and not of the document."""
    proposals: tuple[Proposal, ...] = ()
    """The changes that would mend it, the best first; not tried yet."""


def every_release(_: Release) -> bool:
    """Whatever the release."""
    return True


class CheckRule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule."""

    code: str
    """Stable: it never changes its meaning."""
    severity: Severity
    """How much its findings weigh where nothing says otherwise."""
    title: str
    """What is wrong, in one sentence."""
    why: str
    """What comes of it in Flink."""
    todo: str
    """What to do about it."""
    finds: Callable[[Case], Iterator[Found]]
    needs: Needs = "compilation"
    applies: Callable[[Release], bool] = every_release
    """Which releases have it; a row of ``Release`` tells."""

    @property
    def releases(self) -> str:
        """For which releases it is asked, in words.

        >>> SAMPLE.releases
        '1.12 and later'
        """
        known = [version for version in VERSIONS if self.applies(release(version))]
        if len(known) == len(VERSIONS):
            return "every release"
        if not known:
            return "no release"
        if known[-1] == LATEST:
            return f"{known[0]} and later"
        first = f"{known[0]} to " if known[0] != VERSIONS[0] else "up to "
        return f"{first}{known[-1]}" if known[0] != known[-1] else known[0]

    @property
    def page(self) -> str:
        """All that there is to say of it, as Markdown."""
        return (
            f"# {self.code}: {self.title}\n\n"
            f"Severity: {self.severity}. Asked for {self.releases}.\n\n"
            f"## Why\n\n{self.why}\n\n## What to do\n\n{self.todo}\n"
        )


SAMPLE: Final = CheckRule(
    code="XX00",
    severity="off",
    title="An example.",
    why="",
    todo="",
    finds=lambda _: iter(()),
    applies=lambda release: release.flip27_sources,
)
