"""Lookup of an ID of the baseline: its operator there, and the same operator in the program.

An error message names IDs of the deployed program, which the current program may not have.
"""

import msgspec

from explorer.lookup.whatis import Identification, ids_in
from explorer.restore.verdict import RestoredOperator, RestoreVerdict


class FormerOperator(msgspec.Struct, frozen=True, kw_only=True):
    """An ID of the baseline that the current program does not have."""

    id: str
    operator: RestoredOperator
    baseline: str

    @property
    def sentence(self) -> str:
        """Describe the operator in the baseline, its new ID, and how to keep its state."""
        restored_operator = self.operator
        was = f"{self.id} was {restored_operator.name!r} in the baseline ({self.baseline})"
        if restored_operator.node is None:
            return f"{was}, which this pipeline no longer has."
        if restored_operator.rescued:
            return f"{was}; it is now {restored_operator.new_id}, and its uid hash finds the state."
        return f"{was}; it is now {restored_operator.new_id}; keep it with this uid hash: {self.id}"


def find_former_ids(text: str, restore: RestoreVerdict) -> tuple[FormerOperator, ...]:
    """Find the IDs of the text, or parts of IDs, that only the baseline has; in its order."""
    gone = [
        FormerOperator(id=operator.operator_id, operator=operator, baseline=restore.old)
        for operator in restore.operators
        if operator.operator_id is not None and operator.change in {"moved", "lost"}
    ]
    return tuple(former for part in ids_in(text) for former in gone if former.id.startswith(part))


def drop_explained_ids(
    answer: Identification, formers: tuple[FormerOperator, ...]
) -> Identification:
    """Remove the answer's guesses about IDs that the baseline explains."""
    ids = {former.id for former in formers}
    return msgspec.structs.replace(
        answer,
        positions={id: positions for id, positions in answer.positions.items() if id not in ids},
        unknown=tuple(
            part for part in answer.unknown if not any(id.startswith(part) for id in ids)
        ),
    )
