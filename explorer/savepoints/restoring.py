"""Flink's verdict on the restore of a program from a savepoint, in its own words.

Mirrors, in their order, ``Checkpoints.loadAndValidateCheckpoint``, ``VertexFinishedStateChecker``
and the preconditions of ``StateAssignmentOperation``. Only the first refusal is Flink's answer;
what becomes of each operator's state is listed as well.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

import msgspec

from explorer.flink.compiler import Compilation
from explorer.flink.execution_graph import ExecutionJobVertex
from explorer.model.job_graph import JobVertex
from explorer.model.operator_ids import is_unknown
from explorer.model.stream_graph import NodeId
from explorer.savepoints import refusals
from explorer.savepoints.refusals import Refusal
from explorer.savepoints.savepoint import OperatorState, Savepoint

Outcome = Literal["restored", "empty", "lost", "refused", "unknown"]
"""Of an operator's state: restored; none saved; no operator has its ID; Flink refuses it; the ID
of its operator, or of operators of the new program, is unknown."""

FoundBy = Literal["operator ID", "uid hash"]

_RUNNING, _PARTLY, _FULLY = "ALL_RUNNING", "PARTIALLY_FINISHED", "FULLY_FINISHED"


class StateOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one operator's state."""

    operator_id: str
    outcome: Outcome
    found_by: FoundBy | None
    """Under which of its IDs the new program has it; None: under none."""
    node: NodeId | None
    """The new program's operator that restores it."""


class FlinkVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict, and what becomes of every operator's state."""

    flink: str
    allow_non_restored: bool
    error: str | None
    """Flink's sentence; None: it restores."""
    exception: str | None
    """The class that Flink throws."""
    operators: tuple[StateOutcome, ...]
    """In the order of the metadata."""
    started_empty: tuple[NodeId, ...]
    """The new program's operators for which the savepoint has nothing."""


class _Taker(NamedTuple):
    """An operator of the new program that restores the state of an ID."""

    vertex: int
    """Position in ``JobGraph.vertices``."""
    found_by: FoundBy
    node: NodeId


class _Refused(Exception):  # noqa: N818 - it is no error of ours
    def __init__(self, refusal: Refusal, **values: object) -> None:
        self.exception = refusal.exception
        super().__init__(refusal.text.format(**values))


def flink_verdict(
    savepoint: Savepoint, new: Compilation, *, allow_non_restored: bool = False
) -> FlinkVerdict:
    """The answer of the new program's release when the program is started from the savepoint."""
    check = _Restoring(savepoint, new, allow=allow_non_restored)
    refused = check.refusal()
    return FlinkVerdict(
        flink=new.release.version,
        allow_non_restored=allow_non_restored,
        error=str(refused) if refused else None,
        exception=refused.exception if refused else None,
        operators=tuple(map(check.reported, savepoint.operators)),
        started_empty=tuple(check.started_empty()),
    )


