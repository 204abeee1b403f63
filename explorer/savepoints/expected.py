"""Expected content of a program's savepoint; mirrors ``PendingCheckpoint``."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from explorer.flink.compiler import Compilation
from explorer.flink.execution_graph import ExecutionJobVertex
from explorer.flink.java_order import hash_order, id_hash_code
from explorer.flink.operator_state import HeldState
from explorer.model.job_graph import JobVertex
from explorer.model.operator_ids import is_unknown, known_id
from explorer.model.stream_graph import NodeId
from explorer.savepoints.savepoint import OperatorState, Savepoint, StateHandle, SubtaskState

PATH: Final = "SAVEPOINT"
"""Placeholder for the savepoint's path in Flink's messages."""
_OPERATOR: Final = StateHandle(kind="operator", format="", bytes=0, files=(), is_relocatable=True)
_KEYED: Final = msgspec.structs.replace(_OPERATOR, kind="keyed")


def expected_savepoint(
    compilation: Compilation, held: Mapping[NodeId, HeldState], *, possible: bool = False
) -> Savepoint:
    """A savepoint of a running program, as far as types show: which states, not how much.

    ``held``: each operator's state. ``possible``: assume state of every function that may have
    some.
    """
    expected = {"known", "possible"} if possible else {"known"}
    stateful = {node for node, state in held.items() if state.certainty in expected}
    sized = {vertex.id: vertex for vertex in compilation.execution_graph.vertices}
    states = {
        state.operator_id: state
        for vertex in compilation.job_graph.vertices[::-1]
        for state in _states(compilation, vertex, sized[vertex.id], held, stateful)
    }
    return Savepoint(
        version=compilation.release.newest_metadata,
        checkpoint_id=0,
        operators=tuple(states[id] for id in _in_flinks_order(states)),
        master_states=(),
        path=PATH,
    )


def _states(
    compilation: Compilation,
    vertex: JobVertex,
    sized: ExecutionJobVertex,
    held: Mapping[NodeId, HeldState],
    stateful: set[NodeId],
) -> Iterator[OperatorState]:
    """Report no operator of a stateless task, else all of them."""
    node_of = {operator.operator_id: operator.node for operator in vertex.operators}
    # ``PendingCheckpoint.acknowledgeTask`` makes an ``OperatorState`` for each operator of a task
    # that reports state, and for none of a task that reports nothing.
    reports = any(node in stateful for node in node_of.values())
    for id in vertex.operator_ids:
        node = compilation.stream_graph.by_id[node_of[id]]
        handles = _handles(held[node.id]) if node.id in stateful else ()
        coordinated = node.id in stateful and held[node.id].coordinator
        yield OperatorState(
            operator_id=id,
            name=node.name,
            uid=node.uid,
            parallelism=sized.parallelism,
            max_parallelism=sized.max_parallelism,
            coordinator_bytes=0 if coordinated else None,
            fully_finished=False,
            # One stands for all: a verdict asks whether there is any, and there may be thousands.
            subtasks=(SubtaskState(subtask=0, finished=False, handles=handles),) * reports,
        )


def _handles(held_state: HeldState) -> tuple[StateHandle, ...]:
    return (_KEYED,) if "keyed" in held_state.what else (_OPERATOR,)


def _in_flinks_order(states: Mapping[str, OperatorState]) -> list[str]:
    """Return the IDs in the order of ``operatorStates``, a ``HashMap`` by ``OperatorID``.

    Coordinators answer before the first barrier leaves the sources, so theirs are put in first;
    of one bucket the earlier one comes first. Unknown IDs come last.
    """
    answered = sorted(filter(known_id, states), key=lambda id: states[id].coordinator_bytes is None)
    codes: dict[int, list[str]] = {}
    for id in answered:
        codes.setdefault(id_hash_code(id), []).append(id)
    known = [id for code in hash_order(codes) for id in codes[code]]
    return [*known, *filter(is_unknown, states)]
