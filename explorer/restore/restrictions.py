"""Restrictions of a restore that IDs and parallelism do not show, by release and state format.

Mirrors the exceptions of ``StateAssignmentOperation``, ``TaskStateAssignment`` and
``SubtaskStateMapper`` for records in flight, those of a task that reads them, and the guarantees of
state formats. Each rule is a row; ``tests/golden/checkpoint_restores.jsonl.gz`` has the results of
clusters.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from explorer.comparison.sql_changes import sql_plans
from explorer.flink.compiler import Compilation
from explorer.flink.partitioners import BROADCAST, GLOBAL, KEYED
from explorer.flink.releases import VERSIONS
from explorer.flink.upgrades.event_patterns import RestoredMatches
from explorer.flink.upgrades.window_kinds import OpenWindows
from explorer.model.coverage import Weight
from explorer.model.job_graph import JobEdge
from explorer.restore.assumed_maxima import assumed_maxima
from explorer.restore.restore_bugs import restore_bugs
from explorer.restore.restore_case import RestoreCase
from explorer.restore.restored import RestoredOperator, Restriction, in_order
from explorer.restore.state_backends import has_changelog
from explorer.savepoints import OperatorState
from explorer.wording import listed

NO_CHECKPOINTS: Final = (
    "The deployed job is a BATCH job, which takes no checkpoints and no savepoints: there is no "
    "state to restore."
)
_NATIVE_VERSION: Final = 4
_FIRST_TESTED: Final = VERSIONS.index("1.20")
_LAST_TESTED: Final = VERSIONS.index("2.2")


def restrictions(case: RestoreCase) -> tuple[Restriction, ...]:
    """Return every restriction that holds: refusals, then unchecked ones, then notes."""
    rows = (
        Restriction(weight=weight, sentence=sentence)
        for weight, row in _ROWS
        if weight != "unchecked" or not case.unchanged
        for sentence in row(case)
    )
    return in_order((*rows, *restore_bugs(case)))


def _no_rescaling(case: RestoreCase) -> Iterator[str]:
    if not case.new.release.rescales_in_flight:
        for operator in case.rescaled:
            widths = f"old: {operator.parallelism[0]}, new: {operator.parallelism[1]}"
            yield (
                f"{operator.name!r} left records in flight, and Flink {case.new.release.version} "
                f"does not distribute them anew: rescaling not supported for its state ({widths})"
            )


def _chained_now(case: RestoreCase) -> Iterator[str]:
    """``TaskStateAssignment`` assigns channel state to the ends of a task's chain alone."""
    heads = {vertex.head for vertex in case.new.job_graph.vertices}
    for saved, operator in case.in_flight:
        if (
            "input channel" in saved.kinds
            and operator.node is not None
            and operator.node not in heads
        ):
            yield (
                f"{operator.name!r} has records in flight and is chained to its input now: they "
                "are lost without an error. Take a savepoint instead, or keep the exchange "
                "unchained"
            )


def _other_record_type(case: RestoreCase, *, with_types: bool) -> Iterator[str]:
    """Records in flight are read with the new serializer of their exchange.

    ``with_types``: the exchanges of which both programs show the type, else the others.
    """
    for saved, operator in case.in_flight:
        old_types, new_types = _exchanged_types(case, saved, operator)
        if with_types and old_types and new_types and old_types != new_types:
            yield (
                f"{operator.name!r} has records in flight of {listed(old_types)}, which are read "
                f"as {listed(new_types)} now: tasks fail, as with IndexOutOfBoundsException or "
                "'Corrupt stream'. Take a savepoint instead"
            )
        elif not with_types and operator.node is not None and not (old_types and new_types):
            yield (
                f"{operator.name!r} has records in flight: assumed that their type is the same as "
                "before, else the restore fails, as with IndexOutOfBoundsException"
            )


