"""The record of a plan: one verdict on replacing OLD by NEW, and the changes by section.

Nothing in Flink mirrors this. Command line, reports and page read the record; none of them derives
a verdict of its own.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal

import msgspec

from explorer.documents.document_kinds import document_values
from explorer.model.document import Document
from explorer.model.stream_graph import NodeId
from explorer.plans.changed_graph import ChangedGraph

PlanVerdict = Literal["deploy", "attention", "unchecked", "do_not_deploy"]
"""From good to bad. ``unchecked``: nothing is refused, and not everything could be checked."""
ChangeSeverity = Literal["note", "warning", "unchecked", "error"]
"""From light to heavy, each with the verdict at the same position of ``VERDICTS``."""
SectionName = Literal["state", "graph", "resources", "release", "checks"]

VERDICTS: Final[tuple[PlanVerdict, ...]] = ("deploy", "attention", "unchecked", "do_not_deploy")
SEVERITIES: Final[tuple[ChangeSeverity, ...]] = ("note", "warning", "unchecked", "error")
SECTIONS: Final[tuple[SectionName, ...]] = ("state", "graph", "resources", "release", "checks")
"""All sections, in the order in which every output lists them."""
VERDICT_WORDS: Final[Mapping[PlanVerdict, str]] = {
    "deploy": "Deploy",
    "attention": "Deploy with attention",
    "unchecked": "Not everything could be checked",
    "do_not_deploy": "Do not deploy",
}
FIRST_CHANGES: Final = 10
"""Changes of a section that an output shows before its details."""


class PlanChange(msgspec.Struct, frozen=True, kw_only=True):
    """One fact that differs, or one state with its outcome."""

    subject: str
    """An operator's name, an edge as ``words → count``, a task's name, ``the job`` or a figure."""
    before: str | None
    """None: it was not there."""
    after: str | None
    """None: it is not there any more. Of a state: ``restored``, ``migrated``, ``new``,
    ``dropped``, ``refused``, ``wrong operator`` or ``unchecked``."""
    sentence: str
    severity: ChangeSeverity = "note"
    fix: str | None = None
    """The suggested fix; of a state, a change after which the restore was checked again."""
    node: NodeId | None = None
    """The new program's operator concerned."""
    edge: int | None = None
    """Position of the new program's stream edge concerned."""
    operator_id: str | None = None
    """Of a state: the operator ID under which it is saved."""
    state_bytes: int | None = None
    """Of a state: its size; None where no savepoint reports it."""
    code: str | None = None
    """Of a finding: the rule's code."""


def notice(
    sentence: str,
    severity: ChangeSeverity = "note",
    *,
    subject: str = "the job",
    after: str | None = None,
    fix: str | None = None,
) -> PlanChange:
    """A row without a value of OLD, by default about the job as a whole."""
    return PlanChange(
        subject=subject, before=None, after=after, sentence=sentence, severity=severity, fix=fix
    )


class PlanSection(msgspec.Struct, frozen=True, kw_only=True):
    """One section: its verdict, a sentence, and its changes."""

    name: SectionName
    verdict: PlanVerdict
    sentence: str
    changes: tuple[PlanChange, ...] = ()
    """The changes by severity, then in the program's order."""
    unchanged: tuple[PlanChange, ...] = ()
    """Unchanged things that the details list, such as a restored state."""

    @property
    def first(self) -> tuple[PlanChange, ...]:
        """The changes that are shown before the details."""
        return self.changes[:FIRST_CHANGES]

    @property
    def rest(self) -> tuple[PlanChange, ...]:
        """The changes that only the details show."""
        return self.changes[FIRST_CHANGES:]


class PlanFix(msgspec.Struct, frozen=True, kw_only=True):
    """A change after which the restore was checked again."""

    label: str
    lines: tuple[str, ...]
    """The lines to write: calls for the program, or an argument of ``flink run``."""
    outcome: str
    """The verdict with the fix, in a sentence."""
    restores: bool
    """Whether Flink restores with this fix alone."""
    document: Mapping[str, Any] | None = None
    """The changed program as its document holds it, for the page; None: no change of the program.
    The plan's JSON does not repeat the program for each fix."""


