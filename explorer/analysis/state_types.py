"""Verdicts on serializers: whether each operator of the new program can read its state.

A judge compares what one side left with what the other side declares. ``JUDGES`` lists them; the
first judge that knows an operator's states decides on it.
"""

from typing import Final

from explorer.analysis.declared_states import judge_documents
from explorer.analysis.serializer_verdicts import judge_serializers
from explorer.analysis.state_cases import Judge, StateCase
from explorer.model.coverage import StateVerdict

JUDGES: Final[tuple[Judge, ...]] = (judge_documents, judge_serializers)
"""The most reliable first; the first one does not apply to a savepoint."""


def state_verdicts(case: StateCase) -> dict[str, tuple[StateVerdict, ...]]:
    """The verdicts of the first judge that knows each operator; others are left out."""
    found: dict[str, tuple[StateVerdict, ...]] = {}
    for judge in JUDGES:
        found = {**judge(case), **found}
    return found
