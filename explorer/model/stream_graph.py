"""The StreamGraph: one node an operator, one edge a stream between two of them.

Mirrors ``StreamGraph``, ``StreamNode`` and ``StreamEdge`` of Flink's ``streaming.api.graph``.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import is_
from typing import Final, NewType

import msgspec

from explorer.model.frozen import FrozenRecord
from explorer.model.pipeline import Alignment, ChainingStrategy, ExchangeMode, Resources
from explorer.model.serializer_types import DeclaredTypes

NodeId = NewType("NodeId", int)
"""A transformation's number in Flink's counter; iteration nodes count down from -1."""

DEFAULT_BUFFER_TIMEOUT: Final = 100
"""What a graph has that names no buffer timeout: Flink's default in most releases."""

SOURCE_PREFIX: Final = "Source: "
SINK_PREFIX: Final = "Sink: "
"""What Flink puts before the name of a source, and of a sink that is a ``SinkFunction``."""
WRITER_ENDING: Final = ": Writer"
"""What Flink puts behind the name of a Sink V2's first operator, which yields."""

ITERATION_HEAD: Final = "StreamIterationHead"
ITERATION_TAIL: Final = "StreamIterationTail"
"""The classes of an iteration's ends: tasks without an operator, which Flink names by these."""
ITERATION_ENDS: Final = (ITERATION_HEAD, ITERATION_TAIL)


def bare_name(name: str) -> str:
    """An operator's name without the prefix of a source or a sink.

    >>> bare_name("Source: flights"), bare_name("a: b")
    ('flights', 'a: b')
    """
    prefixes = (SOURCE_PREFIX, SINK_PREFIX)
    return name.removeprefix(next(filter(name.startswith, prefixes), ""))


class PatternStage(FrozenRecord, frozen=True, kw_only=True, gc=False):
    """A ``State`` of a pattern's ``NFA``."""

    name: str
    """As partial matches in it name it: a quantifier adds stages, as ``b:0`` to ``b``."""
    kind: str
    """``StateType``: ``Start``, ``Normal``, ``Pending``, ``Stop`` or ``Final``."""
    transitions: tuple[str, ...] = ()
    """Actions with the stages that they lead to, as ``TAKE c``, sorted."""
    within: int | None = None
    """Milliseconds since the previous event; None: no limit of its own."""


class EventPattern(FrozenRecord, frozen=True, kw_only=True, gc=False):
    """The pattern of a ``CepOperator``: of the CEP library, or of ``MATCH_RECOGNIZE``."""

    stages: tuple[PatternStage, ...]
    """Sorted by name."""
    within: int | None = None
    """Milliseconds from the first to the last event; None: no limit."""
    skip: str | None = None
    """Its ``AfterMatchSkipStrategy``, as it prints itself; None: ``noSkip``."""


