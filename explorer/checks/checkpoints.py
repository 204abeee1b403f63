"""Rules about job settings: checkpoints and buffer timeouts."""

from collections.abc import Iterator
from typing import Final

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import (
    Found,
    note_rule,
    of_edge,
    of_operators,
    of_refusal,
    refusal_rule,
    warning_rule,
)
from explorer.flink.passes.generation.options import READ_OPTIONS, configured
from explorer.model.changes import (
    OneChange,
    Proposal,
    SetCheckpointing,
    SetEnvironment,
    SetField,
    SetOption,
    Together,
)
from explorer.wording import first_listed, listed

MINUTE: Final = 60_000
_UNALIGNED: Final = tuple(
    option.name for option in READ_OPTIONS if option.checkpointing == "unaligned"
)
_TIMEOUTS: Final = (
    *(option.name for option in READ_OPTIONS if option.field == "buffer_timeout"),
    "execution.buffer-timeout.enabled",
)
SHOWN: Final = 6
"""Names that a message repeats."""


def _without_options(names: tuple[str, ...], *changes: OneChange) -> Together:
    return Together(changes=(*changes, *(SetOption(name=name, value=None) for name in names)))


def _propose_aligned(label: str) -> Proposal:
    switch = SetCheckpointing(field="unaligned", value=None)
    return Proposal(label=label, change=_without_options(_UNALIGNED, switch))


def _unaligned_refused(case: CheckCase) -> Iterator[Found]:
    ids = case.blamed
    path = case.path_of(ids[0]) if ids else "environment.checkpointing.unaligned"
    force = SetCheckpointing(field="force_unaligned", value=True)
    forced = Proposal(label="Force unaligned checkpoints", change=force)
    yield of_refusal(case, path, (_propose_aligned("Align checkpoints"), forced))


def _unaligned_ignored(case: CheckCase) -> Iterator[Found]:
    compilation, options = case.compiled, case.environment.configuration
    by_option = any(str(options.get(name, "")).lower() == "true" for name in _UNALIGNED)
    is_unaligned = by_option or compilation.settings.checkpointing.unaligned
    if not is_unaligned or compilation.job_graph.checkpointing.unaligned:
        return
    if compilation.settings.checkpoint_interval is None:
        why = "the job takes no checkpoints"
    elif not case.release.unaligned_checkpoints:
        why = f"Flink {case.release.version} has none"
    else:
        why = "the mode is AT_LEAST_ONCE, in which Flink aligns no barriers"
    yield Found(
        message=f"Unaligned checkpoints are enabled and have no effect: {why}.",
        path="environment.checkpointing.unaligned" if case.transformations else "",
        proposals=(_propose_aligned("Remove unaligned"),),
    )


def _stays_aligned(case: CheckCase) -> Iterator[Found]:
    compilation = case.compiled
    if not compilation.job_graph.checkpointing.unaligned:
        return
    crossing = {edge.stream_edge for edge in compilation.job_graph.edges}
    for position, edge in enumerate(compilation.stream_graph.edges):
        if position not in crossing or edge.partitioner not in case.release.aligned_partitioners:
            continue
        source, target = case.ends(edge)
        message = (
            f"{source.name} → {target.name} is {edge.partitioner}: its channels stay aligned, so "
            "its barriers wait behind records as without unaligned checkpoints."
        )
        yield of_edge(case, position, message)


def _state_without_checkpoints(case: CheckCase) -> Iterator[Found]:
    compilation = case.compiled
    if compilation.settings.checkpoint_interval is not None or compilation.settings.batch:
        return
    stateful = [node for node in case.holding("known") if not case.held[node.id].coordinator]
    if not stateful:
        return
    every = SetEnvironment(field="checkpoint_interval", value=MINUTE)
    names = list(dict.fromkeys(node.handle for node in stateful))
    yield of_operators(
        stateful,
        f"The job takes no checkpoints, and {listed(names[:SHOWN])} "
        f"{'has' if len(names) == 1 else 'have'} state: after a failure it is empty.",
        "environment" if case.transformations else "stream_graph.settings",
        (Proposal(label="Take a checkpoint every minute", change=every),),
    )


def _long_pause(case: CheckCase) -> Iterator[Found]:
    settings = case.compiled.settings
    interval, pause = settings.checkpoint_interval, settings.checkpointing.min_pause
    if interval is None or pause <= interval:
        return
    longer = SetEnvironment(field="checkpoint_interval", value=pause)
    shorter = SetCheckpointing(field="min_pause", value=interval)
    yield Found(
        message=f"The checkpoint interval is {interval:,} ms and the pause between two "
        f"checkpoints {pause:,} ms: the pause is longer, so the interval is never met.",
        path="environment.checkpointing.min_pause" if case.transformations else "",
        proposals=(
            Proposal(label=f"Set checkpoint interval to {pause:,} ms", change=longer),
            Proposal(label=f"Set min pause to {interval:,} ms", change=shorter),
        ),
    )


