"""Findings of ``check`` in one document, with their severities."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import msgspec

from explorer.model.changes import Proposal
from explorer.model.frozen import FormerRelease, FrozenRecord
from explorer.model.pipeline import Severity
from explorer.model.stream_graph import NodeId
from explorer.wording import counted

LEVELS: Final[tuple[Severity, ...]] = ("error", "warning", "note")
"""All severities, from heavy to light."""
FindingKey: TypeAlias = tuple[str, tuple[str, ...], str]
"""A finding's identity: rule, operators, and the path where it is about none."""
_UNTRIED: Final = "not tried: the program has to be captured with it"


def option_words(options: Mapping[str, str], outcome: str) -> str:
    """Options as arguments, with the result of trying them; empty where there are none.

    >>> option_words({"taskmanager.memory.network.min": "80mb"}, "fits")
    "-D 'taskmanager.memory.network.min=80mb' (fits)"
    """
    values = " ".join(f"-D '{key}={value}'" for key, value in options.items())
    return f"{values} ({outcome})" if values else ""


class Finding(FrozenRecord, frozen=True, kw_only=True):
    """One thing that a rule found."""

    code: str
    severity: Severity
    """Severity by the document or the caller."""
    title: str
    """The rule's title."""
    message: str
    path: str
    """Path in the document or in its lock, as in ``transformations[3].uid``; may be empty."""
    in_lock: bool = False
    about: tuple[str, ...] = ()
    """The document's names of the operators concerned."""
    nodes: tuple[NodeId, ...] = ()
    edge: int | None = None
    """The position in ``stream_graph.edges``."""
    silenced: str | None = None
    """The reason why it does not count; None: it counts."""
    proposals: tuple[Proposal, ...] = ()
    """Changes that may fix it; ``fixes`` tries them."""
    options: Mapping[str, str] = {}
    """Flink options that may remove it."""
    option_outcome: str = ""
    """The result of trying ``options``; empty: not tried."""

    @property
    def counts(self) -> bool:
        """Whether the finding is not silenced."""
        return self.silenced is None

    @property
    def option_fix(self) -> str:
        """The options with the outcome of trying them; empty where there are none."""
        return option_words(self.options, self.option_outcome or _UNTRIED)

    @property
    def key(self) -> FindingKey:
        """The finding's identity, which does not depend on other findings or positions."""
        return self.code, self.about, "" if self.about else self.path

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members; of each proposal, its label."""
        members: dict[str, Any] = msgspec.to_builtins(self)
        return members | {"fixes": [value["label"] for value in members.pop("proposals")]}


class Findings(FormerRelease, msgspec.Struct, frozen=True, kw_only=True):
    """All findings of one document, by severity, then in the order of the rules."""

    name: str
    """The document's own name."""
    flink_version: str
    findings: tuple[Finding, ...]
    asked: tuple[str, ...] = ()
    """The codes of all rules that were checked."""

    @property
    def failing(self) -> tuple[Finding, ...]:
        """Findings at error level that are not silenced."""
        return self.at_least("error")

    def at_least(self, level: Severity) -> tuple[Finding, ...]:
        """Findings that count, with this severity or a heavier one."""
        heavy = LEVELS[: LEVELS.index(level) + 1]
        return tuple(
            finding for finding in self.findings if finding.counts and finding.severity in heavy
        )

    @property
    def counts(self) -> Mapping[str, int]:
        """By severity, how many findings count."""
        result = Counter(finding.severity for finding in self.findings if finding.counts)
        return {level: result[level] for level in LEVELS}

    @property
    def sentence(self) -> str:
        """The verdict in a line."""
        text = [counted(number, level) for level, number in self.counts.items() if number]
        silent = sum(not finding.counts for finding in self.findings)
        silent_text = f", {silent:,} silenced" if silent else ""
        return f"{', '.join(text) or 'no findings'}{silent_text}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        return {
            "name": self.name,
            "flink": self.flink_version,
            "flink_version": self.flink_version,
            "counts": dict(self.counts),
            "findings": [finding.to_dict() for finding in self.findings],
        }
