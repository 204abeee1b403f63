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
from explorer.savepoints.key_group_outcomes import RestoredKeys, task_order
from explorer.savepoints.refusals import Refusal
from explorer.savepoints.savepoint import OperatorState, Savepoint

Outcome = Literal["restored", "empty", "lost", "keys_lost", "fails", "refused", "unknown"]
"""Of an operator's state: restored; none saved; no operator has its ID; Flink starts the job, and
keys or all of it start from nothing without an error; a task fails while it restores or runs; Flink
refuses it; the ID of its operator, or of operators of the new program, is unknown."""

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
    max_parallelism: int | None = None
    """Of its task after the restore; None: no operator restores it, or it depends on IDs that are
    not known."""
    surviving_share: float
    """The share of its keys that find their state if the job runs, from 0 to 1."""


class TaskMaximum(msgspec.Struct, frozen=True, kw_only=True):
    """The maximum parallelism with which a task starts after the restore."""

    value: int
    decided_by: str | None
    """The generated ID of the operator of the task with this record, or of one without a record,
    which brings the derived one; None: it is the task's own, since the program sets it or nothing
    of the task was saved."""


class FlinkVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict, and what becomes of every operator's state."""

    flink_version: str
    allow_non_restored: bool
    error: str | None
    """Flink's sentence; None: it restores."""
    exception: str | None
    """The class that Flink throws."""
    operators: tuple[StateOutcome, ...]
    """In the order of the metadata."""
    started_empty: tuple[NodeId, ...]
    """The new program's operators for which the savepoint has nothing."""
    task_maxima: tuple[TaskMaximum | None, ...]
    """Of each job vertex; None: not known, since the IDs of its operators are not."""


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
    savepoint: Savepoint,
    new: Compilation,
    *,
    allow_non_restored: bool = False,
    backend: str | None = None,
) -> FlinkVerdict:
    """The answer of the new program's release when the program is started from the savepoint.

    ``backend``: the state backend that reads the savepoint, ``rocksdb`` or ``hashmap``; None: it is
    not known, and where they differ the worse outcome counts.
    """
    check = _Restoring(savepoint, new, allow=allow_non_restored, backend=backend)
    refused = check.refusal()
    return FlinkVerdict(
        flink_version=new.release.version,
        allow_non_restored=allow_non_restored,
        error=str(refused) if refused else None,
        exception=refused.exception if refused else None,
        operators=tuple(map(check.reported, savepoint.operators)),
        started_empty=tuple(check.started_empty()),
        task_maxima=tuple(check.task_maxima),
    )


