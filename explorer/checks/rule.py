"""Record of a rule of ``check``, and of a place that a rule finds.

A rule's page is generated from its row alone: the shell, the Check tab and SARIF print the same
sentences.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

import msgspec

from explorer.checks.check_case import CheckCase
from explorer.flink.releases import LATEST, VERSIONS, ByRelease, every_release, release
from explorer.model.changes import Proposal
from explorer.model.frozen import FrozenRecord
from explorer.model.pipeline import Severity
from explorer.model.stream_graph import NodeId, StreamNode

Needs: TypeAlias = Literal["document", "refusal", "compilation", "program", "lock"]
"""What a rule needs: only the document, a refusal by Flink, a compilation, the compilation of a
complete program, or also a lock."""


class Found(FrozenRecord, frozen=True, kw_only=True):
    """One place where a rule does not hold."""

    message: str
    """One or two sentences with the names and numbers of this place."""
    nodes: tuple[NodeId, ...] = ()
    """The operators concerned."""
    edge: int | None = None
    """The position of the stream edge concerned."""
    about: tuple[str, ...] = ()
    """The document's names of the operators concerned, by which a finding is silenced."""
    path: str = ""
    """Path in the document, as in ``transformations[3].uid``."""
    in_lock: bool = False
    """Whether ``path`` is a path in the lock."""
    proposals: tuple[Proposal, ...] = ()
    """Changes that may fix it, the best first; not tried yet."""
    options: Mapping[str, str] = {}
    """Flink options that may remove it."""
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
    """Build the finding of several operators, at ``path`` in the document or in its lock."""
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
    """Build the finding of one operator, or of one of its fields."""
    return of_operators((node,), message, case.path(node, field), proposals)


def of_pair(
    pair: tuple[StreamNode, StreamNode],
    message: str,
    path: str,
    edge: int | None,
    proposals: Iterable[Proposal],
) -> Found:
    """Build the finding of two operators; ``edge``: the stream edge between them, if any."""
    node, other_node = pair
    return Found(
        message=message,
        nodes=(node.id, other_node.id),
        edge=edge,
        # Fingerprints of findings hold both names, also if one transformation became both.
        about=(node.handle, other_node.handle),
        path=path,
        proposals=tuple(proposals),
    )


def of_edge(case: CheckCase, edge: int, message: str, proposals: Iterable[Proposal] = ()) -> Found:
    """Build the finding of a stream edge by its position; its path is the target's."""
    ends = case.ends(case.compiled.stream_graph.edges[edge])
    return of_pair(ends, message, case.path(ends[1]), edge, proposals)


def of_refusal(case: CheckCase, path: str, proposals: Iterable[Proposal]) -> Found:
    """Build the finding of a refusal, with Flink's message."""
    message = f"Flink: {case.flink_message}"
    return Found(message=message, about=case.blamed, path=path, proposals=tuple(proposals))


class CheckRule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule of ``check``."""

    code: str
    """Stable: it never changes its meaning."""
    severity: Severity
    """Default severity of its findings."""
    title: str
    """The fault in one sentence."""
    why: str
    """The consequence in Flink."""
    todo: str
    finds: Callable[[CheckCase], Iterator[Found]]
    needs: Needs = "compilation"
    applies: ByRelease = every_release
    """The releases for which the rule is checked."""
    by_api: bool = False
    """Whether only a call of the DataStream API fixes it: SQL has none, so it is not asked of a
    SQL script."""
    library: str = ""
    """An optional library that it needs; where that is not installed, the rule is not asked."""
    refusal: str = ""
    """Text of Flink's refusal that this rule reports; empty for other rules."""

    def reports(self, refusal: str) -> bool:
        """Whether this rule reports the refusal; true for a rule without a refusal text."""
        return self.refusal.lower() in refusal.lower()

    @property
    def releases(self) -> str:
        """The releases for which the rule is checked, as ``1.12 and later``."""
        versions = [version for version in VERSIONS if self.applies(release(version))]
        if len(versions) == len(VERSIONS):
            return "every release"
        if not versions:
            return "no release"
        if versions[-1] == LATEST:
            return f"{versions[0]} and later"
        first = f"{versions[0]} to " if versions[0] != VERSIONS[0] else "up to "
        return f"{first}{versions[-1]}" if versions[0] != versions[-1] else versions[0]

    @property
    def page(self) -> str:
        """The rule's documentation as Markdown."""
        return (
            f"# {self.code}: {self.title}\n\n"
            f"Severity: {self.severity}. Asked for {self.releases}.\n\n"
            f"## Why\n\n{self.why}\n\n## What to do\n\n{self.todo}\n"
        )


note_rule = partial(CheckRule, severity="note")
warning_rule = partial(CheckRule, severity="warning")
error_rule = partial(CheckRule, severity="error")
refusal_rule = partial(error_rule, needs="refusal")
"""A rule that is checked where Flink refuses the program."""
