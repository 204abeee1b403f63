"""A savepoint as plain values for a baseline: subtasks are joined, paths of files left out."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from explorer.flink.key_groups import MAX_PARALLELISM
from explorer.savepoints.data_input import SavepointError
from explorer.savepoints.loading import NEWEST, OLDEST
from explorer.savepoints.savepoint import (
    OperatorState,
    Savepoint,
    StateHandle,
    SubtaskState,
    joined,
)

_ID: Final = re.compile(r"[0-9a-f]{32}")


def savepoint_values(savepoint: Savepoint) -> dict[str, Any]:
    """The savepoint with at most one subtask that has state and one that is finished."""
    joined = msgspec.structs.replace(
        savepoint, operators=tuple(map(_join_state, savepoint.operators))
    )
    values: dict[str, Any] = msgspec.to_builtins(joined)
    return values


def savepoint_from_values(values: Mapping[str, Any]) -> Savepoint:
    """The savepoint again; raises ``SavepointError`` where the values spell none."""
    try:
        savepoint = msgspec.convert(values, Savepoint)
    except msgspec.ValidationError as error:
        msg = f"the baseline's savepoint cannot be read: {error}"
        raise SavepointError(msg) from None
    if not OLDEST <= savepoint.version <= NEWEST:
        msg = f"the baseline's savepoint has the version {savepoint.version}, none of Flink's"
        raise SavepointError(msg)
    for operator in savepoint.operators:
        if not _ID.fullmatch(operator.operator_id):
            msg = f"the baseline's savepoint has no operator ID in {operator.operator_id[:40]!r}"
            raise SavepointError(msg)
        if not 0 < operator.parallelism <= MAX_PARALLELISM >= operator.max_parallelism > 0:
            msg = (
                f"the baseline's savepoint gives {operator.operator_id} a parallelism of "
                f"{operator.parallelism:,} of at most {operator.max_parallelism:,}; 1 to "
                f"{MAX_PARALLELISM:,} are allowed"
            )
            raise SavepointError(msg)
    return savepoint


def _join_state(state: OperatorState) -> OperatorState:
    kinds: dict[tuple[str, str], list[StateHandle]] = {}
    for handle in state.handles:
        kinds.setdefault((handle.kind, handle.format), []).append(handle)
    handles = tuple(
        msgspec.structs.replace(joined(state_handles, kind=kind, layout=layout), files=())
        for (kind, layout), state_handles in kinds.items()
    )
    running = [subtask for subtask in state.subtasks if not subtask.finished][:1]
    finished = [subtask for subtask in state.subtasks if subtask.finished][:1]
    subtasks = [SubtaskState(subtask=0, finished=False, handles=handles) for _ in running]
    return msgspec.structs.replace(state, subtasks=(*subtasks, *finished))
