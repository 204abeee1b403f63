"""Rules about exchanges: partitioners, split chains, channels, slots."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

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
from explorer.deployment.slots import slots_by_group
from explorer.flink.kinds import KINDS, assigns_timestamps
from explorer.flink.partitioners import partitioner_class
from explorer.flink.passes.generation.options import CHAINING, CHAINING_ENABLED
from explorer.flink.rules import RULES, ChainingQuestion, failed
from explorer.flink.subtask_wiring import channels
from explorer.model.changes import (
    Proposal,
    ReplaceTransformation,
    SetEnvironment,
    SetField,
    SetOption,
    SetPartitioner,
    Together,
    to_set,
)
from explorer.model.pipeline import Transformation
from explorer.model.stream_graph import WRITER_ENDING, StreamEdge, StreamNode
from explorer.wording import counted, listed

MANY_CHANNELS: Final = 10_000
"""Number of channels of one exchange from which ED07 reports it."""
BY_SETTING: Final = frozenset({"CH02", "CH03", "CH04", "CH09"})
"""The chaining conditions that fail only because of a setting of the program."""
_RULE: Final = {rule.code: rule for rule in RULES}


def _edges(case: CheckCase) -> Iterator[tuple[int, StreamEdge, StreamNode, StreamNode]]:
    for position, edge in enumerate(case.compiled.stream_graph.edges):
        yield position, edge, *case.ends(edge)


def chaining_fixes(case: CheckCase, position: int, *codes: str) -> tuple[Proposal, ...]:
    """Propose the fixes of the chaining rules with these codes for the edge."""
    compilation = case.compiled
    if compilation.pipeline is None:
        return ()
    question: ChainingQuestion = compilation.question(position)
    return tuple(
        proposal for code in codes for proposal in _RULE[code].fixes(question, compilation.pipeline)
    )


def _partitioner(
    edge: StreamEdge, ends: tuple[StreamNode, StreamNode], name: str | None
) -> Iterator[Proposal]:
    """Propose to partition the edge by ``name``; None: Flink chooses the partitioner."""
    source, target = (end.transformation for end in ends)
    if source is None or target is None:
        return
    label = (
        f"Remove {edge.partitioner} from {source} → {target}"
        if name is None
        else f"Partition {source} → {target} by {name}"
    )
    change = SetPartitioner(source=source, target=target, partitioner=name)
    yield Proposal(label=label, change=change)


def _inserted_rebalance(case: CheckCase) -> Iterator[Found]:
    for position, edge, source, target in _edges(case):
        if (
            edge.partitioner_class == "RebalancePartitioner"
            and source.parallelism != target.parallelism
            and case.asked_partitioner(edge) is None
            and target.id in case.order_matters
            and not _is_within_connector(case, source, target)
        ):
            yield of_edge(
                case,
                position,
                f"{source.name} has {counted(source.parallelism, 'subtask')} and "
                f"{target.name} has {target.parallelism:,}, so Flink inserts a REBALANCE edge: "
                "records with the same key can arrive out of order.",
                chaining_fixes(case, position, "CH08"),
            )


def _is_within_connector(case: CheckCase, source: StreamNode, target: StreamNode) -> bool:
    """Whether one sink or source made both operators: no program can partition between them."""
    if source.transformation is not None:
        return source.transformation == target.transformation
    sinks = {node.name.removesuffix(WRITER_ENDING) for node in case.compiled.stream_graph.nodes}
    sink, named, _ = source.name.rpartition(": ")
    is_one_sink = bool(named) and sink in sinks and target.name.startswith(f"{sink}: ")
    libraries = {_connector(stream_node) for stream_node in (source, target)}
    return is_one_sink or (len(libraries) == 1 and None not in libraries)


def _connector(node: StreamNode) -> str | None:
    """The package of the connector that an operator's class is from; None: of no known one."""
    facts = node.operator
    classes = (facts.function, facts.class_name, facts.factory) if facts else ()
    names = [name for name in _CONNECTORS for class_ in classes if (class_ or "").startswith(name)]
    return names[0] if names else None


_CONNECTORS: Final = (
    "com.ververica.cdc.",
    "io.delta.flink.",
    "org.apache.doris.flink.",
    "org.apache.flink.cdc.",
    "org.apache.flink.connector.",
    "org.apache.flink.connectors.",
    "org.apache.flink.streaming.connectors.",
    "org.apache.hudi.",
    "org.apache.iceberg.",
    "org.apache.paimon.",
)
"""Packages of connectors that consist of several operators."""