class _Restoring:
    """One restore, with the operator of the new program that each ID leads to."""

    def __init__(
        self, savepoint: Savepoint, new: Compilation, *, allow: bool, backend: str | None
    ) -> None:
        self.savepoint, self.new, self.allow, self.backend = savepoint, new, allow, backend
        self.vertices = new.job_graph.vertices
        self.takers: dict[str, _Taker] = {}
        # ``Checkpoints.loadAndValidateCheckpoint`` puts both IDs of each operator into one map,
        # vertex by vertex: of two equal ones the later wins.
        # ``DefaultExecutionGraphFactory.createAndRestoreExecutionGraph`` reads no savepoint without
        # a checkpoint coordinator, which a BATCH job does not have.
        for number, vertex in enumerate(() if new.settings.batch else self.vertices):
            nodes = {operator.operator_id: operator.node for operator in vertex.operators}
            for generated, user_defined in _id_pairs(vertex):
                node = nodes[generated]
                if not is_unknown(generated):
                    self.takers[generated] = _Taker(number, "operator ID", node)
                if user_defined is not None and user_defined != generated:
                    self.takers[user_defined] = _Taker(number, "uid hash", node)
        states = {
            operator_state.operator_id: operator_state for operator_state in savepoint.operators
        }
        self.states = {id: state for id, state in states.items() if id in self.takers}
        # An operator asks for its uid hash where the savepoint has that, and then for nothing else:
        # what was saved under its generated ID is validated, and assigned to no task.
        self.unasked = {
            generated
            for vertex in self.vertices
            for generated, user_defined in _id_pairs(vertex)
            if user_defined != generated and user_defined in self.states
        }

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
        # ``Checkpoints.loadCheckpointMetadata`` asks ``MetadataSerializers.getSerializer`` before
        # anything else is read: no other refusal can come first.
        if version > self.new.release.newest_metadata:
            raise _Refused(refusals.UNKNOWN_VERSION, version=version)

    def _check_operator(self, operator: OperatorState) -> None:
        """``loadAndValidateCheckpoint``: a place for the state, and one of the same key groups."""
        taker = self.takers.get(operator.operator_id)
        if taker is None:
            # ``loadAndValidateCheckpoint`` looks for coordinator state and then at each subtask: an
            # operator that left nothing may go, even without ``allowNonRestoredState``.
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
        if not self._is_restored(vertex):
            return
        self._check_agreement(number, vertex)
        parallelism = self._find_vertex(number).parallelism
        states = self._states_by_id(vertex)
        for id in self._task_order(vertex):
            state = states[id]
            # ``StateAssignmentOperation.checkParallelismPreconditions`` compares with the saved
            # number of key groups: a maximum that the program does not set would yield to it
            # anyway.
            if state is not None and state.max_parallelism < parallelism:
                raise _Refused(
                    refusals.TOO_PARALLEL,
                    task=vertex.id,
                    old=state.max_parallelism,
                    parallelism=parallelism,
                )

    def _is_restored(self, vertex: JobVertex) -> bool:
        """Whether a subtask of one of its operators left something; else its maximum stays."""
        return any(state is not None and state.subtasks for state in self._states_of(vertex))

    def _check_agreement(self, number: int, vertex: JobVertex) -> None:
        """``checkMaxParallelismAgreement`` of FLINK-40113, assumed to count new operators too."""
        states = self._states_of(vertex)
        is_keyed = any(state is not None and "keyed" in state.kinds for state in states)
        if self.new.release.restored_maximum != "equal" or not is_keyed:
            return
        derived = self._find_vertex(number).max_parallelism
        recorded = {derived if state is None else state.max_parallelism for state in states}
        if len(recorded) > 1:
            maxima = ", ".join(map(str, sorted(recorded)))
            raise _Refused(refusals.DIFFERENT_MAXIMA, task=vertex.id, maxima=maxima)

    @cached_property
    def task_maxima(self) -> list[TaskMaximum | None]:
        """The maximum parallelism with which each task starts.

        The record of each operator in turn replaces a derived one.
        """
        return [self._find_maximum(*numbered) for numbered in enumerate(self.vertices)]

    def _find_maximum(self, number: int, vertex: JobVertex) -> TaskMaximum | None:
        task = self._find_vertex(number)
        if not task.max_parallelism_derived or not self._is_restored(vertex):
            return TaskMaximum(value=task.max_parallelism, decided_by=None)
        states = self._states_by_id(vertex)
        values = {
            id: task.max_parallelism if state is None else state.max_parallelism
            for id, state in states.items()
        }
        possible = set(values.values())
        if None in states.values():
            # The record of an operator without a known ID may be that of an unmatched one.
            possible |= self.open_maxima
        is_open = any(map(is_unknown, values)) or (None in states.values() and self.open_maxima)
        if is_open and len(possible) > 1:
            return None
        last = self._task_order(vertex)[-1]
        return TaskMaximum(value=values[last], decided_by=last)

    @cached_property
    def open_maxima(self) -> set[int]:
        """The maxima that are recorded for operators of the savepoint without a known ID."""
        operators = self.savepoint.operators
        return {
            operator.max_parallelism for operator in operators if is_unknown(operator.operator_id)
        }

    def _task_order(self, vertex: JobVertex) -> list[str]:
        """``task_order``; the order of the vertex where it is not known."""
        ids = vertex.operator_ids
        is_open = any(map(is_unknown, ids))
        return list(ids) if is_open else task_order(ids, self.new.release)

    def _states_by_id(self, vertex: JobVertex) -> dict[str, OperatorState | None]:
        """Map each generated ID of the vertex to the state that the operator is given."""
        return dict(zip(vertex.operator_ids, self._states_of(vertex), strict=True))

    def _states_of(self, vertex: JobVertex) -> list[OperatorState | None]:
        """The state of each operator, by its uid hash or else its generated ID; None: no state."""
        return [
            # ``StateAssignmentOperation`` asks for ``OperatorIDPair.getUserDefinedOperatorID``
            # first where the savepoint has it; the other order would find state that Flink leaves
            # alone.
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
        result = set(map(_finished_state, self._states_of(vertex)))
        if len(result) > 1:
            order = [item for item in (_RUNNING, _PARTLY, _FULLY) if item in result]
            raise _Refused(
                refusals.MIXED, name=vertex.name, task=vertex.id, states=", ".join(order)
            )
        return result.pop()

    def reported(self, operator: OperatorState) -> StateOutcome:
        """Return the outcome of one operator's state."""
        taker = self.takers.get(operator.operator_id)
        maximum = self.task_maxima[taker.vertex] if taker else None
        is_open = taker is not None and maximum is None and "keyed" in operator.kinds
        keys = self._restored_keys(operator, taker, maximum.value) if taker and maximum else None
        outcome = "unknown" if is_open else self._outcome(operator, taker, keys)
        return StateOutcome(
            operator_id=operator.operator_id,
            outcome=outcome,
            found_by=taker and taker.found_by,
            node=taker and taker.node,
            max_parallelism=maximum.value if maximum else None,
            surviving_share=self._surviving_share(operator, taker, keys),
        )

    def _surviving_share(
        self, operator: OperatorState, taker: _Taker | None, keys: RestoredKeys | None
    ) -> float:
        if taker is None or self._is_unasked(operator, taker):
            return 0.0
        return 1.0 if keys is None else keys.surviving_share

    def _is_unasked(self, operator: OperatorState, taker: _Taker) -> bool:
        """Whether the operator that has the ID asks for another state, by its uid hash."""
        return taker.found_by == "operator ID" and operator.operator_id in self.unasked

    def _restored_keys(
        self, operator: OperatorState, taker: _Taker, maximum: int
    ) -> RestoredKeys | None:
        """The operator's keyed state; None: it has none."""
        if "keyed" not in operator.kinds:
            return None
        return RestoredKeys(
            written=operator.max_parallelism,
            read=maximum,
            parallelism=(operator.parallelism, self._find_vertex(taker.vertex).parallelism),
            timers=self.new.held_states[taker.node].timers,
        )

    def _outcome(
        self, operator: OperatorState, taker: _Taker | None, keys: RestoredKeys | None
    ) -> Outcome:
        if taker is None:
            gone: Outcome = "unknown" if self._is_open(operator.operator_id) else "lost"
            return gone if operator.has_state else "empty"
        try:
            self._check_operator(operator)
        except _Refused:
            return "refused"
        vertex = self._find_vertex(taker.vertex)
        if operator.subtasks and operator.max_parallelism < vertex.parallelism:
            return "refused"
        if not operator.has_state:
            return "empty"
        if self._is_unasked(operator, taker):
            return "keys_lost"
        return "restored" if keys is None else keys.outcome(self.backend)

    def started_empty(self) -> Iterator[NodeId]:
        """Operators of the new program that find nothing."""
        for vertex in self.vertices:
            states = self._states_by_id(vertex).items()
            empty = {id for id, state in states if state is None and not is_unknown(id)}
            yield from (
                operator.node for operator in vertex.operators if operator.operator_id in empty
            )


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
    owner = {"name": vertex.name, "task": vertex.id}
    for producer, pattern in read:
        if state == _FULLY and producer != _FULLY:
            raise _Refused(refusals.BEHIND_RUNNING, **owner)
        if state == _PARTLY and pattern == "ALL_TO_ALL" and producer != _FULLY:
            word = "all running" if producer == _RUNNING else "partially finished"
            raise _Refused(refusals.BEHIND_ALL_TO_ALL, **owner, state=word)
        if state == _PARTLY and pattern == "POINTWISE" and producer == _RUNNING:
            raise _Refused(refusals.BEHIND_ALL_RUNNING, **owner)
