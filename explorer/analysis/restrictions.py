"""What else stands in the way of a restore, or is to be known of it? By release and by format.

Mirrors what ``StateAssignmentOperation``, ``TaskStateAssignment`` and ``SubtaskStateMapper`` throw
for records in flight, and what a format of state promises. A row each.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from explorer.analysis.baseline import Deployed
from explorer.analysis.restore import Restore, RestoredOperator
from explorer.flink.compiler import Compilation
from explorer.savepoints import OperatorState, Savepoint

_IN_FLIGHT: Final = ("input channel", "result subpartition")
_NOT_CANONICAL: Final = ("native", "incremental", "changelog")


class _Asked(NamedTuple):
    old: Deployed
    new: Compilation
    restore: Restore

    @property
    def saved(self) -> Savepoint:
        return self.old.savepoint

    @property
    def in_flight(self) -> list[tuple[OperatorState, RestoredOperator]]:
        """Operators that left records in flight, and what becomes of them."""
        told = {one.operator_id: one for one in self.restore.operators}
        return [
            (one, told[one.operator_id])
            for one in self.saved.operators
            if not set(_IN_FLIGHT).isdisjoint(one.kinds)
        ]

    @property
    def rescaled(self) -> list[RestoredOperator]:
        return [
            one
            for _, one in self.in_flight
            if None not in one.parallelism and one.parallelism[0] != one.parallelism[1]
        ]


def restrictions(old: Deployed, new: Compilation, restore: Restore) -> tuple[str, ...]:
    """A sentence for each that holds, refusals first."""
    asked = _Asked(old, new, restore)
    return tuple(sentence for row in _ROWS for sentence in row(asked))


def _no_rescaling(asked: _Asked) -> Iterator[str]:
    if not asked.new.release.rescales_in_flight:
        for one in asked.rescaled:
            widths = f"old: {one.parallelism[0]}, new: {one.parallelism[1]}"
            yield (
                f"{one.name!r} left records in flight, and Flink {asked.new.release.version} does "
                f"not distribute them anew: rescaling not supported for its state ({widths})"
            )


def _chained_now(asked: _Asked) -> Iterator[str]:
    """``checkStateMappingCompleteness``: a record in flight needs its channel."""
    heads = {vertex.head for vertex in asked.new.job_graph.vertices}
    for saved, one in asked.in_flight:
        if "input channel" in saved.kinds and one.node is not None and one.node not in heads:
            yield (
                f"{one.name!r} has records in flight and is chained to its input now: Cannot "
                "recover from unaligned checkpoint when topology changes, such that data exchanges "
                "with persisted data are now chained"
            )


def _pointwise(asked: _Asked) -> Iterator[str]:
    if not asked.new.release.rescales_in_flight:
        return
    job = asked.new.job_graph
    ends = {
        end
        for edge in job.edges
        if edge.distribution_pattern == "POINTWISE"
        for end in (edge.source, edge.target)
    }
    for one in asked.rescaled:
        if one.node is not None and job.task_of(one.node).id in ends:
            yield (
                f"{one.name!r} has records in flight on a point-wise exchange, and another "
                "parallelism: Cannot rescale the given pointwise partitioner. Did you change the "
                "partitioner to forward or rescale?"
            )


def _other_files(asked: _Asked) -> Iterator[str]:
    if asked.old.real and not asked.saved.self_contained:
        claim = (
            "keep them until the first full checkpoint of the new job, or hand them over with the "
            "claim mode CLAIM"
            if asked.new.release.claim_modes
            else "keep them for as long as the new job and its checkpoints live"
        )
        yield f"It names files of earlier checkpoints by absolute paths: {claim}."


def _backend(asked: _Asked) -> Iterator[str]:
    formats = [name for name in _NOT_CANONICAL if name in asked.saved.format]
    if asked.old.real and formats:
        yield (
            f"Its keyed state is {' and '.join(formats)}: the state backend must stay the same, "
            "and another minor release need not read it; a canonical savepoint is free of both."
        )


def _unaligned_program(asked: _Asked) -> Iterator[str]:
    """A document has no checkpoint; its settings tell what one would hold."""
    program = asked.old.program
    if program is not None and not asked.old.real and program.settings.checkpointing.unaligned:
        yield (
            "The deployed job takes unaligned checkpoints, which hold records in flight: restore "
            "from a savepoint, which has none, where chains, partitioners or operators change."
        )


_ROWS: Final[tuple[Callable[[_Asked], Iterator[str]], ...]] = (
    _no_rescaling,
    _chained_now,
    _pointwise,
    _other_files,
    _backend,
    _unaligned_program,
)
