"""Generation of the nodes and edges of a program.

Mirrors ``StreamGraphGenerator.generate`` and ``transform`` with its translators. Flink recurses
from each registered transformation to its inputs; this traverses in the same order with its own
stack.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Final

import msgspec

from explorer.flink.edge_limit import MOST_EDGES
from explorer.flink.kinds import KINDS, own_keys, types_with
from explorer.flink.passes.generation import job_settings
from explorer.flink.passes.generation.graph import (
    GrowingGraph,
    Inputs,
    Stream,
    number,
    partitioned,
    selected,
    tagged,
)
from explorer.flink.passes.generation.nodes import (
    NodeMaker,
    sink_part,
    with_inherited_fields,
    without_ignored,
)
from explorer.flink.passes.generation.options import configured, option_warnings
from explorer.flink.passes.generation.support import (
    GraphSize,
    check_calls,
    check_iteration,
    check_operators,
    check_release,
    check_split,
    unbounded_sources,
)
from explorer.flink.passes.generation.taggers import with_taggers
from explorer.flink.releases import Release
from explorer.model.chains import JobSettings
from explorer.model.pipeline import Environment, ExchangeMode, Pipeline, Transformation
from explorer.model.stream_graph import (
    ITERATION_HEAD,
    ITERATION_TAIL,
    NodeId,
    StreamGraph,
    StreamNode,
)


class Generated(msgspec.Struct, frozen=True, kw_only=True):
    """A StreamGraph with its settings and warnings."""

    stream_graph: StreamGraph
    settings: JobSettings
    warnings: tuple[str, ...]


def generate(
    pipeline: Pipeline,
    release: Release,
    *,
    iterations_before: int = 0,
    most_edges: int = MOST_EDGES,
) -> Generated:
    """Translate ``pipeline`` as Flink's ``StreamGraphGenerator`` does.

    ``iterations_before``: how many iterations the JVM has numbered already; Flink's counter of
    iteration nodes is static. Raises ``FlinkRefusalError`` where Flink throws,
    ``UnsupportedReleaseError`` where ``release`` has no such transformation, and ``TooLargeError``
    before the graph has more than ``most_edges``.
    """
    check_release(pipeline, release)
    environment = configured(pipeline.environment, release)
    declared = with_setters(pipeline)
    check_calls(pipeline, declared, environment, release)
    check_operators(pipeline)
    job = job_settings.job_settings(environment, release, unbounded_sources(pipeline, release))
    size = GraphSize(pipeline=pipeline, most_edges=most_edges)
    if types_with(lambda kind: kind.tagger, pipeline):
        declared = with_taggers(declared.values())
    generator = _Generator(declared, environment, release, job, iterations_before, size)
    registered = types_with(lambda kind: kind.registered, pipeline)
    for transformation in declared.values():
        # ``StreamGraphGenerator.generate`` starts at what
        # ``StreamExecutionEnvironment.addOperator`` was called for. A source is met as an input
        # only: one that nobody reads is no node.
        if transformation.type in registered:
            generator.transform(transformation)
    chaining = job_settings.chaining_enabled(environment)
    return Generated(
        stream_graph=generator.graph.finished(chaining_enabled=chaining),
        settings=job,
        warnings=program_warnings(pipeline, release),
    )


def with_setters(pipeline: Pipeline) -> dict[str, Transformation]:
    """By id, the transformations with those fields alone that their API classes can set."""
    ignoring = types_with(lambda kind: kind.ignored, pipeline)
    return {t.id: without_ignored(t) if t.type in ignoring else t for t in pipeline.transformations}


def program_warnings(pipeline: Pipeline, release: Release) -> tuple[str, ...]:
    """Sentences on the options and the fields of a program that have no effect."""
    options = option_warnings(pipeline.environment, release)
    return (*options, *job_settings.ignored_warnings(pipeline))


class _Generator:
    """State of one generation: the transformations that are done, and their streams."""

    def __init__(
        self,
        by_id: dict[str, Transformation],
        environment: Environment,
        release: Release,
        job: JobSettings,
        iterations_before: int,
        size: GraphSize,
    ) -> None:
        self.release, self.job, self.size = release, job, size
        self.numbers, self.last_number = number(by_id.values())
        self.last_iteration = -2 * iterations_before
        self.by_id = by_id
        self.feedback: dict[str, list[str]] = {}
        for t in by_id.values():
            if t.iteration is not None:
                self.feedback.setdefault(t.iteration, []).extend(t.inputs)
        self.maker = NodeMaker(environment, self.by_id, job, release)
        self.graph = GrowingGraph(dynamic=job.dynamic)
        self.streams: dict[str, tuple[Stream, ...]] = {}
        # Pending transformations and calls, the next one last.
        self.stack: list[Transformation | Callable[[], None]] = []

    def transform(self, transformation: Transformation) -> None:
        """Transform all inputs, first to last, then the transformation itself."""
        streams, stack = self.streams, self.stack
        stack.append(transformation)
        while stack:
            current = stack.pop()
            if not isinstance(current, Transformation):
                current()
            elif current.id not in streams:
                try:
                    inputs = list(map(streams.__getitem__, current.inputs))
                except KeyError:
                    missing = [self.by_id[id] for id in current.inputs if id not in streams]
                    stack += (current, *reversed(missing))
                else:
                    self._translate(current, inputs)

    def _translate(self, t: Transformation, inputs: Inputs) -> None:
        # What is neither node nor end is passed through: its inputs become no edges.
        kind = KINDS[t.type]
        self.size.add(sum(map(len, inputs)), t, node=kind.node or kind.ends)
        _TRANSLATORS.get(t.type, _Generator.transform_operator)(self, t, inputs)

    def _route(self, t: Transformation, streams: Iterable[Stream]) -> None:
        """Set the streams of ``t``, with ``t`` appended to their route."""
        self.streams[t.id] = tuple(
            msgspec.structs.replace(stream, route=(stream.route, t.id)) for stream in streams
        )

    def transform_union(self, t: Transformation, inputs: Inputs) -> None:
        self._route(t, chain.from_iterable(inputs))

    def transform_side_output(self, t: Transformation, inputs: Inputs) -> None:
        (streams,) = inputs
        # ``Transformation.getNewNodeId``: a virtual node for each input gets a number of the
        # counter that transformations are numbered by, so the nodes' numbers have gaps.
        self.last_number += len(streams)
        self.streams[t.id] = tuple(tagged(stream, t.id, t.tag or "") for stream in streams)

    def transform_split(self, t: Transformation, inputs: Inputs) -> None:
        """Add the selector to every node that the split reads; mirrors ``transformSplit``."""
        check_split(t, self.by_id)
        (streams,) = inputs
        for stream in streams:
            node = self.graph.nodes[stream.node]
            selectors = (*node.output_selectors, t.id)
            self.graph.nodes[node.id] = msgspec.structs.replace(node, output_selectors=selectors)
        self._route(t, streams)

    def transform_cache(self, t: Transformation, inputs: Inputs) -> None:
        """Add the node that fills a cache, only in a BATCH job; the job itself does not read it.

        Mirrors ``CacheTransformationTranslator``; the data set's ID is random in Flink.
        """
        (streams,) = inputs
        if self.job.batch:
            for stream in streams:
                written = msgspec.structs.replace(stream, data_set=t.id)
                node = self.maker.make_cache(t, self.numbers[t.id], self.graph.nodes[stream.node])
                self.graph.add(node, [(written,)])
        self._route(t, streams)

    def transform_select(self, t: Transformation, inputs: Inputs) -> None:
        (streams,) = inputs
        self.last_number += len(streams)
        self.streams[t.id] = tuple(selected(stream, t.id, t.names or ()) for stream in streams)

    def transform_partition(self, t: Transformation, inputs: Inputs) -> None:
        (streams,) = inputs
        self.last_number += len(streams)
        partitioner = KINDS[t.type].partitioner or str(t.partitioner)
        mode = self._exchange_mode(t.exchange_mode or "UNDEFINED")
        self.streams[t.id] = tuple(
            partitioned(stream, t.id, partitioner, mode, t.keys) for stream in streams
        )

    def _exchange_mode(self, mode: ExchangeMode) -> ExchangeMode:
        reset = not self.job.batch and self.release.streaming_resets_batch_exchange
        return "UNDEFINED" if mode == "BATCH" and reset else mode

    def transform_operator(self, t: Transformation, inputs: Inputs) -> None:
        keyed = self.maker.keyed_inputs(t)
        if KINDS[t.type].hidden:
            inputs = self._hidden_partitions(t, inputs)
        group = self.graph.common_group(inputs)
        node = self.maker.make_operator(t, self.numbers[t.id], group, keyed)
        self._add(t, node, inputs)
        self.streams[t.id] = (Stream(node=node.id),)

    def _add(self, t: Transformation, node: StreamNode, inputs: Inputs) -> None:
        """Add the node of ``t`` with the edges of its inputs; raise where Flink refuses it."""
        self.graph.add(node, inputs)
        self.maker.check(t, node)

    def _hidden_partitions(self, t: Transformation, inputs: Inputs) -> Inputs:
        """Insert the partitions that the call itself declares: a virtual node per input ID."""
        result = list(inputs)
        for position, partitioner in KINDS[t.type].hidden:
            self.last_number += len(result[position])
            result[position] = tuple(
                _partitioned_by_call(stream, t, position, partitioner)
                for stream in result[position]
            )
        return result

    def transform_sink(self, t: Transformation, inputs: Inputs) -> None:
        """Expand a sink as ``SinkTransformationTranslator`` does: writer, committer, global one.

        All parts are declared before the first is translated: the writer, and with a committer the
        partition that separates it, the committer; a global committer brings two more.
        """
        t = with_inherited_fields(t, self.release, self.maker.parallelism(t))
        first = self.last_number + 1
        commits = t.committer or t.global_committer
        late = self.release.global_committer_declared_late
        self.last_number += (5 if late else 6) if t.global_committer else 3 if commits else 1
        writer = self._sink_node(t, first, "Writer", inputs)
        self.streams[t.id] = ()
        if commits:
            self.last_number += 1
            written = [(self._separate(t, writer),)]
            committer = self._sink_node(t, first + 2, "Committer", written)
            if t.global_committer:
                self._global_committer(t, committer, None if late else first + 5)

    def _separate(self, t: Transformation, node: StreamNode) -> Stream:
        """A stream that a BATCH job writes completely before its reader starts."""
        mode = self._exchange_mode("BATCH")
        return partitioned(Stream(node=node.id), t.id, "FORWARD", mode)

    def _global_committer(self, t: Transformation, committer: StreamNode, id: int | None) -> None:
        """One subtask that commits what all wrote; without ``id`` it is declared only now.

        Mirrors ``StandardSinkTopologies`` and ``GlobalCommitterTransformationTranslator``.
        """
        self.last_number += 4 if id is None else 2
        id = id or self.last_number - 1
        alone = msgspec.structs.replace(t, parallelism=1, max_parallelism=1, co_location_group=None)
        inputs = [(partitioned(self._separate(t, committer), t.id, "GLOBAL"),)]
        self._sink_node(alone, id, "Global Committer", inputs)

    def _sink_node(self, t: Transformation, id: int, part: str, inputs: Inputs) -> StreamNode:
        keyed = part == "Writer" and self.maker.keyed_inputs(t)[0]
        group, operator = self.graph.common_group(inputs), sink_part(t, part, self.release)
        node = self.maker.make(t, NodeId(id), operator, group, keyed=keyed)
        self._add(t, node, inputs)
        return node

    def transform_iterate(self, t: Transformation, inputs: Inputs) -> None:
        """Make the pair of nodes that carries records back; mirrors ``transformFeedback``."""
        feedback = self.feedback.get(t.id, [])
        subtasks = self.maker.parallelism(t)
        check_iteration(
            t, self.numbers[t.id], subtasks, closed=bool(feedback), batch=self.job.batch
        )
        (streams,) = inputs
        head = self._iteration_end(t, "Source", ITERATION_HEAD)
        tail = self._iteration_end(t, "Sink", ITERATION_TAIL)
        self.graph.sources.append(head.id)
        self.streams[t.id] = (*streams, Stream(node=head.id))
        # Flink transforms one feedback after the other, and connects each before the next.
        self.stack.append(partial(self._share_slots, feedback, (head, tail)))
        for id in reversed(feedback):
            self.stack += (partial(self._feed_back, t, id, tail), self.by_id[id])

    def _feed_back(self, t: Transformation, id: str, tail: StreamNode) -> None:
        self.size.add(len(self.streams[id]), t, node=True)
        for stream in self.streams[id]:
            self.graph.add_edge(stream, tail, 0)

    def _share_slots(self, feedback: Sequence[str], ends: Sequence[StreamNode]) -> None:
        group = self.graph.common_group([self.streams[id] for id in feedback])
        for node in ends:
            # A split of the iteration may have given the head a selector in the meantime.
            nodes = self.graph.nodes[node.id]
            self.graph.nodes[node.id] = msgspec.structs.replace(nodes, slot_sharing_group=group)

    def _iteration_end(self, t: Transformation, end: str, vertex_class: str) -> StreamNode:
        # ``getNewIterationNodeId`` counts down from -1, the head before the tail.
        self.last_iteration -= 1
        subtasks = self.maker.parallelism(t)
        node = StreamNode(
            id=NodeId(self.last_iteration),
            name=f"Iteration{end}-{self.numbers[t.id]}",
            parallelism=subtasks,
            # Flink sets the tail's maximum to the parallelism itself.
            max_parallelism=subtasks if end == "Sink" else self.maker.max_parallelism(t),
            slot_sharing_group=None,
            co_location_group=f"IterationCoLocationGroup-{self.numbers[t.id]}",
            buffer_timeout=0,
            chaining_strategy=None,
            vertex_class=vertex_class,
            supports_concurrent_attempts=True if self.release.concurrent_attempts else None,
            transformation=t.id,
            sink=end == "Sink",
        )
        self.graph.nodes[node.id] = node
        return node


_TRANSLATORS: Final = {
    **{kind.type: _Generator.transform_partition for kind in KINDS.values() if kind.partitions},
    "union": _Generator.transform_union,
    "side_output": _Generator.transform_side_output,
    "split": _Generator.transform_split,
    "select": _Generator.transform_select,
    **{kind.type: _Generator.transform_cache for kind in KINDS.values() if kind.caches},
    "iterate": _Generator.transform_iterate,
    "sink_v2": _Generator.transform_sink,
}
"""By type, the method that translates it; the others become operators."""


def _partitioned_by_call(
    stream: Stream, t: Transformation, position: int, partitioner: str
) -> Stream:
    """The stream behind a partition that the document does not name.

    An interval join partitions again by the key selectors of its inputs; a join over windows has
    one selector for the union of both.
    """
    kind = KINDS[t.type]
    selector = stream.selector if kind.keyed else None
    keys = own_keys(t, position) if kind.key_selector == "own" else stream.keys
    result = partitioned(stream, t.id, partitioner, keys=keys, selector=selector)
    return msgspec.structs.replace(result, route=stream.route)
