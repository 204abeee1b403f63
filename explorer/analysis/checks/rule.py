"""Record of a rule of ``check``, and of a place that a rule finds.

A rule's page is generated from its row alone: the shell, the Check tab and SARIF print the same
sentences.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

import msgspec

from explorer.analysis.checks.check_case import CheckCase
from explorer.flink.releases import LATEST, VERSIONS, ByRelease, every_release, release
from explorer.model.changes import Proposal
from explorer.model.frozen import FrozenRecord
from explorer.model.pipeline import Severity
from explorer.model.stream_graph import NodeId, StreamNode

Needs: TypeAlias = Literal["document", "refusal", "compilation", "program", "lock"]
"""What there must be for a rule to be asked: nothing more, Flink's refusal, a compilation, one of a
program that is wholly known, or a lock as well."""


class Found(FrozenRecord, frozen=True, kw_only=True):
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
    """The changes that would fix it, the best first; not tried yet."""
    options: Mapping[str, str] = {}
    """Options of Flink, by key the value, that remove it."""
    option_outcome: str = ""
    """What trying ``options`` led to; empty: not tried."""


def of_operators(
    nodes: Sequence[StreamNode],
    message: str,
    path: str,
    proposals: Iterable[Proposal] = (),
    *,
    in_lock: bool = False,
) -> Found:
    """What is found of several operators, at ``path`` in the document or in its lock."""
    return Found(
        message=message,
        nodes=tuple(node.id for node in nodes),
        about=tuple(dict.fromkeys(node.handle for node in nodes)),
        path=path,
        in_lock=in_lock,
        proposals=tuple(proposals),
    )


def of_operator(
    case: CheckCase,
    node: StreamNode,
    message: str,
    field: str = "",
    proposals: Iterable[Proposal] = (),
) -> Found:
    """What is found of one operator, or of a field of it."""
    return of_operators((node,), message, case.path(node, field), proposals)


def of_pair(
    pair: tuple[StreamNode, StreamNode],
    message: str,
    path: str,
    edge: int | None,
    proposals: Iterable[Proposal],
) -> Found:
    """What is found of two operators; ``edge``: the stream edge between them, if one is."""
    one, other = pair
    return Found(
        message=message,
        nodes=(one.id, other.id),
        edge=edge,
        # Both are reported where one transformation became both: fingerprints of findings hold
        # them.
        about=(one.handle, other.handle),
        path=path,
        proposals=tuple(proposals),
    )


def of_edge(case: CheckCase, edge: int, message: str, proposals: Iterable[Proposal] = ()) -> Found:
    """What is found of the stream edge at this position; it stands where its target does."""
    ends = case.ends(case.compiled.stream_graph.edges[edge])
    return of_pair(ends, message, case.path(ends[1]), edge, proposals)


def of_refusal(case: CheckCase, path: str, proposals: Iterable[Proposal]) -> Found:
    """What is found where Flink refuses, in its own words."""
    message = f"Flink: {case.flink_message}"
    return Found(message=message, about=case.blamed, path=path, proposals=tuple(proposals))


class CheckRule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule."""

    code: str
    """Stable: it never changes its meaning."""
    severity: Severity
    """Default severity of its findings."""
    title: str
    """What is wrong, in one sentence."""
    why: str
    """What comes of it in Flink."""
    todo: str
    """What to do about it."""
    finds: Callable[[CheckCase], Iterator[Found]]
    needs: Needs = "compilation"
    applies: ByRelease = every_release
    """The releases that have it: a row of ``Release``."""
    refusal: str = ""
    """Flink's refusal that corresponds to this rule; else nothing."""

    def found(self, case: CheckCase) -> Iterator[Found]:
        """What it finds; nothing where Flink's refusal is another rule's."""
        return self.finds(case) if self.is_asked_by(case.flink_message) else iter(())

    def is_asked_by(self, refusal: str) -> bool:
        """Whether Flink itself reports the problem."""
        return self.refusal.lower() in refusal.lower()

    @property
    def releases(self) -> str:
        """The releases of which it is asked, in words, such as ``1.12 and later``."""
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


refusal_rule = partial(CheckRule, severity="error", needs="refusal")
"""A rule that is asked where Flink refuses the program."""