def _explicit_forward(case: CheckCase) -> Iterator[Found]:
    for position, edge, source, target in _edges(case):
        partitioner = case.asked_partitioner(edge)
        if (
            partitioner is not None
            and (KINDS[partitioner.type].partitioner or partitioner.partitioner) == "FORWARD"
        ):
            yield of_edge(
                case,
                position,
                f"{source.name} → {target.name} sets FORWARD explicitly, which is valid while "
                f"both have {counted(source.parallelism, 'subtask')}; with another parallelism "
                "of either, Flink refuses the job.",
                _partitioner(edge, (source, target), None),
            )


def _refused_forward(case: CheckCase) -> Iterator[Found]:
    ends = case.blamed
    proposals: list[Proposal] = []
    if len(ends) > 1:
        source, target = ends
        off = SetPartitioner(source=source, target=target, partitioner=None)
        proposals = [Proposal(label=f"Remove FORWARD from {source} → {target}", change=off)]
        for end, opposite in ((source, target), (target, source)):
            expected = case.by_id[opposite].parallelism or case.environment.parallelism
            label = f"Set parallelism of {end} to {expected}"
            proposals.append(to_set(end, "parallelism", expected, label))
    yield of_refusal(case, case.path_of(ends[-1]) if ends else "", proposals)


def _cut_by_setting(case: CheckCase) -> Iterator[Found]:
    """Report edges that only settings cut, on the only route of a source's records."""
    expect = case.document.expect
    # A pair with an expectation is checked with the expectations.
    expected = {frozenset(pair) for pair in (*expect.apart, *expect.chained)}
    for position, _, source, target in _edges(case):
        codes = [rule.code for rule in failed(case.compiled.verdicts[position])]
        if target.strategy_is_assumed and "CH04" in codes:
            codes.remove("CH04")
        if not codes or not BY_SETTING.issuperset(codes) or source.id not in case.busy:
            continue
        proposals = chaining_fixes(case, position, *codes)
        reported = frozenset({source.handle, target.handle}) in expected
        if reported or (not proposals and case.transformations):
            continue
        why = listed(_RULE[code].title for code in codes)
        yield of_edge(
            case,
            position,
            f"{source.name} → {target.name} would chain but for a setting ({why} "
            f"{'does' if len(codes) == 1 else 'do'} not hold): every record is serialised and goes "
            "through a buffer.",
            proposals,
        )


def _chaining_off(case: CheckCase) -> Iterator[Found]:
    compilation = case.compiled
    if compilation.stream_graph.chaining_enabled or not compilation.stream_graph.edges:
        return
    options = tuple(SetOption(name=name, value=None) for name in (CHAINING, CHAINING_ENABLED))
    switch = SetEnvironment(field="chaining", value=None)
    on = Proposal(label="Turn chaining on", change=Together(changes=(switch, *options)))
    yield Found(
        message=f"Chaining is off for the whole job: "
        f"{counted(len(compilation.job_graph.vertices), 'task')} in place of chains.",
        path="environment.chaining" if case.transformations else "stream_graph.chaining_enabled",
        proposals=(on,),
    )


def _behind_legacy_source(case: CheckCase) -> Iterator[Found]:
    for position, _, source, target in _edges(case):
        codes = [rule.code for rule in failed(case.compiled.verdicts[position])]
        if "CH05" in codes:
            yield of_edge(
                case,
                position,
                f"{target.name} yields to its mailbox and cannot share a task with a legacy "
                f"source, so {source.name} → {target.name} is not chained.",
                chaining_fixes(case, position, "CH05"),
            )


def _many_channels(case: CheckCase) -> Iterator[Found]:
    compilation = case.compiled
    width = {vertex.id: vertex.parallelism for vertex in compilation.job_graph.vertices}
    for job_edge in compilation.job_graph.edges:
        ends = (width[job_edge.source], width[job_edge.target])
        count = channels(job_edge.distribution_pattern, *ends)
        if job_edge.distribution_pattern != "ALL_TO_ALL" or count < MANY_CHANNELS or min(ends) < 1:
            continue
        edge = compilation.stream_graph.edges[job_edge.stream_edge]
        source, target = case.ends(edge)
        yield of_edge(
            case,
            job_edge.stream_edge,
            f"{source.name} → {target.name} is all-to-all between {ends[0]:,} and "
            f"{ends[1]:,} subtasks: {count:,} channels, each with buffers of its own.",
            _fewer_channels(case, edge, ends),
        )