class EventTime(FrozenRecord, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """What an operator's name and description do not show of event time; all in milliseconds."""

    idleness: int | None = None
    """``withIdleness``: after it a source without records counts as idle."""
    alignment: Alignment | None = None
    """The group of ``withWatermarkAlignment``."""
    window_offset: int = 0
    """By which windows begin later than at multiples of their distance."""
    allowed_lateness: int = 0
    """For which a window accepts records after its end."""


class OperatorFacts(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a captured program's operator consists of; nothing is computed from it."""

    factory: str | None = None
    """The class of its ``StreamOperatorFactory``."""
    class_name: str | None = None
    """The operator's own class, where the factory reveals it."""
    function: str | None = None
    """The class of the program's function, source or sink."""
    input_types: tuple[str, ...] = ()
    output_type: str | None = None
    slot_memory_use_cases: tuple[str, ...] = ()
    """What else it needs managed memory of its slot for, such as STATE_BACKEND."""
    windows: str | None = None
    """Of a window operator, its assigner, trigger and evictor as they print themselves."""
    pattern: EventPattern | None = None
    """None: it has no pattern, or an older capture did not record it."""
    hybrid_sources: tuple[str, ...] = ()
    """The classes of a ``HybridSource``'s sources, in their order; empty for one that is made only
    at its turn."""
    declared: DeclaredTypes | None = None
    """Its serializers; None: an older capture did not record them."""


class Synthetic(FrozenRecord, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """What a trial runs in place of an operator with an unknown function."""

    records: int | None = None
    """Of a source: how many records its subtasks send together; None: as many as by default."""
    records_out: float | None = None
    """Records that go on for each record that comes in; None: it goes on itself."""
    side_outputs: Mapping[str, float] = {}
    """By tag, records that go to the side output for each record that comes in."""
    cost: float = 0.0
    """Microseconds that each record costs."""


class StreamNode(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One operator of the program, as the StreamGraph holds it."""

    id: NodeId
    name: str
    description: str | None = None
    """Flink's operator description; None where it equals the name."""
    parallelism: int
    max_parallelism: int = -1
    slot_sharing_group: str | None = "default"
    co_location_group: str | None = None
    uid: str | None = None
    uid_hash: str | None = None
    operator_id: str | None = None
    """The ID that a running job has for it, whatever gave it; None: it is computed."""
    buffer_timeout: int = DEFAULT_BUFFER_TIMEOUT
    """Milliseconds; 0 flushes each record, -1 only full buffers."""
    chaining_strategy: ChainingStrategy | None = "ALWAYS"
    """None: the node has no operator (the ends of an iteration)."""
    strategy_is_assumed: bool = False
    """Whether it came from a plan, which reports no chaining strategies."""
    yielding: bool = False
    legacy_source: bool = False
    vertex_class: str = "OneInputStreamTask"
    supports_concurrent_attempts: bool | None = None
    transformation: str | None = None
    """The id, in the pipeline document, of the transformation that it comes from."""
    operator_memory_weight: int | None = None
    """Weight of the OPERATOR use case of managed memory; None: it declares none."""
    parallelism_configured: bool = True
    """Whether the program sets its parallelism, rather than the environment or a scheduler."""
    resources: Resources | None = None
    tags: int = 0
    """The input, 1 or 2, of a join or coGroup for which it tags rows; 0: it is no tagger."""
    sink: bool = False
    """Whether the execution plan calls it a data sink."""
    input_format: str | None = None
    output_format: str | None = None
    output_selectors: tuple[str, ...] = ()
    """The ``split`` calls that select among its outputs, by id; of a captured program the classes
    of their ``OutputSelector``."""
    input_selectable: bool = False
    output_only_after_end_of_stream: bool = False
    """Whether it emits nothing before its input has ended, as a sort of the whole input does."""
    consumed_data_set: str | None = None
    """ID of the cluster data set that it reads, which an earlier job's ``cache()`` produced."""
    event_time: EventTime | None = None
    """None: it sets nothing of this."""
    operator: OperatorFacts | None = None
    synthetic: Synthetic | None = None

    @property
    def is_reported(self) -> bool:
        """Whether a plan or a cluster reported it by name, without transformation and classes."""
        return self.transformation is None and self.operator is None

    @property
    def new_source(self) -> bool:
        """Whether its factory is a ``SourceOperatorFactory`` (FLIP-27)."""
        return self.vertex_class == "SourceOperatorStreamTask"

    @property
    def strategy_words(self) -> str:
        """Its chaining strategy; one that nothing reported is called assumed."""
        strategy = self.chaining_strategy or "no strategy"
        return f"{strategy}, assumed" if self.strategy_is_assumed else strategy

    @property
    def directs_records(self) -> bool:
        """Whether a record goes only to the outputs that a selector names.

        An iteration's head has selectors, and no operator that calls them.
        """
        return bool(self.output_selectors) and self.vertex_class != ITERATION_HEAD

    @property
    def handle(self) -> str:
        """What its document calls it: by its transformation's id, else by its name."""
        return self.transformation or self.name

    @property
    def names(self) -> set[str]:
        """All names of the operator: number, name, bare name, transformation."""
        return {str(self.id), self.name, bare_name(self.name), self.handle}


class StreamEdge(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A stream from one operator to another."""

    source: NodeId
    target: NodeId
    type_number: int = 0
    """Which input of the target: 0 for its only one, else 1, 2, ..."""
    partitioner: str
    """What ``StreamPartitioner.toString`` prints: FORWARD, HASH, HASH[f1], ..."""
    partitioner_class: str
    """Its class, which is what counts; empty where neither class nor text names one of Flink's."""
    pointwise: bool | None = None
    """Result of its ``isPointwise``; known only for a class of the program's own."""
    hash_partitioner: str | None = None
    """Text of the partitioner wrapped by a ``ForwardForConsecutiveHashPartitioner``."""
    exchange_mode: ExchangeMode = "UNDEFINED"
    side_output: str | None = None
    selected_names: tuple[str, ...] = ()
    """The output names by which an ``OutputSelector`` of the source node selects the edge; empty:
    the edge carries every record."""
    buffer_timeout: int = DEFAULT_BUFFER_TIMEOUT
    unique_id: int = 0
    """How many edges between the same two nodes were there before it."""
    intermediate_data_set: str | None = None
    """ID of the data set that ``DataStream.cache()`` produces; it makes a blocking result
    BLOCKING_PERSISTENT."""
    supports_unaligned_checkpoints: bool = True
    """Whether its records may be part of a checkpoint; False for the edges that ask for order."""
    keys: tuple[str, ...] | None = None
    """The key columns of a HASH edge, where the document names them."""
    selector: str | None = None
    """Owner of a HASH or CUSTOM edge's key selector or custom partitioner, such as the id of the
    transformation that brought it: equal where they are one object. None: no other edge has it."""
    via: tuple[str, ...] = ()
    """Ids of the virtual transformations (partition, union, side output) passed, source first."""


class StreamGraph(FrozenRecord, frozen=True, kw_only=True, dict=True):
    """All nodes and edges, in the order in which Flink adds them.

    ``in_edges`` and ``out_edges`` hold, by node id, positions in ``edges`` in Flink's order.
    """

    nodes: tuple[StreamNode, ...]
    edges: tuple[StreamEdge, ...]
    sources: tuple[NodeId, ...]
    chaining_enabled: bool = True
    in_edges: Mapping[NodeId, tuple[int, ...]]
    out_edges: Mapping[NodeId, tuple[int, ...]]
    by_id: Mapping[NodeId, StreamNode]

    def node(self, id: NodeId) -> StreamNode:
        """The node numbered ``id``; raises ``KeyError`` when there is none."""
        return self.by_id[id]

    @cached_property
    def ids_by_name(self) -> Mapping[str, set[NodeId]]:
        """By each name of an operator, the nodes that have it."""
        ids = defaultdict(set)
        for node in self.nodes:
            for name in node.names:
                ids[name].add(node.id)
        return dict(ids)

    def with_nodes(self, nodes: tuple[StreamNode, ...]) -> "StreamGraph":
        """The same edges between other nodes of the same numbers."""
        by_id = {node.id: node for node in nodes}
        return msgspec.structs.replace(self, nodes=nodes, by_id=by_id)

    def connects_as(self, other: "StreamGraph") -> bool:
        """Whether both graphs connect the same numbers by edges in the same order."""
        mine, theirs = ((g.in_edges, g.out_edges) for g in (self, other))
        return self.sources == other.sources and (
            all(map(is_, mine, theirs))
            or (list(self.by_id) == list(other.by_id) and mine == theirs)
        )

    @classmethod
    def of(
        cls,
        nodes: tuple[StreamNode, ...],
        edges: tuple[StreamEdge, ...],
        sources: tuple[NodeId, ...],
        *,
        chaining_enabled: bool = True,
    ) -> "StreamGraph":
        """Index ``nodes`` and ``edges``; both in Flink's order."""
        by_id = {node.id: node for node in nodes}
        return cls(
            nodes=nodes,
            edges=edges,
            sources=sources,
            chaining_enabled=chaining_enabled,
            in_edges=_positions(by_id, [edge.target for edge in edges]),
            out_edges=_positions(by_id, [edge.source for edge in edges]),
            by_id=by_id,
        )


def _positions(nodes: Iterable[NodeId], ends: Sequence[NodeId]) -> Mapping[NodeId, tuple[int, ...]]:
    """By node, where it stands among ``ends``: most stand there once, and need no list."""
    result: dict[NodeId, tuple[int, ...]] = dict.fromkeys(nodes, ())
    several: dict[NodeId, list[int]] = {}
    for position, end in enumerate(ends):
        if not result[end]:
            result[end] = (position,)
        elif end in several:
            several[end].append(position)
        else:
            several[end] = [*result[end], position]
    result.update((end, tuple(positions)) for end, positions in several.items())
    return result
