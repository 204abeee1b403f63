"""Changes from one program to the next that affect a deployment, with their effects.

``compare`` has the changes of IDs and tasks. Here are the other ones: settings of the job, of
operators and of the streams between them. A row is a fact: its field, its name, and the effect of
a change.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from explorer.deployment.slots import slots_by_group
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.flink.execution_graph import ExecutionJobVertex
from explorer.flink.key_groups import moved_key_groups
from explorer.flink.operator_state import operator_class
from explorer.flink.releases import LATEST
from explorer.lookup.identity import edge_identities
from explorer.model.document import Document
from explorer.model.stream_graph import NodeId, StreamNode
from explorer.wording import listed


class JobChange(msgspec.Struct, frozen=True, kw_only=True):
    """One fact that differs."""

    where: str
    """``the job``, an operator's name, or an edge as ``words → count``."""
    what: str
    before: str
    after: str
    means: str
    node: NodeId | None = None
    """The new program's operator that it is about."""
    edge: int | None = None
    """Position of the new program's stream edge that it is about."""

    @property
    def sentence(self) -> str:
        """The change on one line."""
        return f"{self.where}: {self.what} {self.before} → {self.after}. {self.means}"


class _Both(NamedTuple):
    """Both programs, and the old operators mapped to the new ones."""

    before: Compilation
    after: Compilation
    new_node_of: Mapping[NodeId, NodeId]


class _Fact(NamedTuple):
    """A row: a field of an operator, of a stream or of settings, its name and its effect."""

    field: str
    what: str
    means: str


_NODE: Final = (
    _Fact("name", "name", "Metrics, dashboards, alerts and logs use the old name."),
    _Fact(
        "slot_sharing_group",
        "slot sharing group",
        "Its subtasks run in slots of that group alone: the job may need more slots, and an edge "
        "between two groups never chains.",
    ),
    _Fact(
        "co_location_group",
        "co-location group",
        "Subtasks of one number in that group share a slot.",
    ),
    _Fact(
        "chaining_strategy",
        "chaining strategy",
        "It decides which operators share its task; without uids IDs depend on that.",
    ),
    _Fact(
        "buffer_timeout",
        "buffer timeout",
        "Records wait up to this many ms for a buffer to fill: a smaller value lowers latency, "
        "a larger one raises throughput.",
    ),
    _Fact(
        "operator_memory_weight",
        "managed memory weight",
        "Its share of the slot's managed memory changes, and so do those of the other operators "
        "in the slot.",
    ),
    _Fact(
        "resources",
        "resources",
        "Its slot requests these resources; the cluster must offer such slots.",
    ),
    _Fact("uid", "uid", "Its ID is computed from the uid alone."),
    _Fact("uid_hash", "uid hash", "A restore looks for its state under this ID too."),
    _Fact(
        "vertex_class", "task class", "Its task is run by another class, with inputs of its own."
    ),
)
"""The compared fields of an operator, without its parallelism and its maximum."""

_CLASSES: Final = (
    _Fact(
        "function",
        "function class",
        "Other code runs; a restore hands it the state that the old function registered.",
    ),
    _Fact("input_types", "input types", "Key types and state types may have changed with them."),
    _Fact("output_type", "output type", "Operators that read it get records of another type."),
)
"""The compared fields of the function and the types of two captured operators."""

