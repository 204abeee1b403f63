"""One restore, as far as the rules that IDs do not show read it."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec

from explorer.comparison.baseline import CompiledBaseline
from explorer.flink.compiler import Compilation
from explorer.model.document import Document
from explorer.restore.restored import RestoredOperator
from explorer.restore.state_backends import CHECKPOINT_FORMATS, has_changelog, named_backend
from explorer.savepoints import FlinkVerdict, OperatorState, Savepoint
from explorer.savepoints.savepoint import IN_FLIGHT


class RestoreCase(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One restore, as far as it is judged operator by operator."""

    old: CompiledBaseline
    document: Document
    """The new program."""
    new: Compilation
    operators: Sequence[RestoredOperator]
    options: Mapping[str, object]
    """Of the new program and its cluster."""
    verdict: FlinkVerdict
    """The job manager's."""
    unchanged: bool
    """Whether program, release and options are identical, so that nothing need be assumed."""

    @property
    def layouts(self) -> frozenset[str]:
        """The formats of the keyed state, where they are known."""
        if self.old.real:
            return frozenset(self.saved.format.split(" and "))
        is_keyed = any("keyed" in state.what for state in self.old.held.values())
        if self.old.origin == "savepoint" or not is_keyed:
            return frozenset()
        if has_changelog(self.old.options):
            return frozenset({"changelog"})
        layout = CHECKPOINT_FORMATS.get(self.old_backend or "")
        return frozenset() if layout is None else frozenset({layout})

    @property
    def backend(self) -> str | None:
        """The state backend that the new program sets; None: the cluster's configuration does."""
        return named_backend(self.options)

    @property
    def old_backend(self) -> str | None:
        """The state backend that wrote the state, as far as OLD's options name it."""
        return named_backend(self.old.options)

    @property
    def saved(self) -> Savepoint:
        """The savepoint that is restored."""
        return self.old.savepoint

    @cached_property
    def in_flight(self) -> list[tuple[OperatorState, RestoredOperator]]:
        """Saved operators with records in flight, each with its restore."""
        reported = {operator.operator_id: operator for operator in self.operators}
        return [
            (saved, reported[saved.operator_id])
            for saved in self.saved.operators
            if not IN_FLIGHT.isdisjoint(saved.kinds)
        ]

    @property
    def rescaled(self) -> list[RestoredOperator]:
        """Operators with records in flight and another parallelism."""
        return [
            operator
            for _, operator in self.in_flight
            if None not in operator.parallelism
            and operator.parallelism[0] != operator.parallelism[1]
        ]
