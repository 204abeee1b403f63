"""Maximum parallelisms that a savepoint may record otherwise than its program shows.

A job that was once rescaled retains the derived maximum of its first start, as
``StateAssignmentOperation`` hands it from savepoint to savepoint; only a savepoint shows it.
"""

from collections.abc import Iterator, Sequence

from explorer.comparison.baseline import CompiledBaseline
from explorer.flink.compiler import Compilation
from explorer.flink.key_groups import DEFAULT_LOWER_BOUND
from explorer.restore.restored import SHOWN, RestoredOperator
from explorer.savepoints import FlinkVerdict
from explorer.wording import counted, first_listed


def assumed_maxima(
    old: CompiledBaseline,
    new: Compilation,
    operators: Sequence[RestoredOperator],
    verdict: FlinkVerdict,
) -> Iterator[str]:
    """Name the operators with an outcome that rests on a maximum that the old program only derives.

    Nothing is assumed of a real savepoint, and nothing where every other record would have the same
    outcome.
    """
    if old.real or old.program is None or verdict.error is not None:
        return
    rule = _Rule(old.program, new, verdict)
    names = [repr(operator.name) for operator in operators if rule.is_assumed(operator)]
    if names:
        yield (
            f"assumed that a savepoint records the maximum parallelism that Flink derives for "
            f"{first_listed(names, SHOWN)}: {counted(len(names), 'operator')} would be read with "
            "another number of key groups, or refused, if the job was started with another "
            "parallelism first; bring the savepoint"
        )


class _Rule:
    """Whether another record of a derived maximum changes what becomes of an operator."""

    def __init__(
        self,
        old: Compilation,
        new: Compilation,
        verdict: FlinkVerdict,
    ) -> None:
        self.old, self.new = old, new
        self.tasks = {vertex.id: at for at, vertex in enumerate(new.job_graph.vertices)}
        self.maxima = verdict.task_maxima
        takers = {operator.node: operator.operator_id for operator in verdict.operators}
        self.old_tasks = {id: old.job_graph.task_of(node) for node, id in old.hashes.items()}
        self.saved_ids = {new.hashes[node]: id for node, id in takers.items() if node is not None}
        """Maps generated IDs of the new program to those under which their records are found."""

    def is_assumed(self, operator: RestoredOperator) -> bool:
        """Whether the operator's record is derived, and another one would change its outcome."""
        id = operator.operator_id
        if operator.taker is None or id is None or not operator.derived[0]:
            return False
        if operator.outcome not in {"restored", "empty"}:
            return False
        task = self.new.job_graph.task_of(operator.taker)
        maximum = self.maxima[self.tasks[task.id]]
        if maximum is None:
            return False
        if maximum.decided_by is None:
            # A maximum that the program sets is compared with the record of every operator.
            return bool(operator.derived[1] is False)
        old_width, new_width = operator.parallelism
        if new_width is not None and new_width > max(old_width or 0, DEFAULT_LOWER_BOUND):
            return True
        decider = self.saved_ids.get(maximum.decided_by)
        is_own = decider is not None and self.old_tasks[decider] is self.old_tasks[id]
        return "keyed" in operator.what and not is_own