class PlanSide(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a plan."""

    read_from: str
    """The source of the side, such as a file's name or a job's address."""
    release: str | None
    """The Flink release; None: a savepoint alone does not hold it."""
    job: str | None
    """The job's name; None where a savepoint alone is known."""
    savepoint: str | None = None
    """Of the old side: the savepoint's name, where one is given."""
    state_bytes: int | None = None
    """Of the old side: bytes of all state in the savepoint."""


class PlanDocuments(msgspec.Struct, frozen=True, kw_only=True):
    """Both programs; None where one is not known."""

    old: Document | None = None
    new: Document | None = None


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on deploying NEW in place of OLD."""

    verdict: PlanVerdict
    sentence: str
    """The reason for the verdict."""
    old: PlanSide | None
    """None: a first deployment."""
    new: PlanSide
    sections: tuple[PlanSection, ...]
    """In the order of ``SECTIONS``."""
    fixes: tuple[PlanFix, ...] = ()
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    """Checks of Flink that were not made, a sentence each."""
    changed_graph: ChangedGraph | None = None
    """The changed part of the graph; None: OLD's graph is not known."""
    documents: PlanDocuments = PlanDocuments()
    """Both programs, to draw their graphs."""

    @property
    def title(self) -> str:
        """The verdict in words, as ``Do not deploy``."""
        return VERDICT_WORDS[self.verdict]

    @property
    def headline(self) -> str:
        """The verdict and its reason."""
        return f"{self.title}: {self.sentence}"

    def section(self, name: SectionName) -> PlanSection:
        """The section of that name."""
        return self.sections[SECTIONS.index(name)]

    @property
    def changes(self) -> Iterator[PlanChange]:
        """The changes of all sections."""
        return (change for section in self.sections for change in section.changes)

    def exit_code(self, *, accept_unchecked: bool = False) -> int:
        """0 deploy or attention; 1 do not deploy; 3 not everything could be checked."""
        if self.verdict == "do_not_deploy":
            return 1
        return 3 if self.verdict == "unchecked" and not accept_unchecked else 0

    def to_dict(self) -> dict[str, Any]:
        """The members of the plan's JSON; ``sections`` by name, ``documents`` as plain values."""
        bare = msgspec.structs.replace(self, documents=PlanDocuments())
        members: dict[str, Any] = msgspec.to_builtins(bare)
        sections = {member.pop("name"): member for member in members["sections"]}
        documents = {
            side: document and document_values(document.with_baseline(None))
            for side, document in (("old", self.documents.old), ("new", self.documents.new))
        }
        for fix in members["fixes"]:
            del fix["document"]
        derived = {"title": self.title, "sections": sections, "documents": documents}
        values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(members | derived))
        return values


def plan_section(
    name: SectionName,
    sentence: str,
    changes: Iterable[PlanChange] = (),
    unchanged: Iterable[PlanChange] = (),
    *,
    least: PlanVerdict = "deploy",
) -> PlanSection:
    """A section with its changes sorted by severity and the verdict of the heaviest.

    ``least``: the verdict that holds whatever the changes are.
    """
    ordered = sorted(changes, key=lambda change: -SEVERITIES.index(change.severity))
    return PlanSection(
        name=name,
        verdict=worst(
            [least, *(VERDICTS[SEVERITIES.index(plan_change.severity)] for plan_change in ordered)]
        ),
        sentence=sentence,
        changes=tuple(ordered),
        unchanged=tuple(unchanged),
    )


def worst(verdicts: Iterable[PlanVerdict]) -> PlanVerdict:
    """The worst of some verdicts; ``deploy`` where there are none."""
    return max(verdicts, key=VERDICTS.index, default="deploy")
