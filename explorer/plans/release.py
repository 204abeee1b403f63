"""The plan's section *Release*: what a new Flink release changes for this program."""

from collections.abc import Iterator
from typing import Final

from explorer.comparison.compare import Comparison
from explorer.comparison.release_changes import release_change
from explorer.flink import releases
from explorer.flink.declared_options import changed_defaults, removed_options
from explorer.flink.option_advice import replacement_of
from explorer.flink.releases import Release
from explorer.flink.upgrades.changed_api import removes_api
from explorer.model.stream_graph import NodeId
from explorer.plans.api_rows import api_rows
from explorer.plans.plan_case import PlanCase
from explorer.plans.record import PlanChange, PlanSection, notice, plan_section
from explorer.wording import counted

_JOB: Final = "the job"
_KRYO: Final = "kryo"
_RUNNING: Final = (
    "execution.",
    "state.",
    "restart-strategy.",
    "pipeline.",
    "task.",
    "taskmanager.",
    "jobmanager.",
)
"""Prefixes of options that a running job reads; the others concern clients and clusters."""
_MEASURED: Final = frozenset({"taskmanager.memory.network.max"})
"""Options of which *Resources* shows what a changed default comes to."""


def release_section(case: PlanCase) -> PlanSection:
    """Changes between OLD's release and NEW's that concern NEW.

    Each assumption made while NEW was read is a warning, also where both releases are the same.
    """
    assumed = [notice(sentence, "warning") for sentence in case.request.notes]
    remarks = map(notice, case.request.remarks)
    sentence, changes = _changes(case)
    if assumed:
        number = counted(len(assumed), "assumption")
        sentence = f"{sentence.removesuffix('.')}; {number} about NEW."
    return plan_section("release", sentence, [*assumed, *changes, *remarks])


def _changes(case: PlanCase) -> tuple[str, list[PlanChange]]:
    """The section's sentence, and a row for each difference between both releases."""
    new = case.new.release
    if case.restore is None:
        return f"Flink {new.version}.", []
    version = case.restore.releases[0]
    if version is None:
        return f"Flink {new.version}; a savepoint names no release.", []
    old = releases.release(version)
    if old == new:
        return f"Flink {new.version} on both sides.", []
    changes = [
        *_of_the_program(case, old),
        *_api(case, old),
        *_removed_options(case, old),
        *_changed_defaults(case, old),
        *_default_sizes(case, old),
        *_serializers(case, old),
    ]
    known = counted(len(changes), "change") if changes else "nothing changes"
    return f"Flink {old.version} → {new.version}: {known} for this program.", changes


def _api(case: PlanCase, old: Release) -> Iterator[PlanChange]:
    """API of Flink that NEW uses and the releases removed or deprecated, where that is known."""
    new, uses, program = case.new.release, case.request.api_uses, case.document.operators
    if uses is not None:
        yield from api_rows(uses, old, new)
        return
    # A captured program other than a SQL script has classes, which its document does not hold.
    captured = program and program.flink_job_graph is not None and program.sql_plan is None
    if captured and removes_api(old, new):
        yield notice(
            f"Flink removed API after {old.version}. Not checked: whether the program "
            "uses it, since a captured document does not hold the program's classes.",
            "unchecked",
            subject="removed API",
            fix="Name the program's jar in place of its document",
        )


def _of_the_program(case: PlanCase, old: Release) -> Iterator[PlanChange]:
    """Differences between NEW under OLD's release and NEW under its own."""
    change = release_change(case.document, old.version, case.new.release.version)
    if change.comparison is not None:
        yield from _moved_ids(change.comparison)
        yield from _strategies(change.comparison)
        for job_change in change.comparison.changes:
            if job_change.where == _JOB and job_change.what not in {
                "slots",
                "channels",
                "subtasks",
            }:
                yield PlanChange(
                    subject=_JOB,
                    before=f"{job_change.what} {job_change.before}",
                    after=f"{job_change.what} {job_change.after}",
                    sentence=f"The default of the release changed. {job_change.means}",
                )
    yield from map(notice, change.warnings())


def _moved_ids(comparison: Comparison) -> Iterator[PlanChange]:
    for operator in comparison.operators:
        if (
            operator.before is not None
            and operator.after is not None
            and operator.before.id != operator.after.id
        ):
            yield PlanChange(
                subject=operator.after.name,
                before=operator.before.id,
                after=operator.after.id,
                sentence="The new release generates another ID for the same operator.",
                severity="note" if operator.rescued else "warning",
                node=NodeId(operator.after.node),
            )


def _strategies(comparison: Comparison) -> Iterator[PlanChange]:
    for operator in comparison.operators:
        old, new = operator.before, operator.after
        if old and new and old.chaining_strategy != new.chaining_strategy:
            yield PlanChange(
                subject=new.name,
                before=f"chaining strategy {old.chaining_strategy}",
                after=f"chaining strategy {new.chaining_strategy}",
                sentence="The default chaining strategy of the operator changed.",
                node=NodeId(new.node),
            )


def _options(case: PlanCase) -> dict[str, object]:
    return {**case.document.options, **case.request.options}


def _removed_options(case: PlanCase, old: Release) -> Iterator[PlanChange]:
    """Options of NEW that OLD's release reads and NEW's release does not."""
    new = case.new.release
    for name in removed_options(_options(case), old, new):
        successor = replacement_of(name, new.version)
        yield PlanChange(
            subject=f"option {name}",
            before=f"read by Flink {old.version}",
            after=f"not read by Flink {new.version}",
            sentence=f"Flink {new.version} removed the option: it has no effect.",
            severity="warning",
            fix=f"Set {successor} instead" if successor else None,
        )


def _changed_defaults(case: PlanCase, old: Release) -> Iterator[PlanChange]:
    options = _options(case)
    for changed_default in changed_defaults(old, case.new.release):
        if (
            changed_default.key.startswith(_RUNNING)
            and changed_default.key not in options
            and changed_default.key not in _MEASURED
        ):
            yield PlanChange(
                subject=f"option {changed_default.key}",
                before=changed_default.before,
                after=changed_default.after,
                sentence="The option's default changed, and the program does not set it.",
            )


def _default_sizes(case: PlanCase, old: Release) -> Iterator[PlanChange]:
    """Process sizes of a distribution, where the program sets none."""
    new = case.new.release
    options = _options(case)
    for process, previous, following in (
        ("taskmanager", old.task_manager_size, new.task_manager_size),
        ("jobmanager", old.job_manager_size, new.job_manager_size),
    ):
        if previous != following and not any(
            key.startswith(f"{process}.memory.") for key in options
        ):
            yield PlanChange(
                subject=f"{process}.memory.process.size",
                before=previous or None,
                after=following or None,
                sentence="The distribution's default changed, and the program sets none.",
            )


def _serializers(case: PlanCase, old: Release) -> Iterator[PlanChange]:
    """States that Kryo serialises, where the releases bring another Kryo."""
    new = case.new.release
    if case.restore is None or old.kryo == new.kryo:
        return
    for operator in case.restore.operators:
        for state in operator.states:
            if _KRYO in f"{state.before} {state.after}".lower():
                refused = state.verdict == "incompatible"
                yield PlanChange(
                    subject=operator.name,
                    before=f"Kryo {old.kryo}",
                    after=f"Kryo {new.kryo}",
                    sentence=f"{state.kind} {state.state}: {state.sentence}",
                    severity="error" if refused else "warning",
                    node=operator.node,
                    operator_id=operator.operator_id,
                )