def _fewer_channels(
    case: CheckCase, edge: StreamEdge, widths: tuple[int, int]
) -> Iterator[Proposal]:
    """Propose another partitioner, unless a key demands this one; or a narrower wider end."""
    source, target = ends = case.ends(edge)
    if partitioner_class(edge.partitioner_class).prints != "HASH":
        if widths[0] == widths[1]:
            yield from _partitioner(edge, ends, None)
        elif edge.partitioner in {"REBALANCE", "SHUFFLE"}:
            yield from _partitioner(edge, ends, "RESCALE")
    wider, width = (source, widths[1]) if widths[0] >= widths[1] else (target, widths[0])
    number = (MANY_CHANNELS - 1) // width
    if number >= 1:
        label = f"Set parallelism of {wider.transformation} to {number}"
        yield from case.to_set(wider, "parallelism", number, label)


def _one_subtask(case: CheckCase) -> Iterator[Found]:
    for position, edge, source, target in _edges(case):
        everything = edge.partitioner_class == "GlobalPartitioner" and target.parallelism > 1
        declared = case.declared(target)
        alone = declared is not None and KINDS[declared.type].alone and source.parallelism > 1
        if not everything and not alone:
            continue
        yield of_edge(
            case,
            position,
            f"All records of {source.name} go to one subtask of {target.name}"
            + (f"; {target.parallelism - 1:,} of its subtasks get none." if everything else "."),
            _partitioner(edge, (source, target), None) if everything else (),
        )


def _more_slots(case: CheckCase) -> Iterator[Found]:
    compilation = case.compiled
    groups = slots_by_group(compilation.job_graph)
    required, widest = sum(groups.values()), max(groups.values(), default=0)
    if len(groups) <= 1 or compilation.settings.slot_groups_by_region or widest < 1:
        return
    named = [
        transformation
        for transformation in case.transformations
        if transformation.slot_sharing_group not in {None, "default"}
    ]
    nodes = [n for n in compilation.stream_graph.nodes if n.slot_sharing_group != "default"]
    changes = tuple(
        SetField(id=transformation.id, field="slot_sharing_group", value=None)
        for transformation in case.transformations
        if transformation.slot_sharing_group is not None
    )
    label = f"Put {listed([item.id for item in named][:4])} back into one group" if named else ""
    yield of_operators(
        nodes,
        f"{counted(len(groups), 'slot sharing group')} ask for {required:,} slots "
        f"({' + '.join(f'{slots:,}' for slots in groups.values())}); in one group the job would "
        f"run in {widest:,}.",
        case.path_of(named[0].id, "slot_sharing_group") if named else "",
        (Proposal(label=label, change=Together(changes=changes)),) if named else (),
    )


def _one_task(case: CheckCase) -> Iterator[Found]:
    compilation = case.compiled
    if len(compilation.job_graph.vertices) != 1 or len(compilation.stream_graph.nodes) <= 1:
        return
    vertex = compilation.job_graph.vertices[0]
    last = compilation.stream_graph.nodes[-1]
    yield Found(
        message=f"The whole job is the one task {vertex.name}: no record crosses the network, so "
        "the task's records in and out stay 0 while it works.",
        nodes=tuple(compilation.stream_graph.by_id),
        path=case.path(last),
        proposals=case.new_chain(last),
    )


def _no_timestamps(case: CheckCase) -> Iterator[Found]:
    for windowed in case.transformations:
        window = windowed.window
        if window is None or not window.in_event_time or _has_timestamps(case, windowed):
            continue
        consequence = "Flink fails at the first record: it has no timestamp marker"
        if window.assigner == "session":
            consequence = "all records fall into one session at the smallest timestamp"
        node = case.operator(windowed.id)
        in_processing_time = replace(windowed, window=replace(window, time="processing"))
        change = ReplaceTransformation(transformation=in_processing_time)
        yield Found(
            message=f"{windowed.id} is an event-time window, and nothing before it assigns "
            f"timestamps: unless its source does, {consequence}.",
            nodes=(node.id,) if node else (),
            about=(windowed.id,),
            path=case.path_of(windowed.id, "window"),
            proposals=(Proposal(label=f"Let {windowed.id} use processing time", change=change),),
        )


def _has_timestamps(case: CheckCase, operator: Transformation) -> bool:
    """Whether every path from a source passes an operator that assigns timestamps."""
    waiting, visited = list(operator.inputs), set[str]()
    while waiting:
        id = waiting.pop()
        transformation = case.by_id[id]
        if id in visited or assigns_timestamps(transformation):
            continue
        visited.add(id)
        if not transformation.inputs:
            return False
        waiting += transformation.inputs
    return True


