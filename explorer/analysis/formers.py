"""Lookup of an ID of the baseline: its operator then, and its operator now.

An error message names the IDs of what was deployed; the program at hand may have none of them.
"""

import msgspec

from explorer.analysis.restore import Restore, RestoredOperator
from explorer.analysis.whatis import Identification, ids_in


class Former(msgspec.Struct, frozen=True, kw_only=True):
    """One ID that the baseline has and the program at hand has not."""

    id: str
    operator: RestoredOperator
    baseline: str
    """Its name."""

    @property
    def sentence(self) -> str:
        """What it was, what it is now, and how it is retained."""
        one = self.operator
        was = f"{self.id} was {one.name!r} in the baseline ({self.baseline})"
        if one.node is None:
            return f"{was}, which this pipeline no longer has."
        if one.rescued:
            return f"{was}; it is now {one.new_id}, and its uid hash finds the state."
        return f"{was}; it is now {one.new_id}; keep it with this uid hash: {self.id}"

    @property
    def has_uid_hash_fix(self) -> bool:
        """Whether a uid hash would find it."""
        return self.operator.node is not None and not self.operator.rescued


def formers(text: str, restore: Restore) -> tuple[Former, ...]:
    """Every ID of the text, or part of one, that is the baseline's alone; in the text's order."""
    gone = [
        Former(id=one.operator_id, operator=one, baseline=restore.old)
        for one in restore.operators
        if one.operator_id is not None and one.change in {"moved", "lost"}
    ]
    return tuple(one for part in ids_in(text) for one in gone if one.id.startswith(part))


def without(answer: Identification, found: tuple[Former, ...]) -> Identification:
    """The answer without its guesses about IDs that the baseline explains."""
    known = {former.id for former in found}
    return msgspec.structs.replace(
        answer,
        positions={id: each for id, each in answer.positions.items() if id not in known},
        unknown=tuple(
            part for part in answer.unknown if not any(id.startswith(part) for id in known)
        ),
    )