class _Restoring:
    """One restore, with the operator of the new program that each ID leads to."""

    def __init__(self, savepoint: Savepoint, new: Compilation, *, allow: bool) -> None:
        self.savepoint, self.new, self.allow = savepoint, new, allow
        self.vertices = new.job_graph.vertices
        self.takers: dict[str, _Taker] = {}
        # Both IDs of each operator lead to its vertex; of two equal ones the later wins.
        # A BATCH job has no checkpoint coordinator that reads the savepoint.
        for number, vertex in enumerate(() if new.settings.batch else self.vertices):
            nodes = {operator.operator_id: operator.node for operator in vertex.operators}
            for generated, user_defined in _id_pairs(vertex):
                node = nodes[generated]
                if not is_unknown(generated):
                    self.takers[generated] = _Taker(number, "operator ID", node)
                if user_defined is not None and user_defined != generated:
                    self.takers[user_defined] = _Taker(number, "uid hash", node)
        states = {one.operator_id: one for one in savepoint.operators}
        self.states = {id: state for id, state in states.items() if id in self.takers}

    def refusal(self) -> _Refused | None:
        """The first of Flink's checks that fails; a BATCH job has none."""
        if self.new.settings.batch:
            return None
        try:
            self._check_version()
            for operator in self.savepoint.operators:
                self._check_operator(operator)
            self._check_finished()
            for number, vertex in enumerate(self.vertices):
                self._check_parallelism(number, vertex)
        except _Refused as refused:
            return refused
        return None

    def _check_version(self) -> None:
        version = self.savepoint.version
        if version > self.new.release.newest_metadata:
            raise _Refused(refusals.UNKNOWN_VERSION, version=version)

    def _check_operator(self, operator: OperatorState) -> None:
        """``loadAndValidateCheckpoint``: a place for the state, and one of the same key groups."""
        taker = self.takers.get(operator.operator_id)
        if taker is None:
            if operator.has_state and not self.allow and not self._is_open(operator.operator_id):
                path = self.savepoint.path or "_metadata"
                raise _Refused(refusals.NO_OPERATOR, path=path, id=operator.operator_id)
            return
        vertex = self._find_vertex(taker.vertex)
        if (
            operator.max_parallelism != vertex.max_parallelism
            and not vertex.max_parallelism_derived
        ):
            # A maximum that the program does not set yields to the savepoint's.
            raise _Refused(
                refusals.OTHER_MAXIMUM,
                id=operator.operator_id,
                old=operator.max_parallelism,
                new=vertex.max_parallelism,
            )

    def _is_open(self, id: str) -> bool:
        """Return whether an unknown ID of the new program may be this one."""
        return is_unknown(id) or self._has_open_ids

    @cached_property
    def _has_open_ids(self) -> bool:
        return any(map(is_unknown, self.new.hashes.values()))

    def _find_vertex(self, number: int) -> ExecutionJobVertex:
        return self.new.execution_graph.vertices[number]

    def _check_parallelism(self, number: int, vertex: JobVertex) -> None:
        """``StateAssignmentOperation``: it asks vertices for which a subtask left something."""
        states = [state for state in self._states_of(vertex) if state is not None]
        if not any(state.subtasks for state in states):
            return
        parallelism = self._find_vertex(number).parallelism
        for state in states:
            if state.max_parallelism < parallelism:
                raise _Refused(
                    refusals.TOO_PARALLEL,
                    task=vertex.id,
                    old=state.max_parallelism,
                    parallelism=parallelism,
                )

    def _states_of(self, vertex: JobVertex) -> list[OperatorState | None]:
        """The state of each operator, by its uid hash or else its generated ID; None: no state."""
        return [
            self.states.get(user_defined or "") or self.states.get(generated)
            for generated, user_defined in _id_pairs(vertex)
        ]

    def _check_finished(self) -> None:
        """``VertexFinishedStateChecker``; Flink asks vertices in the order of a hash set."""
        if not self.new.release.checks_finished_operators:
            return
        state = [self._describe_finished(vertex) for vertex in self.vertices]
        place = {vertex.id: number for number, vertex in enumerate(self.vertices)}
        read: dict[str, list[tuple[str, str]]] = {vertex.id: [] for vertex in self.vertices}
        for edge in self.new.job_graph.edges:
            read[edge.target].append((state[place[edge.source]], edge.distribution_pattern))
        for number, vertex in enumerate(self.vertices):
            if state[number] != _RUNNING:
                _check_predecessors(vertex, state[number], read[vertex.id])

    def _describe_finished(self, vertex: JobVertex) -> str:
        found = set(map(_finished_state, self._states_of(vertex)))
        if len(found) > 1:
            order = [one for one in (_RUNNING, _PARTLY, _FULLY) if one in found]
            raise _Refused(
                refusals.MIXED, name=vertex.name, task=vertex.id, states=", ".join(order)
            )
        return found.pop()

    def reported(self, operator: OperatorState) -> StateOutcome:
        """Return the outcome of one operator's state."""
        taker = self.takers.get(operator.operator_id)
        return StateOutcome(
            operator_id=operator.operator_id,
            outcome=self._outcome(operator, taker and self._find_vertex(taker.vertex)),
            found_by=taker and taker.found_by,
            node=taker and taker.node,
        )

    def _outcome(self, operator: OperatorState, vertex: ExecutionJobVertex | None) -> Outcome:
        if vertex is None:
            gone: Outcome = "unknown" if self._is_open(operator.operator_id) else "lost"
            return gone if operator.has_state else "empty"
        try:
            self._check_operator(operator)
        except _Refused:
            return "refused"
        if operator.subtasks and operator.max_parallelism < vertex.parallelism:
            return "refused"
        return "restored" if operator.has_state else "empty"

    def started_empty(self) -> Iterator[NodeId]:
        """Operators of the new program that find nothing."""
        for vertex in self.vertices:
            states = zip(vertex.operator_ids, self._states_of(vertex), strict=True)
            empty = {id for id, state in states if state is None and not is_unknown(id)}
            yield from (one.node for one in vertex.operators if one.operator_id in empty)


def _id_pairs(vertex: JobVertex) -> Iterator[tuple[str, str | None]]:
    """``OperatorIDPair``: of each operator the generated ID, and the one that the user gave."""
    return zip(vertex.operator_ids, vertex.user_defined_operator_ids, strict=True)


def _finished_state(state: OperatorState | None) -> str:
    if state is None:
        return _RUNNING
    if state.fully_finished:
        return _FULLY
    return _PARTLY if any(subtask.finished for subtask in state.subtasks) else _RUNNING


def _check_predecessors(vertex: JobVertex, state: str, read: list[tuple[str, str]]) -> None:
    """``read``: of each input, its producer's finished state and its distribution pattern."""
    who = {"name": vertex.name, "task": vertex.id}
    for producer, pattern in read:
        if state == _FULLY and producer != _FULLY:
            raise _Refused(refusals.BEHIND_RUNNING, **who)
        if state == _PARTLY and pattern == "ALL_TO_ALL" and producer != _FULLY:
            word = "all running" if producer == _RUNNING else "partially finished"
            raise _Refused(refusals.BEHIND_ALL_TO_ALL, **who, state=word)
        if state == _PARTLY and pattern == "POINTWISE" and producer == _RUNNING:
            raise _Refused(refusals.BEHIND_ALL_RUNNING, **who)