_SETTINGS: Final = (
    _Fact(
        "batch",
        "batch mode",
        "Stages run one after the other on blocking results; there are no checkpoints, and no "
        "savepoint is restored.",
    ),
    _Fact("parallelism", "default parallelism", "It applies to operators that set none."),
    _Fact(
        "exchange_mode",
        "global exchange mode",
        "It decides which results are blocking where no exchange mode is set.",
    ),
    _Fact(
        "dynamic", "adaptive parallelism", "The scheduler decides the parallelism while it runs."
    ),
    _Fact(
        "chain_different_max_parallelism",
        "chaining across maximum parallelisms",
        "It decides whether operators of different maximum parallelisms may share a task.",
    ),
    _Fact("vertex_index_prefix", "index in task names", "Task names in metrics change."),
    _Fact("cascading_descriptions", "description of tasks", "Flink's UI shows chains differently."),
    _Fact(
        "object_reuse",
        "object reuse",
        "It decides whether operators of a task pass on the objects that they get, or copies of "
        "them.",
    ),
    _Fact(
        "slot_groups_by_region",
        "slot sharing by region",
        "Each pipelined region has slots of its own.",
    ),
    _Fact(
        "checkpoint_interval",
        "checkpoint interval",
        "Up to this many ms of work are repeated after a failure; None: there is no checkpoint, "
        "and the job starts without state.",
    ),
)
_CHECKPOINTING: Final = (
    _Fact(
        "mode",
        "checkpointing mode",
        "At least once lets records count twice after a failure; exactly once aligns barriers.",
    ),
    _Fact("timeout", "checkpoint timeout", "A checkpoint that takes longer is aborted."),
    _Fact(
        "min_pause",
        "pause between checkpoints",
        "The next checkpoint starts at least this many ms later.",
    ),
    _Fact(
        "max_concurrent", "concurrent checkpoints", "At most this many are in progress at a time."
    ),
    _Fact("tolerable_failures", "tolerable checkpoint failures", "One failure more fails the job."),
    _Fact(
        "retention",
        "retained checkpoints",
        "It decides whether a checkpoint is still there to restore from after a cancel.",
    ),
    _Fact(
        "unaligned",
        "unaligned checkpoints",
        "Checkpoints hold records in flight: from one of these neither chains nor partitioners may "
        "be changed; a savepoint has none of them.",
    ),
    _Fact(
        "force_unaligned",
        "forced unaligned checkpoints",
        "Flink's refusal of unaligned checkpoints is overridden.",
    ),
    _Fact("force", "forced checkpoints", "Records of an iteration in flight may be lost."),
)
_STREAM: Final = (
    _Fact(
        "partitioner",
        "partitioner",
        "Records go to other subtasks, and the order between them may change.",
    ),
    _Fact(
        "exchange",
        "exchange mode",
        "It decides whether the consumer waits until the producer has finished.",
    ),
    _Fact(
        "chained",
        "chained",
        "Chained: a record is passed by a method call; otherwise it is serialised and crosses a "
        "network channel.",
    ),
    _Fact(
        "result",
        "exchange type",
        "Pipelined: both tasks run at the same time; blocking: everything is written before it "
        "is read.",
    ),
)
_UNSIZED: Final = (
    _Fact("parallelism", "parallelism", "More or fewer subtasks share its work."),
    _Fact(
        "max_parallelism",
        "maximum parallelism",
        "The restore of a savepoint of the old version is refused.",
    ),
)
"""The fields of an operator where an execution graph cannot be made."""
NONE: Final = "none"
_JOB: Final = "the job"


def job_changes(
    previous: Compilation, following: Compilation, pairs: Mapping[NodeId, NodeId]
) -> tuple[JobChange, ...]:
    """Return all differences except IDs: the job's, then operators', then edges'.

    ``pairs``: maps nodes of ``previous`` to the nodes of ``following`` that are the same operators.
    """
    compilations = _Both(previous, following, pairs)
    return (
        *_job(compilations),
        *_operators(compilations),
        *_edges(compilations),
        *_size(compilations),
    )


def document_changes(old: Document, new: Document) -> Iterator[JobChange]:
    """Yield the differences of two documents that no compilation has: name, release, options."""
    means = "Dashboards and savepoint folders contain the name."
    yield from _change(_JOB, "name", old.name, new.name, means)
    means = "IDs, chains and names follow the rules of that release; Compare lists what differs."
    yield from _change(_JOB, "Flink release", old.flink or LATEST, new.flink or LATEST, means)
    means = "The cluster reads it when the job is submitted."
    for name in sorted({*old.options, *new.options}):
        previous, following = (document.options.get(name, NONE) for document in (old, new))
        yield from _change(_JOB, f"option {name}", previous, following, means)


def _change(
    place: str,
    what: str,
    previous: object,
    following: object,
    means: str,
    node: NodeId | None = None,
) -> Iterator[JobChange]:
    is_text = isinstance(previous, str) and isinstance(following, str)
    if is_text and str(previous).split() == str(following).split():
        return  # a line feed, which a cluster's texts have in places of their own
    if previous != following:
        texts = _text(previous), _text(following)
        yield JobChange(
            where=place, what=what, before=texts[0], after=texts[1], means=means, node=node
        )


