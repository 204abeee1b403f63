"""How many records does Flink copy between operators of a task? As many as pass its outputs.

Mirrors ``CopyingChainingOutput.pushToOperator``, which copies each record's value with the type's
serializer. A trial copies none of them: its operators share columns that nobody changes.
"""

import msgspec

from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.flink.task_chain import task_chain
from explorer.trial.trial_report import TrialReport
from explorer.wording import counted


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """Records that passed from an operator to the next of its task."""

    vertex: str
    source: str
    target: str
    class_name: str
    records: int
    copied: bool
    """Whether Flink copies each of them."""


def passed(done: Compilation, report: TrialReport) -> tuple[Passed, ...]:
    """By chained output, in the order of the tasks' operators, the records that passed it."""
    figures = {one.node: one for one in report.operators}
    found = []
    for vertex in done.job_graph.vertices:
        try:
            task = task_chain(done, vertex.id)
        except ExplorerError:  # An end of an iteration hands nothing on.
            continue
        names = {one.node: one.name for one in task.operators}
        found += [
            Passed(
                vertex=task.vertex,
                source=one.name,
                target=names[leaf.operator],
                class_name=leaf.class_name,
                # A chained operator has one input; a head that chained sources feed has others.
                records=figures[one.node].records_out
                if one.chained_source
                else figures[leaf.operator].records_in,
                copied=leaf.copies,
            )
            for one in task.operators
            for leaf in one.output.leaves()
            if leaf.operator is not None
        ]
    return tuple(found)


def copies_sentence(every: tuple[Passed, ...]) -> str:
    """What object reuse costs or saves here; empty where no operator calls another."""
    records = sum(one.records for one in every)
    if not every:
        return ""
    if every[0].copied:
        return (
            f"{counted(records, 'record')} would be copied between operators of a task; with "
            "pipeline.object-reuse none would"
        )
    return (
        f"{counted(records, 'record')} would be handed on between operators of a task as the same "
        "object; without pipeline.object-reuse each would be copied"
    )
