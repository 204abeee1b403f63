"""Tags records with their input: the maps that Flink puts before a join over windows.

Mirrors ``CoGroupedStreams.Input1Tagger`` and ``Input2Tagger``.
"""

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from explorer.engine.rows.batch import Batch
from explorer.engine.steps.planned import Arriving, Outcome, distinct_types, each
from explorer.engine.steps.step import Emitted, Step, Traits
from explorer.engine.steps.step_work import Emission, StatelessStep


class Tag(StatelessStep, Step, frozen=True, kw_only=True):
    """Pass every record on with another tag: the number of its input, or 0 for none."""

    verb: ClassVar = "tags it"
    traits = Traits(order_sensitive=False, emits_each=True)
    tag: int

    def process(self, operator: str, batch: Batch) -> list[Emission]:
        return [(None, batch.with_row_type(batch.row_type.tagged(self.tag)))]

    def explain_emission(self, emitted: Emitted) -> str:
        if self.tag:
            return f"It marks the row as one of input {self.tag}: a byte more before it."
        return "It removes the row's mark of its input."


def tag_rows(tag: int, arriving: Sequence[Arriving]) -> Outcome:
    """Plan the operator that tags all rows with the input ``tag`` of a join over windows."""
    outcome = each(arriving, [Tag(tag=tag) for _ in arriving])
    types = distinct_types([item.row_type.tagged(tag) for item in arriving])
    return msgspec.structs.replace(outcome, main=types)
