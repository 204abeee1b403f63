"""Is the job set up as its author thinks? Checkpoints, buffer timeouts, and what is not heard."""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import partial
from typing import Final

from explorer.analysis.checks.case import Case
from explorer.analysis.checks.rule import CheckRule, Found, of_edge, of_operators, of_refusal
from explorer.flink.kinds import KINDS
from explorer.flink.passes.generation.options import (
    OPTION_CALLED,
    READ_OPTIONS,
    ReadOption,
    configured,
)
from explorer.flink.releases import Release, to_choose
from explorer.model.changes import (
    OneChange,
    Proposal,
    SetCheckpointing,
    SetEnvironment,
    SetField,
    SetOption,
    Together,
    to_set,
)
from explorer.model.pipeline import Environment, Transformation
from explorer.model.stream_graph import StreamNode
from explorer.wording import counted, first_listed, listed, quoted, step

MINUTE: Final = 60_000
OVERRIDES: Final = "pipeline.jobvertex-parallelism-overrides"
_UNALIGNED: Final = tuple(one.name for one in READ_OPTIONS if one.checkpointing == "unaligned")
_TIMEOUTS: Final = (
    *(one.name for one in READ_OPTIONS if one.field == "buffer_timeout"),
    "execution.buffer-timeout.enabled",
)
_EARLIER: Final = {one.later: one.name for one in READ_OPTIONS if one.later}
"""By option, the name by which earlier releases know it."""
_ALIKE: Final = 0.9
"""From so alike on, by difflib's ratio, one option's name is taken for a misspelling of another."""
SHOWN: Final = 6
"""Names that a message repeats."""


def _without_options(names: tuple[str, ...], *changes: OneChange) -> Together:
    return Together(changes=(*changes, *(SetOption(name=name, value=None) for name in names)))


def _aligned(label: str) -> Proposal:
    switch = SetCheckpointing(field="unaligned", value=None)
    return Proposal(label=label, change=_without_options(_UNALIGNED, switch))


def _unaligned_refused(case: Case) -> Iterator[Found]:
    ids = case.blamed
    path = case.path_of(ids[0]) if ids else "environment.checkpointing.unaligned"
    force = SetCheckpointing(field="force_unaligned", value=True)
    forced = Proposal(label="Force unaligned checkpoints", change=force)
    yield of_refusal(case, path, (_aligned("Align checkpoints"), forced))


def _asked_unaligned(case: Case) -> bool:
    """Whether the program asks for them, in whatever release."""
    options = case.environment.configuration
    asked = any(str(options.get(name, "")).lower() == "true" for name in _UNALIGNED)
    return asked or case.compiled.settings.checkpointing.unaligned


def _unaligned_unheard(case: Case) -> Iterator[Found]:
    done = case.compiled
    if not _asked_unaligned(case) or done.job_graph.checkpointing.unaligned:
        return
    if done.settings.checkpoint_interval is None:
        why = "the job takes no checkpoints"
    elif not case.release.unaligned_checkpoints:
        why = f"Flink {case.release.version} has none"
    else:
        why = "they are taken at least once, where Flink aligns nothing anyhow"
    yield Found(
        message=f"Unaligned checkpoints are asked for and have no effect: {why}.",
        path="environment.checkpointing.unaligned" if case.transformations else "",
        proposals=(_aligned("Take unaligned off"),),
    )


def _stays_aligned(case: Case) -> Iterator[Found]:
    done = case.compiled
    if not done.job_graph.checkpointing.unaligned:
        return
    crossing = {edge.stream_edge for edge in done.job_graph.edges}
    for position, edge in enumerate(done.stream_graph.edges):
        if position not in crossing or edge.partitioner not in case.release.aligned_partitioners:
            continue
        source, target = case.ends(edge)
        message = (
            f"{source.name} → {target.name} is {edge.partitioner}: its channels stay aligned, so "
            "its barriers wait behind records as without unaligned checkpoints."
        )
        yield of_edge(case, position, message)


def _state_without_checkpoints(case: Case) -> Iterator[Found]:
    done = case.compiled
    if done.settings.checkpoint_interval is not None or done.settings.batch:
        return
    keeping = [node for node in case.holding("known") if not case.held[node.id].coordinator]
    if not keeping:
        return
    every = SetEnvironment(field="checkpoint_interval", value=MINUTE)
    names = list(dict.fromkeys(node.handle for node in keeping))
    yield of_operators(
        keeping,
        f"The job takes no checkpoints, and {listed(names[:SHOWN])} "
        f"{'keeps' if len(names) == 1 else 'keep'} state: after a failure it begins empty.",
        "environment" if case.transformations else "stream_graph.settings",
        (Proposal(label="Take a checkpoint every minute", change=every),),
    )