def _text(value: object) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case msgspec.Struct():
            members = msgspec.structs.asdict(value)
            return ", ".join(f"{name} {item}" for name, item in members.items())
        case int():
            return f"{value:,}"
        case tuple():
            return ", ".join(map(str, value)) or NONE
        case _:
            return NONE if value is None else str(value)


def _facts(
    rows: Sequence[_Fact], place: str, old: object, new: object, node: NodeId | None = None
) -> Iterator[JobChange]:
    for row in rows:
        old_value, new_value = getattr(old, row.field), getattr(new, row.field)
        if old_value != new_value:
            yield from _change(place, row.what, old_value, new_value, row.means, node)


def _job(compilations: _Both) -> Iterator[JobChange]:
    old, new = compilations.before.settings, compilations.after.settings
    yield from _facts(_SETTINGS, _JOB, old, new)
    means = "Task managers are cut into slots of this size, as far as their resources last."
    for name in sorted({*old.slot_profiles, *new.slot_profiles}):
        was, becomes = (settings.slot_profiles.get(name, "default") for settings in (old, new))
        yield from _change(_JOB, f"slots of group {name}", was, becomes, means)
    # Flink reports a mode of jobs that take no checkpoints, 2.0 another one than 1.20.
    is_on = all(settings.checkpoint_interval is not None for settings in (old, new))
    facts = _CHECKPOINTING if is_on else _CHECKPOINTING[1:]
    yield from _facts(facts, _JOB, old.checkpointing, new.checkpointing)
    previous, following = (
        compilation.stream_graph.chaining_enabled
        for compilation in (compilations.before, compilations.after)
    )
    means = "Every operator runs in a task of its own where it is off; IDs without uids change."
    yield from _change(_JOB, "chaining", previous, following, means)


_UNREPORTED: Final = ("uid", "vertex_class")


def _operators(compilations: _Both) -> Iterator[JobChange]:
    old_nodes, new_nodes = (
        compilations.before.stream_graph.by_id,
        compilations.after.stream_graph.by_id,
    )
    keyed = compilations.before.held_states
    sized = _have_execution_graphs(compilations)
    for node_id, current_node_id in compilations.new_node_of.items():
        old, new = old_nodes[node_id], new_nodes[current_node_id]
        # A cluster reports no uids, and the number of a task's inputs, not the operators'.
        is_guess = old.is_reported != new.is_reported
        facts = [fact for fact in _NODE if not (is_guess and fact.field in _UNREPORTED)]
        yield from _facts(facts, new.name, old, new, current_node_id)
        yield from _contents(old, new)
        if sized:
            vertices = (
                compilations.before.execution_vertex(node_id),
                compilations.after.execution_vertex(current_node_id),
            )
            yield from _widths(new, vertices, keyed="keyed" in keyed[node_id].what)
        else:
            yield from _facts(_UNSIZED, new.name, old, new, current_node_id)


def _contents(old: StreamNode, new: StreamNode) -> Iterator[JobChange]:
    """Compare description, operator class, function and types, where both sides know them."""
    if old.description is not None or new.description is not None:
        means = "Another description, such as another plan node of SQL: its work may differ."
        texts = old.description or old.name, new.description or new.name
        yield from _change(new.name, "description", *texts, means, new.id)
    if old.operator is not None and new.operator is not None:
        classes = operator_class(old.operator), operator_class(new.operator)
        means = "Another operator runs; it need not read the state of the old one."
        yield from _change(new.name, "operator class", *classes, means, new.id)
        yield from _facts(_CLASSES, new.name, old.operator, new.operator, new.id)