STREAM_RULES: Final = (
    warning_rule(
        code="ED01",
        title="Flink put a REBALANCE before an operator to which the order of records matters.",
        why="Between operators of different parallelism Flink distributes records round-robin. "
        "Two records of one key then go to different subtasks and may overtake each other: "
        "an update arrives before its insert, and a sink writes the older value last.",
        todo="Give both ends the same parallelism, or partition the stream by key before the "
        "operator.",
        finds=_inserted_rebalance,
    ),
    note_rule(
        code="ED02",
        by_api=True,
        title="FORWARD is set explicitly.",
        why="Without a partitioner Flink uses FORWARD while both operators have the same "
        "parallelism, and REBALANCE otherwise. An explicit forward() is a requirement: with "
        "another parallelism of one of them Flink refuses the job.",
        todo="Leave forward() out, unless that refusal is what you want.",
        finds=_explicit_forward,
    ),
    refusal_rule(
        code="ED03",
        title="FORWARD joins operators of different parallelism.",
        why="FORWARD sends each record to the subtask with the same index, so both operators "
        "need the same number of subtasks; Flink refuses the job.",
        todo="Remove forward(), or give both operators the same parallelism.",
        finds=_refused_forward,
        refusal="Forward partitioning does not allow",
    ),
    note_rule(
        code="ED04",
        by_api=True,
        title="A setting prevents chaining on an edge that every record of a source crosses.",
        why="Between chained operators a record is passed by a method call. Between tasks each "
        "record is serialised, put into a buffer and read by another thread, which may cost "
        "more than the operators themselves.",
        todo="Remove the setting; or list the two operators in expect.apart if they are to be "
        "separate.",
        finds=_cut_by_setting,
    ),
    note_rule(
        code="ED05",
        title="Chaining is off for the whole job.",
        why="Every operator is a task of its own, and every record is serialised between them. "
        "Generated operator IDs differ from those with chaining.",
        todo="Disable chaining only to observe operators one by one, and enable it again before "
        "the deployment.",
        finds=_chaining_off,
    ),
    note_rule(
        code="ED06",
        by_api=True,
        title="A legacy source prevents chaining of an operator that yields to its mailbox.",
        why="A legacy source emits from its own thread while it holds the checkpoint lock. An "
        "operator that waits for its mailbox in that thread would wait indefinitely, so "
        "Flink puts asynchronous operators and sink writers into another task.",
        todo="Use a FLIP-27 source.",
        finds=_behind_legacy_source,
        applies=lambda release: release.yielding_rule,
    ),
    warning_rule(
        code="ED07",
        title="An all-to-all exchange has very many channels.",
        why=f"Every subtask of the one side is joined to every subtask of the other. Each channel "
        f"needs buffers at both ends, and from about {MANY_CHANNELS:,} on jobs end with "
        "'Insufficient number of network buffers', start slowly and align checkpoints for long.",
        todo="RESCALE joins each subtask to a few of the other side, where records need no key; "
        "else lower the parallelism of one side, or raise the network memory.",
        finds=_many_channels,
    ),
    note_rule(
        code="ED08",
        title="All records go to one subtask.",
        why="GLOBAL sends everything to the first subtask, and windowAll has only one: the job is "
        "as fast as that one, whatever its parallelism.",
        todo="Partition by a key, or aggregate by key first and the few results in one subtask.",
        finds=_one_subtask,
    ),
    note_rule(
        code="ED09",
        title="The whole job is one task.",
        why="Flink counts records of a task where they cross the network. A job that is one "
        "chain has no such edge: its dashboard shows 0 records received and 0 sent although "
        "the job works.",
        todo="Look at the operators' own metrics, or start a new chain to see figures.",
        finds=_one_task,
    ),
    warning_rule(
        code="ED10",
        title="An event-time window has no timestamps before it.",
        why="Tumbling and sliding event-time windows throw at a record without a timestamp; a "
        "session window uses the smallest timestamp for it, which no watermark ever passes.",
        todo="Assign timestamps and watermarks before the window, or let the source do so and "
        "silence the finding.",
        finds=_no_timestamps,
    ),
    note_rule(
        code="SL01",
        by_api=True,
        title="Slot sharing groups ask for more slots than one group would.",
        why="Within a group the subtasks of different tasks share slots; between groups they do "
        "not. A job needs, for each group, as many slots as its widest task has subtasks. An "
        "operator in another group than its neighbour cannot chain to it either.",
        todo="Keep a group only for what must not share a slot; a reason for that can silence the "
        "finding.",
        finds=_more_slots,
    ),
)
"""Rules about edges, chains and slots."""