def _long_pause(case: Case) -> Iterator[Found]:
    settings = case.compiled.settings
    interval, pause = settings.checkpoint_interval, settings.checkpointing.min_pause
    if interval is None or pause <= interval:
        return
    longer = SetEnvironment(field="checkpoint_interval", value=pause)
    shorter = SetCheckpointing(field="min_pause", value=interval)
    yield Found(
        message=f"A checkpoint every {interval:,} ms is asked for, and a pause of {pause:,} ms "
        "between two: the pause wins, and the interval is never kept.",
        path="environment.checkpointing.min_pause" if case.transformations else "",
        proposals=(
            Proposal(label=f"Set checkpoint interval to {pause:,} ms", change=longer),
            Proposal(label=f"Set min pause to {interval:,} ms", change=shorter),
        ),
    )


def _flushing(case: Case, wanted: int) -> Iterator[StreamNode]:
    """The operators that have this buffer timeout and send records to another task."""
    done = case.compiled
    crossing = {done.stream_graph.edges[edge.stream_edge].source for edge in done.job_graph.edges}
    for node in done.stream_graph.nodes:
        operator = node.chaining_strategy is not None
        if node.id in crossing and operator and node.buffer_timeout == wanted:
            yield node


def _timeout(case: Case, wanted: int, message: str) -> Iterator[Found]:
    """One finding for all operators with a buffer timeout; a mend that takes it off everywhere."""
    nodes = list(_flushing(case, wanted))
    if case.compiled.settings.batch or not nodes:
        return
    own = tuple(
        SetField(id=one.id, field="buffer_timeout", value=None)
        for one in case.transformations
        if one.buffer_timeout == wanted
    )
    default = SetEnvironment(field="buffer_timeout", value=None)
    if case.release.default_buffer_timeout == wanted:
        default = SetEnvironment(field="buffer_timeout", value=100)
    names = list(dict.fromkeys(node.handle for node in nodes))
    label = "Leave the buffer timeout to Flink" if default.value is None else "Flush every 100 ms"
    at = case.path_of(own[0].id, "buffer_timeout") if own else "environment.buffer_timeout"
    yield of_operators(
        nodes,
        f"{first_listed(names, SHOWN)}: {message}",
        at if case.transformations else case.path(nodes[0], "buffer_timeout"),
        (Proposal(label=label, change=_without_options(_TIMEOUTS, *own, default)),),
    )


def _every_record_flushed(case: Case) -> Iterator[Found]:
    return _timeout(case, 0, "buffer timeout 0 sends a buffer for every record.")


def _never_flushed(case: Case) -> Iterator[Found]:
    """In releases whose default it is, only where the program asks for it."""
    environment = configured(case.environment, case.release)
    asked = environment.buffer_timeout == -1 or case.release.default_buffer_timeout != -1
    if asked:
        yield from _timeout(case, -1, "buffer timeout -1 sends a buffer only when it is full.")


def _of_option(name: str, message: str, *proposals: Proposal) -> Found:
    """What is found of an option that the document sets."""
    path = f"environment.configuration.{step(name)}"
    return Found(message=message, about=(name,), path=path, proposals=proposals)


def _taken_out(name: str) -> Proposal:
    return Proposal(label=f"Take {name} out", change=SetOption(name=name, value=None))


def _renamed(case: Case, name: str, other: str) -> Proposal:
    value = case.environment.configuration[name]
    changes = (SetOption(name=name, value=None), SetOption(name=other, value=value))
    return Proposal(label=f"Write {other} instead", change=Together(changes=changes))


def _known(case: Case) -> Iterator[ReadOption]:
    """The options that are set and that the explorer knows, in the document's order."""
    for name in case.environment.configuration:
        if name in OPTION_CALLED:
            yield OPTION_CALLED[name]


def _has(option: ReadOption, release: Release) -> bool:
    return bool(option.read(release))


def _reads(case: Case, name: str) -> bool:
    """Whether the release reads an option that the explorer knows."""
    return name in OPTION_CALLED and _has(OPTION_CALLED[name], case.release)


def _unknown_to_release(case: Case) -> Iterator[Found]:
    for option in _known(case):
        name, other = option.name, option.later or _EARLIER.get(option.name, "")
        if _has(option, case.release):
            continue
        proposals = [_taken_out(name)]
        if _reads(case, other) and other not in case.environment.configuration:
            proposals.insert(0, _renamed(case, name, other))
        where = to_choose(partial(_has, option))
        yield _of_option(
            name,
            f"Flink {case.release.version} has no option {quoted(name)} ({where} has it): nobody "
            "reads it.",
            *proposals,
        )