def _exchanged_types(
    case: RestoreCase, saved: OperatorState, operator: RestoredOperator
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the types of the records in an operator's channels, old and new; empty: not known."""
    nodes = (case.old.program, case.old.nodes.get(saved.operator_id)), (case.new, operator.node)
    result = []
    for program, node in nodes:
        facts = program.stream_graph.by_id[node].operator if program and node else None
        written = (facts.output_type,) if facts and facts.output_type else ()
        read = facts.input_types if facts else ()
        result.append(read if "input channel" in saved.kinds else written)
    return result[0], result[1]


def _inputs(case: RestoreCase) -> Iterator[tuple[RestoredOperator, JobEdge]]:
    """Pair each operator with saved records in its input channels with its new task's inputs."""
    job = case.new.job_graph
    for saved, operator in case.in_flight:
        if "input channel" in saved.kinds and operator.node is not None:
            vertex = job.task_of(operator.node)
            yield from ((operator, edge) for edge in job.edges if edge.target == vertex.id)


def _cannot_rescale(case: RestoreCase) -> Iterator[str]:
    """``SubtaskStateMapper.UNSUPPORTED``: of FORWARD, RESCALE and BROADCAST."""
    if not case.new.release.rescales_in_flight:
        return
    job = case.new.job_graph
    rescaled = {item.operator_id for item in case.rescaled}
    for saved, operator in case.in_flight:
        if operator.operator_id not in rescaled or operator.node is None:
            continue
        task = job.task_of(operator.node).id
        ends = {
            "input channel": [edge for edge in job.edges if edge.target == task],
            "result subpartition": [edge for edge in job.edges if edge.source == task],
        }
        if any(
            edge.distribution_pattern == "POINTWISE" or edge.partitioner_class == BROADCAST
            for kind in saved.kinds
            for edge in ends.get(kind, ())
        ):
            yield (
                f"{operator.name!r} has records in flight on a point-wise or broadcast exchange, "
                "and another parallelism: Cannot rescale the given pointwise partitioner. Did you "
                "change the partitioner to forward or rescale?"
            )


def _pointwise_now(case: RestoreCase, *, from_global: bool) -> Iterator[str]:
    """Find inputs with records in flight that are point-wise now and have fewer channels.

    Records in flight never lie on a point-wise exchange; all records of GLOBAL lie in the channels
    to the first subtask. ``from_global``: the inputs with records of GLOBAL, else the others.
    """
    for operator, edge in _inputs(case):
        widths = {*operator.parallelism}
        is_global = _strategies(case, operator.operator_id or "") == {GLOBAL}
        wide = len(widths) == 1 and widths != {1}
        if edge.distribution_pattern != "POINTWISE" or not wide or is_global != from_global:
            continue
        if from_global:
            sentence = (
                f"that GLOBAL assigned to its first subtask, and a {edge.ship_strategy} exchange "
                "now: the restore may fail with ArrayIndexOutOfBoundsException, where a channel "
                "that the new exchange does not have holds records"
            )
        else:
            sentence = (
                f"of more channels than its {edge.ship_strategy} exchange has now: the restore "
                "fails with ArrayIndexOutOfBoundsException"
            )
        yield (
            f"{operator.name!r} has records in flight {sentence}. Take a savepoint instead, or "
            "keep the partitioner"
        )


def _keyed_now(case: RestoreCase, *, newly_keyed: bool) -> Iterator[str]:
    """Find keyed inputs with records in flight, of which the key may have another key group.

    A record stays in its channel and fails when it is read. With another parallelism Flink assigns
    each record by its key group, and none fails. ``newly_keyed``: inputs that were not keyed
    before.
    """
    for operator, edge in _inputs(case):
        widths = {*operator.parallelism}
        if edge.partitioner_class != KEYED or len(widths) > 1 or widths == {1}:
            continue
        old_strategies = _strategies(case, operator.operator_id or "")
        if newly_keyed and old_strategies and KEYED not in old_strategies:
            yield (
                f"{operator.name!r} has records in flight that {listed(sorted(old_strategies))} "
                "assigned, and reads them by key now: the restore fails with 'Key group ... is "
                "not in KeyGroupRange'. Take a savepoint instead, or keep the partitioner"
            )
        elif not newly_keyed and (not old_strategies or KEYED in old_strategies):
            yield (
                f"{operator.name!r} has records in flight on a keyed exchange: assumed that the "
                "key is the same as before, else the restore fails with 'Key group ... is not in "
                "KeyGroupRange'"
            )


def _strategies(case: RestoreCase, operator_id: str) -> set[str]:
    """Return the partitioners of the inputs of an operator's task in the old program."""
    program, node = case.old.program, case.old.nodes.get(operator_id)
    if program is None or node is None:
        return set()
    vertex = program.job_graph.task_of(node)
    return {edge.partitioner_class for edge in program.job_graph.edges if edge.target == vertex.id}


def _windows(case: RestoreCase, *, outcome: OpenWindows) -> Iterator[str]:
    """The open windows of operators with windows of another kind now."""
    for operator in case.operators:
        if operator.windows is not None and operator.windows.outcome == outcome:
            yield f"{operator.name!r} {operator.windows.sentence}"


def _patterns(case: RestoreCase, *, outcome: RestoredMatches) -> Iterator[str]:
    """The partial matches of operators with a pattern."""
    for operator in case.operators:
        if operator.pattern is not None and operator.pattern.outcome == outcome:
            yield operator.pattern_sentence


def _other_query(case: RestoreCase) -> Iterator[str]:
    """Flink compares the types of SQL's state, and not what its values were computed with."""
    plans = sql_plans(case.old.document, case.document)
    for operator in case.operators if plans else ():
        old_node_id = case.old.nodes.get(operator.operator_id or "")
        change = plans.change(old_node_id, operator.taker) if plans else None
        if operator.outcome == "restored" and change is not None and change.other_meaning:
            yield (
                f"{operator.name!r} restores, and its accumulated values are those of the previous "
                f"query: {'; '.join(change.reasons)}"
            )


def _other_files(case: RestoreCase) -> Iterator[str]:
    if case.old.real and not case.saved.self_contained:
        claim = (
            "keep them until the first full checkpoint of the new job, or hand them over with the "
            "claim mode CLAIM"
            if case.new.release.claim_modes
            else "keep them for as long as the new job and its checkpoints live"
        )
        yield f"It names files of earlier checkpoints by absolute paths: {claim}."


def _other_backend(case: RestoreCase) -> Iterator[str]:
    """A checkpoint or a native savepoint is read by the state backend that wrote it.

    Metadata version 4 is of releases in which RocksDB writes native state as incremental handles:
    other native state is of HashMap. 1.20 to 2.2 were tested.
    """
    is_tested = case.new.release.version in VERSIONS[_FIRST_TESTED : _LAST_TESTED + 1]
    is_of_hashmap = case.saved.version >= _NATIVE_VERSION and case.layouts == {"native"}
    if case.backend == "rocksdb" and is_tested and is_of_hashmap:
        yield (
            "Its keyed state is native, of HashMap, and the new state backend is rocksdb, which "
            "reads it as its own format: the restore fails with java.io.EOFException or "
            "java.lang.ArrayIndexOutOfBoundsException. Restore from a canonical savepoint, or keep "
            "HashMap"
        )
    if case.backend == "hashmap" and "incremental" in case.layouts:
        yield (
            "Its keyed state is incremental, of RocksDB or ForSt, and the new state backend is "
            "hashmap: 'Unexpected state handle type, expected one of: class "
            "org.apache.flink.runtime.state.KeyGroupsStateHandle, but found: class "
            "org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle'. Restore from a "
            "canonical savepoint, or keep the state backend"
        )
    if (
        case.backend == "forst"
        and case.layouts & {"canonical", "native"}
        and ("incremental" not in case.layouts)
    ):
        yield (
            f"Its keyed state is {listed(sorted(case.layouts))}, and the new state backend is "
            "ForSt, which reads incremental state of RocksDB or ForSt alone: 'Not support "
            "restoring yet for ForStStateBackend'. Keep the state backend"
        )


def _other_state_api(case: RestoreCase) -> Iterator[str]:
    """State of the v2 API has snapshots of its own, which other state backends cannot read."""
    if case.backend not in {"rocksdb", "hashmap"}:
        return
    for saved in case.saved.operators:
        names = [state.name for state in saved.schema.states if state.is_v2]
        if names:
            yield (
                f"{listed([repr(name) for name in names])} of {saved.name or saved.operator_id} is "
                f"state of the v2 API, which ForSt wrote: with {case.backend} the restore fails "
                "with ClassCastException. Keep the state backend"
            )


def _maxima_assumed(case: RestoreCase) -> Iterator[str]:
    return assumed_maxima(case.old, case.new, case.operators, case.verdict)


def _backend_assumed(case: RestoreCase) -> Iterator[str]:
    formats = [name for name in ("native", "incremental", "changelog") if name in case.layouts]
    if case.old.real and "incremental" in formats:
        is_same = case.backend in {"rocksdb", "forst"}
    elif case.old.real and formats == ["native"] and case.saved.version >= _NATIVE_VERSION:
        is_same = case.backend == "hashmap"
    else:
        is_same = case.backend is not None and case.backend == case.old_backend
    is_open = bool(formats) and not is_same and not any(_other_backend(case))
    if is_open:
        yield (
            f"Its keyed state is {' and '.join(formats)}: assumed that the state backend is the "
            "same, else the restore fails with 'Unexpected state handle type'. A canonical "
            "savepoint restores into any backend"
        )


def _changelog(case: RestoreCase) -> Iterator[str]:
    """``ChangelogStateBackend`` does not support NO_CLAIM: its first checkpoint is a full one."""
    savepoint = case.new.job_graph.savepoint
    claim_mode = savepoint.claim_mode if savepoint else "NO_CLAIM"
    if not case.new.release.claim_modes or claim_mode != "NO_CLAIM":
        return
    if case.layouts and has_changelog(case.options):
        yield (
            "The new program has a changelog and the claim mode is NO_CLAIM: the job fails at its "
            "first checkpoint with 'Configured state backend (ChangelogStateBackend) does not "
            "support enforcing a full snapshot'. Restore with the claim mode CLAIM"
        )


def _batch(case: RestoreCase) -> Iterator[str]:
    """``StreamGraphGenerator`` disables checkpointing of a BATCH job."""
    program = case.old.program
    if program is not None and not case.old.real and program.settings.batch:
        yield NO_CHECKPOINTS


def _into_batch(case: RestoreCase) -> Iterator[str]:
    """A BATCH job ignores the savepoint that it is started from."""
    has_state = any(item.state == "known" and item.operator_id for item in case.operators)
    if case.new.settings.batch and has_state:
        yield (
            "The new program is a BATCH job, which restores no state: Flink starts it without the "
            "state of the old one"
        )


def _unaligned_program(case: RestoreCase) -> Iterator[str]:
    """A document has no checkpoint; its settings determine the content of one."""
    if _has_unaligned_checkpoints(case) and case.old.origin not in _CHECKPOINTS:
        yield (
            "The deployed job takes unaligned checkpoints, which hold records in flight: restore "
            "from a savepoint, which has none, where parallelism, chains, partitioners, types of "
            "records or operators change. Rescaled, a job with FORWARD exchanges can fail or lose "
            "records (FLINK-38267)."
        )


def _unaligned_upgrade(case: RestoreCase) -> Iterator[str]:
    """An upgrade that restores an unaligned checkpoint into other exchanges."""
    program = case.old.program
    if program is None or not _has_unaligned_checkpoints(case):
        return
    if case.old.origin in _CHECKPOINTS and _exchanges(program) != _exchanges(case.new):
        yield (
            "The upgrade restores the last checkpoint, which is unaligned and holds records in "
            "flight, and parallelism, chains or exchanges change: records can be lost or the job "
            "fails (FLINK-38267). Upgrade from a savepoint, which holds none"
        )


def _has_unaligned_checkpoints(case: RestoreCase) -> bool:
    program = case.old.program
    return program is not None and not case.old.real and program.settings.checkpointing.unaligned


def _exchanges(program: Compilation) -> list[tuple[str, str, str, int, int]]:
    """Every exchange between tasks: the tasks, the partitioner and both parallelisms."""
    sizes = {vertex.id: vertex.parallelism for vertex in program.execution_graph.vertices}
    return sorted(
        (edge.source, edge.target, edge.partitioner_class, sizes[edge.source], sizes[edge.target])
        for edge in program.job_graph.edges
    )


_CHECKPOINTS: Final = frozenset({"checkpoint", "high availability"})
"""The origins of state that may hold records in flight."""
_ROWS: Final[tuple[tuple[Weight, Callable[[RestoreCase], Iterator[str]]], ...]] = (
    ("refused", _no_rescaling),
    ("refused", _cannot_rescale),
    ("refused", partial(_pointwise_now, from_global=False)),
    ("refused", partial(_keyed_now, newly_keyed=True)),
    ("refused", _other_backend),
    ("refused", _other_state_api),
    ("refused", _changelog),
    ("refused", partial(_other_record_type, with_types=True)),
    ("refused", partial(_windows, outcome="refused")),
    ("lost", _into_batch),
    ("lost", _chained_now),
    ("lost", partial(_windows, outcome="lost")),
    ("unchecked", partial(_keyed_now, newly_keyed=False)),
    ("unchecked", partial(_pointwise_now, from_global=True)),
    ("unchecked", partial(_other_record_type, with_types=False)),
    ("unchecked", _maxima_assumed),
    ("unchecked", _backend_assumed),
    ("unchecked", partial(_windows, outcome="unknown")),
    ("unchecked", partial(_patterns, outcome="unknown")),
    ("unchecked", _unaligned_upgrade),
    ("note", _batch),
    ("note", partial(_windows, outcome="kept")),
    ("note", partial(_patterns, outcome="kept")),
    ("note", _other_query),
    ("note", _other_files),
    ("note", _unaligned_program),
)
"""The rules in the order of their weights."""
