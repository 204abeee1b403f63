"""The SQL part of the plan's section *State*: changes of the query blocks that have state."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from explorer.comparison.sql_changes import SqlChange, sql_plans
from explorer.flink.sql_operators import has_counted_uids, stateful_sql_names
from explorer.flink.table_options import TABLE_OPTIONS
from explorer.plans.plan_case import PlanCase
from explorer.plans.record import PlanChange, notice
from explorer.wording import first_listed, with_full_stop

_RESTORED: Final = frozenset({"restored", "migrated", "unchecked"})
_OTHER: Final = (
    "Flink compares types only: the restored state holds the results of the previous query"
)
_NAMES: Final = 3
_NO_PLAN: Final = (
    "Whether the state belongs to the same query is not checked: one of the captured jobs holds no "
    "optimised plan. A capture holds it for INSERT statements of a SQL script, from Flink 1.15 on."
)
_COUNTED: Final = (
    "The UIDs hold the IDs of ExecNodes (table.exec.uid.generation is ALWAYS), which Flink counts "
    "through all jobs that one JVM plans: on a session cluster or an SQL gateway they differ from "
    "those compared here. A compiled plan fixes them."
)


def sql_changes(case: PlanCase) -> Mapping[str, SqlChange]:
    """Map operator IDs of OLD to the change of the operator's query block."""
    plans = sql_plans(case.old_document, case.document)
    if plans is None or case.old is None or case.restore is None:
        return {}
    nodes = case.old.nodes
    changes = {}
    for operator in case.restore.operators:
        new = operator.node if operator.node is not None else operator.taker
        change = plans.change(nodes.get(operator.operator_id or ""), new)
        if change is not None and operator.operator_id is not None:
            changes[operator.operator_id] = change
    return changes


def sql_rows(case: PlanCase) -> Iterator[PlanChange]:
    """Rows about a SQL job as a whole: uncertainties, and options that differ."""
    yield from _unknown_queries(case)
    yield from _uncertain_uids(case)
    yield from _changed_options(case)


def with_query(row: PlanChange, change: SqlChange | None) -> PlanChange:
    """Add the change of the query block to a state's row.

    A state that Flink restores into another query gets a warning.
    """
    if change is None:
        return row
    sentences = [row.sentence, with_full_stop(change.sentence)]
    if change.moved and row.after not in {"restored", "migrated"}:
        sentences.append(with_full_stop(change.moved_sentence))
    reused = row.after in _RESTORED and change.other_meaning
    if reused:
        sentences.append(f"{_OTHER}.")
    return msgspec.structs.replace(
        row,
        sentence=" ".join(filter(None, sentences)),
        severity="warning" if reused and row.severity == "note" else row.severity,
    )


def _changed_options(case: PlanCase) -> Iterator[PlanChange]:
    """A row for each option of the planner that differs, with what it changes."""
    old = case.old_document
    if old is None or not sql_plans(old, case.document):
        return
    sides = {**old.options, **case.old_options}, {**case.document.options, **case.request.options}
    for key, option in TABLE_OPTIONS.items():
        previous, following = (str(side.get(key, option.default)) for side in sides)
        if previous != following:
            yield PlanChange(
                subject=key,
                before=previous,
                after=following,
                sentence=f"{key} is {following}, which was {previous}: {option.effect}.",
                severity="warning" if option.changes_state else "note",
            )


def _unknown_queries(case: PlanCase) -> Iterator[PlanChange]:
    """A row where states are those of SQL operators and a side holds no optimised plan.

    Up to 1.14 the names of operators hold the query: equal names are equal queries.
    """
    if case.old_program is None or sql_plans(case.old_document, case.document) is not None:
        return
    graphs = case.old_program.stream_graph, case.new.stream_graph
    old, new = map(stateful_sql_names, graphs)
    if new and (old != new or not all("(" in name for name in new)):
        subject = first_listed(new, _NAMES)
        yield notice(_NO_PLAN, "unchecked", subject=subject, after="unchecked")


def _uncertain_uids(case: PlanCase) -> Iterator[PlanChange]:
    """A row where UIDs hold ExecNode IDs and the old side's are those of a capture."""
    real = case.old is None or case.old.real
    if not real and all(map(has_counted_uids, (case.old_document, case.document))):
        yield notice(_COUNTED, "unchecked", after="unchecked")