def _misspelled(case: Case) -> Iterator[Found]:
    known = [*(one.name for one in READ_OPTIONS if one.read(case.release)), OVERRIDES]
    for name in case.environment.configuration:
        if name in OPTION_CALLED or name == OVERRIDES:
            continue
        near = get_close_matches(name[:200], known, n=1, cutoff=_ALIKE)
        if near and near[0] not in case.environment.configuration:
            yield _of_option(
                name,
                f"There is no option {quoted(name)} that changes the graph; {quoted(near[0])} is "
                "nearly spelled so.",
                _renamed(case, name, near[0]),
            )


def _overruled(case: Case) -> Iterator[Found]:
    """Options for which the environment has a field that says otherwise."""
    given, plain = case.environment, Environment()
    for option in _known(case):
        fields = (
            ("environment", option.field, given, plain),
            (
                "environment.checkpointing",
                option.checkpointing,
                given.checkpointing,
                plain.checkpointing,
            ),
        )
        for place, field, record, untouched in fields if _has(option, case.release) else ():
            if field and getattr(record, field) != getattr(untouched, field):
                yield _of_option(
                    option.name,
                    f"The option {quoted(option.name)} is given, and {place}.{field} is "
                    f"{getattr(record, field)}: what the program sets wins, and the option has no "
                    "effect.",
                    _taken_out(option.name),
                )


def _old_name(case: Case) -> Iterator[Found]:
    for option in _known(case):
        name, newer = option.name, option.later
        if not _reads(case, newer):
            continue
        both = newer in case.environment.configuration
        yield _of_option(
            name,
            f"The option {quoted(name)} is called {quoted(newer)} in Flink {case.release.version}"
            + (", which is given as well." if both else "; the old name is read, too."),
            _taken_out(name) if both else _renamed(case, name, newer),
        )


def _of_field(case: Case, one: Transformation, field: str, message: str, off: str) -> Found:
    """What is found of a field that a transformation sets; ``off``: what a mend takes off."""
    path = case.path_of(one.id, field)
    proposals = (to_set(one.id, field, None, f"Take {off} off {one.id}"),)
    return Found(message=message, about=(one.id,), path=path, proposals=proposals)


def _unheard_fields(case: Case) -> Iterator[Found]:
    for one in case.transformations:
        for field in KINDS[one.type].unheard:
            if getattr(one, field) is not None:
                message = (
                    f"{one.id} sets {field}, and a {one.type} has no setter for it in Flink: it "
                    "has no effect."
                )
                yield _of_field(case, one, field, message, field)


def _batch_exchange(case: Case) -> Iterator[Found]:
    since = to_choose(lambda release: release.streaming_resets_batch_exchange)
    for one in case.transformations if not case.compiled.settings.batch else ():
        if one.exchange_mode == "BATCH":
            message = (
                f"{one.id} asks for a BATCH exchange, and the job is a streaming one: from {since} "
                "Flink makes it UNDEFINED."
            )
            yield _of_field(case, one, "exchange_mode", message, "BATCH")


def _dead_overrides(case: Case) -> Iterator[Found]:
    """Overrides are by the ID of a job vertex, so an edit that moves one lets them go."""
    asked = str(case.environment.configuration.get(OVERRIDES, ""))
    pairs = [pair.partition(":") for pair in asked.split(",") if pair.strip()]
    vertices = {vertex.id for vertex in case.compiled.job_graph.vertices}
    dead = [id.strip() for id, _, _ in pairs if id.strip() not in vertices]
    if not dead:
        return
    kept = ",".join("".join(pair) for pair in pairs if pair[0].strip() in vertices)
    change = SetOption(name=OVERRIDES, value=kept or None)
    yield _of_option(
        OVERRIDES,
        f"{counted(len(dead), 'override')} of parallelism "
        f"{'names' if len(dead) == 1 else 'name'} no task of this job ({listed(dead[:SHOWN])}): "
        "Flink passes over it without a word.",
        Proposal(label="Take the dead overrides out", change=change),
    )