def _timeout(case: CheckCase, expected: int, message: str) -> Iterator[Found]:
    """Report all operators with this buffer timeout and an output to another task at once."""
    graph, job = case.compiled.stream_graph, case.compiled.job_graph
    crossing = {graph.edges[edge.stream_edge].source for edge in job.edges}
    nodes = [
        node
        for node in graph.nodes
        if node.id in crossing
        and node.chaining_strategy is not None
        and node.buffer_timeout == expected
    ]
    if case.compiled.settings.batch or not nodes:
        return
    field_changes = tuple(
        SetField(id=transformation.id, field="buffer_timeout", value=None)
        for transformation in case.transformations
        if transformation.buffer_timeout == expected
    )
    default = SetEnvironment(field="buffer_timeout", value=None)
    if case.release.default_buffer_timeout == expected:
        default = SetEnvironment(field="buffer_timeout", value=100)
    names = list(dict.fromkeys(node.handle for node in nodes))
    label = "Leave the buffer timeout to Flink" if default.value is None else "Flush every 100 ms"
    at = (
        case.path_of(field_changes[0].id, "buffer_timeout")
        if field_changes
        else "environment.buffer_timeout"
    )
    yield of_operators(
        nodes,
        f"{first_listed(names, SHOWN)}: {message}",
        at if case.transformations else case.path(nodes[0], "buffer_timeout"),
        (Proposal(label=label, change=_without_options(_TIMEOUTS, *field_changes, default)),),
    )


def _never_flushed(case: CheckCase) -> Iterator[Found]:
    """In releases with this default, report it only where the program sets it."""
    environment = configured(case.environment, case.release)
    if environment.buffer_timeout == -1 or case.release.default_buffer_timeout != -1:
        yield from _timeout(case, -1, "buffer timeout -1 sends a buffer only when it is full.")


SETTING_RULES: Final = (
    refusal_rule(
        code="CP01",
        title="Unaligned checkpoints meet an operator or a partitioner that does not support them.",
        why="An unaligned checkpoint stores records in flight and sends them again after a "
        "restart, possibly to another number of subtasks. Flink cannot do that for "
        "iterations and custom partitioners, and refuses the job.",
        todo="Use aligned checkpoints; or force unaligned ones, and never restart the job from "
        "one with another parallelism.",
        finds=_unaligned_refused,
        refusal="Unaligned checkpoints are currently not supported",
        applies=lambda release: bool(release.unaligned_iterations_refusal),
    ),
    warning_rule(
        code="CP02",
        title="Unaligned checkpoints are enabled and have no effect.",
        why="They exist from 1.11 on, need a checkpoint interval, and apply to EXACTLY_ONCE "
        "only. Otherwise Flink ignores them without a message.",
        todo="Set a checkpoint interval and EXACTLY_ONCE, or remove the setting.",
        finds=_unaligned_ignored,
    ),
    note_rule(
        code="CP03",
        title="Some channels stay aligned although checkpoints are unaligned.",
        why="Records in flight can be redistributed only where any subtask may receive them. On "
        "broadcast and point-wise channels, and on those of custom partitioners, barriers "
        "stay behind the records, so one slow edge of that kind delays the whole "
        "checkpoint.",
        todo="Chain the two operators, or move the edge to a place without back pressure.",
        finds=_stays_aligned,
        applies=lambda release: bool(release.aligned_partitioners),
    ),
    warning_rule(
        code="CP04",
        title="A stateful job takes no checkpoints.",
        why="Without checkpoints a failed job can only start again from a savepoint that a user "
        "triggered, and Flink does not restart it by itself.",
        todo="Set a checkpoint interval.",
        finds=_state_without_checkpoints,
        needs="program",
    ),
    note_rule(
        code="CP05",
        title="The pause between checkpoints is longer than their interval.",
        why="The next checkpoint begins when both have passed, so the interval is never met.",
        todo="Make the interval at least as long as the pause.",
        finds=_long_pause,
    ),
    note_rule(
        code="BT01",
        title="A buffer timeout of 0 flushes after every record.",
        why="Each record is sent in a buffer of its own. Latency is as low as it can be, and "
        "throughput falls to a fraction.",
        todo="A few milliseconds give nearly the same latency at a much lower cost.",
        finds=lambda case: _timeout(case, 0, "buffer timeout 0 sends a buffer for every record."),
        needs="program",
    ),
    warning_rule(
        code="BT02",
        title="A buffer timeout of -1 never flushes.",
        why="A record waits until other records fill its buffer. When a stream goes idle, its "
        "last records and watermarks wait indefinitely.",
        todo="Leave the timeout to Flink, or set 100 milliseconds.",
        finds=_never_flushed,
        needs="program",
    ),
)
"""Rules about checkpoints and buffer timeouts."""
