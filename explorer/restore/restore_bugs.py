"""Which bugs of Flink's restores can strike a restore, by the version that restores it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from explorer.flink.partitioners import CUSTOM
from explorer.flink.sql_operators import is_planned_name
from explorer.flink.upgrades.restore_bugs import BUGS_BY_ISSUE
from explorer.model.job_graph import JobEdge
from explorer.restore.restore_case import RestoreCase
from explorer.restore.restored import Restriction


def restore_bugs(case: RestoreCase) -> Iterator[Restriction]:
    """Yield the bugs that the version which restores may have and that the restore may meet.

    A bug of which another restriction decides (FLINK-39513, FLINK-40113) is not among them.
    """
    version = case.new.version or case.new.release.version
    for issue, strikes in _STRIKES.items():
        bug = BUGS_BY_ISSUE[issue]
        if bug.level(version) != "fixed" and strikes(case):
            yield Restriction(weight="unchecked", sentence=bug.sentence(version).removesuffix("."))
    if case.old.version is not None and _of_a_claiming_job(case):
        bug = BUGS_BY_ISSUE["FLINK-39964"]
        if bug.level(case.old.version) != "fixed":
            sentence = f"If OLD itself {_CLAIMED}: {bug.sentence(case.old.version)}"
            yield Restriction(weight="note", sentence=sentence)


_CLAIMED: Final = "was started with the claim mode CLAIM"


def _scales_down(case: RestoreCase) -> bool:
    return any(
        _width(operator.parallelism, 1) < _width(operator.parallelism, 0)
        for operator in case.rescaled
    )


def _width(parallelism: tuple[int | None, int | None], side: int) -> int:
    return parallelism[side] or 0


def _edges(case: RestoreCase) -> Iterator[tuple[JobEdge, ...]]:
    """Yield the inputs, then the outputs, of each task with rescaled records in flight."""
    job = case.new.job_graph
    for operator in case.rescaled:
        if operator.node is not None:
            task = job.task_of(operator.node).id
            yield tuple(edge for edge in job.edges if edge.target == task)
            yield tuple(edge for edge in job.edges if edge.source == task)


def _has_custom_edges(case: RestoreCase) -> bool:
    return any(edge.partitioner_class == CUSTOM for edges in _edges(case) for edge in edges)


def _has_both_patterns(case: RestoreCase) -> bool:
    """Whether a task has point-wise edges and others on one side."""
    patterns = ({edge.distribution_pattern for edge in edges} for edges in _edges(case))
    return any(len(kinds) > 1 for kinds in patterns)


def _has_parallel_edges(case: RestoreCase) -> bool:
    ends = ([(edge.source, edge.target) for edge in edges] for edges in _edges(case))
    return any(len(pairs) > len(set(pairs)) for pairs in ends)


def _claims(case: RestoreCase) -> bool:
    """Whether a native savepoint of RocksDB is claimed; a checkpoint shares files with others."""
    savepoint = case.new.job_graph.savepoint
    claims = savepoint is not None and savepoint.claim_mode == "CLAIM"
    return claims and case.layouts == {"incremental"} and case.old.savepoint.self_contained


def _of_a_claiming_job(case: RestoreCase) -> bool:
    """Whether the state may be a checkpoint of a job that claimed a savepoint."""
    return "incremental" in case.layouts and not case.old.savepoint.self_contained


def _mini_batches(case: RestoreCase) -> bool:
    names = [node.name for node in case.new.stream_graph.nodes]
    return any(name.startswith("MiniBatchAssigner") for name in names) and any(
        is_planned_name(name) and "GroupAggregate" in name.partition("(")[0] for name in names
    )


_STRIKES: Final[Mapping[str, Callable[[RestoreCase], bool]]] = {
    "FLINK-31963": _scales_down,
    "FLINK-35351": _has_custom_edges,
    "FLINK-35661": _mini_batches,
    "FLINK-38267": _has_both_patterns,
    "FLINK-38483": lambda case: bool(case.rescaled),
    "FLINK-39964": _claims,
    "FLINK-40269": _has_parallel_edges,
}
"""By issue, whether a restore meets the conditions of the bug."""