SETTING_RULES: Final = (
    CheckRule(
        code="CP01",
        severity="error",
        title="Unaligned checkpoints meet what forbids them.",
        why="An unaligned checkpoint keeps records that are on their way, and sends them again "
        "after a restart, perhaps to another number of subtasks. Through an iteration or a "
        "partitioner of the program's own Flink cannot do that, and refuses the job.",
        todo="Align checkpoints; or force it, and never restart such a job with another "
        "parallelism from an unaligned checkpoint.",
        finds=_unaligned_refused,
        needs="refusal",
        says="Unaligned checkpoints are currently not supported",
        applies=lambda release: bool(release.unaligned_iterations_refusal),
    ),
    CheckRule(
        code="CP02",
        severity="warning",
        title="Unaligned checkpoints are asked for and have no effect.",
        why="They exist from 1.11 on, need checkpoints at all, and mean something only where "
        "every record counts exactly once. Elsewhere Flink says nothing and leaves them out.",
        todo="Set a checkpoint interval and EXACTLY_ONCE, or take the setting off.",
        finds=_unaligned_unheard,
    ),
    CheckRule(
        code="CP03",
        severity="note",
        title="Some channels stay aligned although checkpoints are unaligned.",
        why="Records that are on their way can be dealt out anew only where any subtask may have "
        "them. On broadcast and point-wise channels, and on those of the program's own "
        "partitioners, Flink keeps barriers behind the records, so one slow edge of that kind "
        "holds the whole checkpoint up.",
        todo="Chain the two ends, or put the edge where back pressure does not reach it.",
        finds=_stays_aligned,
        applies=lambda release: bool(release.aligned_partitioners),
    ),
    CheckRule(
        code="CP04",
        severity="warning",
        title="A job that keeps state takes no checkpoints.",
        why="Without checkpoints there is nothing to come back to after a failure but a savepoint "
        "that somebody took by hand, and Flink restarts nothing by itself.",
        todo="Set a checkpoint interval.",
        finds=_state_without_checkpoints,
        needs="program",
    ),
    CheckRule(
        code="CP05",
        severity="note",
        title="The pause between checkpoints is longer than their interval.",
        why="The next checkpoint begins when both have passed, so the interval is never kept.",
        todo="Make the interval at least as long as the pause.",
        finds=_long_pause,
    ),
    CheckRule(
        code="BT01",
        severity="note",
        title="A buffer timeout of 0 flushes after every record.",
        why="Each record is sent in a buffer of its own. Latency is as low as it can be, and "
        "throughput falls to a fraction.",
        todo="A few milliseconds give nearly the same latency at a much smaller price.",
        finds=_every_record_flushed,
        needs="program",
    ),
    CheckRule(
        code="BT02",
        severity="warning",
        title="A buffer timeout of -1 never flushes.",
        why="A record waits until others have filled its buffer. In a stream that falls quiet it "
        "waits for ever, and so does a watermark.",
        todo="Leave the timeout to Flink, or set 100 milliseconds.",
        finds=_never_flushed,
        needs="program",
    ),
    CheckRule(
        code="OP01",
        severity="warning",
        title="The release does not have an option that is set.",
        why="Flink reads the options that it knows and passes over all others without a word.",
        todo="Write the name that this release knows, or take the option out.",
        finds=_unknown_to_release,
    ),
    CheckRule(
        code="OP02",
        severity="warning",
        title="An option looks misspelled.",
        why="Flink passes over a name that it does not know without a word.",
        todo="Write the name as Flink spells it.",
        finds=_misspelled,
    ),
    CheckRule(
        code="OP03",
        severity="warning",
        title="The program overrules an option.",
        why="Options are read first, and what the program sets on its environment is set after "
        "them. Who changes the option in the cluster's configuration changes nothing.",
        todo="Keep one of the two.",
        finds=_overruled,
        applies=lambda release: release.reads_options,
    ),
    CheckRule(
        code="OP04",
        severity="note",
        title="An option is set by its old name.",
        why="The release reads the old name where the new one is not given; a later one may not.",
        todo="Write the new name.",
        finds=_old_name,
        applies=lambda release: release.reads_options,
    ),
    CheckRule(
        code="OP05",
        severity="warning",
        title="A field is set for which Flink has no setter.",
        why="The class that the call returns has no such method, so no Java program could have "
        "set it, and nothing comes of it.",
        todo="Take it off, or set it for the whole job.",
        finds=_unheard_fields,
    ),
    CheckRule(
        code="OP06",
        severity="warning",
        title="A BATCH exchange is asked for in a streaming job.",
        why="A blocking exchange would wait for the end of a stream that has none, so Flink takes "
        "the mode back.",
        todo="Take the mode off, or run the job in BATCH mode.",
        finds=_batch_exchange,
        applies=lambda release: release.streaming_resets_batch_exchange,
    ),
    CheckRule(
        code="OP07",
        severity="warning",
        title="A parallelism override names no task of the job.",
        why="The option takes the IDs of tasks, which are the operator IDs of their heads. "
        "An edit that moves an ID leaves the override without a task, and Flink says nothing: the "
        "task runs with the parallelism of the program.",
        todo="Write the ID of now; give the head a uid, and it stays.",
        finds=_dead_overrides,
        applies=lambda release: release.parallelism_overrides,
    ),
)
"""What is asked of the job's settings and options."""