def _widths(
    node: StreamNode, vertices: tuple[ExecutionJobVertex, ExecutionJobVertex], *, keyed: bool
) -> Iterator[JobChange]:
    old, new = vertices
    means = "More or fewer subtasks share its work, and slots."
    if keyed and 0 < new.parallelism <= old.max_parallelism and old.decided:
        moved = moved_key_groups(old.max_parallelism, old.parallelism, new.parallelism)
        means = f"{moved:,} of {old.max_parallelism:,} key groups get another subtask."
    elif new.parallelism > old.max_parallelism:
        means = (
            f"More subtasks than the {old.max_parallelism:,} key groups of a savepoint: the "
            "restore of a stateful task is refused."
        )
    yield from _change(node.name, "parallelism", old.parallelism, new.parallelism, means, node.id)
    old_limit, new_limit = (
        f"{vertex.max_parallelism:,} ({'derived' if vertex.max_parallelism_derived else 'set'})"
        for vertex in vertices
    )
    if new.max_parallelism_derived:
        means = (
            "A savepoint brings its own maximum, which holds where it has all operators of the "
            "task; a fresh start has the new one."
        )
    elif old.max_parallelism == new.max_parallelism:
        means = "Once set, it no longer depends on the parallelism."
    else:
        means = (
            "State is stored by key group; their number is fixed: a savepoint of the old maximum "
            "is refused. Only a new start, or the State Processor API, changes it."
        )
    yield from _change(node.name, "maximum parallelism", old_limit, new_limit, means, node.id)


def _have_execution_graphs(compilations: _Both) -> bool:
    """Whether both execution graphs can be made."""
    try:
        compilations.before.execution_graph, compilations.after.execution_graph  # noqa: B018 - whether both are there
    except ExplorerError:
        return False
    return True


class _TaskStream(NamedTuple):
    """An edge between tasks, or within one."""

    position: int
    partitioner: str
    exchange: str
    chained: bool
    result: str


def _edges(compilations: _Both) -> Iterator[JobChange]:
    old, new = (
        _streams(compilations.before, compilations.new_node_of.get),
        _streams(compilations.after, lambda node: node),
    )
    names = compilations.after.stream_graph.by_id
    for ends in (ends for ends in old if ends in new):
        was, task_stream = old[ends], new[ends]
        edge = compilations.after.stream_graph.edges[task_stream.position]
        place = f"{names[edge.source].name} → {names[edge.target].name}"
        for change in _facts(_STREAM, place, was, task_stream):
            if change.what == "exchange type" and was.chained != task_stream.chained:
                continue
            means = change.means
            if change.what == "chained":
                means = f"{means} {_failed_conditions(compilations, was, task_stream)}".rstrip()
            yield msgspec.structs.replace(change, means=means, edge=task_stream.position)


def _failed_conditions(compilations: _Both, was: _TaskStream, task_stream: _TaskStream) -> str:
    """Name the conditions of chaining that fail now, or that failed before."""
    compilation, position = (
        (compilations.before, was.position)
        if task_stream.chained
        else (compilations.after, task_stream.position)
    )
    failed = [
        f"{verdict.code} ({verdict.values})" for verdict in compilation.decision(position).failed
    ]
    condition = (
        "failed before" if task_stream.chained else "fails now" if len(failed) == 1 else "fail now"
    )
    return f"{listed(failed)} {condition}." if failed else ""


def _streams(
    compilation: Compilation, number: Callable[[NodeId], NodeId | None]
) -> dict[tuple[object, ...], _TaskStream]:
    """Map ends, input and side output to each edge; ``number`` identifies the ends."""
    graph = compilation.stream_graph
    results = {edge.stream_edge: edge.result_type for edge in compilation.job_graph.edges}
    return {
        (number(edge.source), number(edge.target), edge.type_number, edge.side_output, turn): (
            _TaskStream(
                position=position,
                partitioner=edge.partitioner,
                exchange=edge.exchange_mode,
                chained=position not in results,
                result=results.get(position, NONE),
            )
        )
        for position, (edge, (_, turn)) in enumerate(
            zip(graph.edges, edge_identities(graph), strict=True)
        )
    }


def _size(compilations: _Both) -> Iterator[JobChange]:
    if not _have_execution_graphs(compilations):
        return
    old, new = (
        compilation.execution_graph.counts
        for compilation in (compilations.before, compilations.after)
    )
    means = "Each is a thread, deployed and scheduled."
    yield from _change(_JOB, "subtasks", old.subtasks, new.subtasks, means)
    means = "Each takes network buffers on both sides."
    yield from _change(_JOB, "channels", old.edges, new.edges, means)
    were, are = (
        sum(slots_by_group(compilation.job_graph).values())
        for compilation in (compilations.before, compilations.after)
    )
    means = "The cluster must have them free, or the job waits for them."
    yield from _change(_JOB, "slots", were, are, means)
