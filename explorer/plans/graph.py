"""The plan's section *Graph*: tasks, chains, partitioners, vertex IDs and settings that changed."""

from collections.abc import Iterator
from typing import Final

from explorer.comparison.job_changes import JobChange
from explorer.flink.compiler import Compilation
from explorer.flink.option_values import OVERRIDES
from explorer.plans.plan_case import PlanCase
from explorer.plans.record import ChangeSeverity, PlanChange, PlanSection, plan_section
from explorer.wording import counted, counted_change

_ATTENTION: Final = frozenset(
    {
        "partitioner",
        "batch mode",
        "checkpointing mode",
        "checkpoint interval",
        "retained checkpoints",
        "object reuse",
    }
)
"""Facts of which a change alters what the job promises: order, delivery, what survives a cancel."""
_ELSEWHERE: Final = frozenset({"subtasks", "channels", "slots", "Flink release"})
"""Facts that *Resources* and *Release* show."""
_SETTINGS: Final = frozenset({"parallelism.default", "pipeline.max-parallelism"})
"""Options that a fact of the job or of its operators shows already."""
_CLUSTER: Final = ("taskmanager.", "jobmanager.", "kubernetes.")
"""Prefixes of options that size processes: *Resources* shows what they come to."""


def graph_section(case: PlanCase) -> PlanSection:
    """Differences between both graphs, without the state of operators."""
    restore, old_compilation = case.restore, case.old_program
    if restore is None:
        tasks = counted(len(case.new.job_graph.vertices), "task")
        return plan_section("graph", f"A first deployment: {tasks}.")
    if old_compilation is None:
        return plan_section(
            "graph", f"Not compared: {restore.old} is a savepoint, which holds no graph."
        )
    old, new = (len(compilation.job_graph.vertices) for compilation in (old_compilation, case.new))
    changes = [
        *_operators(case, old_compilation),
        *_vertex_ids(case, old_compilation),
        *(_describe_change(change) for change in restore.changes if not _is_elsewhere(change)),
    ]
    tasks = counted(new, "task")
    if old != new:
        row = PlanChange(
            subject="the job",
            before=counted(old, "task"),
            after=tasks,
            sentence=f"The job has {tasks} instead of {old:,}.",
        )
        changes, tasks = [row, *changes], counted_change(old, new, "task")
    sentence = f"{tasks}, {counted(len(changes), 'change')}." if changes else f"The same {tasks}."
    return plan_section("graph", sentence, changes)


def _operators(case: PlanCase, old_compilation: Compilation) -> Iterator[PlanChange]:
    """Operators that only one of the two programs has."""
    operators = case.restore.operators if case.restore else ()
    matched = case.matched
    open_ids = {operator.operator_id for operator in operators if operator.candidates}
    for node in old_compilation.stream_graph.nodes:
        if node.id not in matched:
            unclear = old_compilation.hashes[node.id] in open_ids
            yield PlanChange(
                subject=node.name,
                before="operator",
                after=None,
                sentence=_UNCLEAR if unclear else "The operator is removed.",
            )
    node_ids = set(matched.values())
    for node in case.new.stream_graph.nodes:
        if node.id not in node_ids:
            yield PlanChange(
                subject=node.name,
                before=None,
                after="operator",
                sentence="The operator is new, or its operator of OLD is not known."
                if open_ids
                else "The operator is new.",
                node=node.id,
            )


_UNCLEAR: Final = "Several operators of NEW may be this one; --match OLD=NEW decides."


def _vertex_ids(case: PlanCase, old_compilation: Compilation) -> Iterator[PlanChange]:
    new_compilation, matched = case.new, case.matched
    for vertex in old_compilation.job_graph.vertices:
        node = matched.get(vertex.head)
        if node is None or new_compilation.job_graph.task_of(node).id == vertex.id:
            continue
        moved = new_compilation.job_graph.task_of(node)
        yield PlanChange(
            subject=moved.name,
            before=vertex.id,
            after=moved.id,
            sentence=_lost_names(case, vertex.id),
            severity="warning",
            node=node,
        )


def _lost_names(case: PlanCase, vertex_id: str) -> str:
    # Options of either side: the autoscaler writes its overrides to the running job's.
    old, request = case.old_document.options if case.old_document else {}, case.request
    named = vertex_id in str({**old, **case.document.options, **request.options}.get(OVERRIDES, ""))
    autoscaled = request.upgrade is not None and request.upgrade.new.autoscaled
    lost = "dashboards and alerts that name the old ID lose the task"
    if named:
        return f"Its ID changed. {OVERRIDES} names the old ID, which no task has any more."
    if autoscaled:
        return (
            "Its ID changed. The autoscaler's overrides are stored by task ID: the task "
            f"starts again with the default parallelism, and {lost}."
        )
    return f"Its ID changed. Autoscaler overrides, {lost}."


def _is_elsewhere(change: JobChange) -> bool:
    if change.what in _ELSEWHERE:
        return True
    name = change.what.removeprefix("option ")
    return name != change.what and (name in _SETTINGS or name.startswith(_CLUSTER))


def _describe_change(change: JobChange) -> PlanChange:
    severity: ChangeSeverity = "warning" if change.what in _ATTENTION else "note"
    return PlanChange(
        subject=change.where,
        before=f"{change.what} {change.before}",
        after=f"{change.what} {change.after}",
        sentence=change.means,
        severity=severity,
        node=change.node,
        edge=change.edge,
    )
