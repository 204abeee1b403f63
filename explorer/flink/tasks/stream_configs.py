"""Compute the StreamConfig of every operator of a task, key by key, as a release writes it.

Mirrors ``StreamingJobGraphGenerator.setVertexConfig``, ``setManagedMemoryFraction`` and
``connect``; ``tests/golden/stream_configs.jsonl.gz`` has what sixteen releases write. Values that
a document does not show, as the serializers of a pipeline, are entries that are not ``known``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias, cast

from explorer.flink.compiler import Compilation
from explorer.flink.passes.slots import memory_fractions
from explorer.flink.releases import Behaviour, value_in
from explorer.flink.tasks.stream_config_facts import (
    has_output_type,
    input_serializer,
    is_configured,
    keyed_inputs,
    longest_wait,
    output_serializer,
    slot_use_cases,
    sorted_inputs,
)
from explorer.model.chains import Chain, Output
from explorer.model.job_graph import ChainedOperator, JobVertex
from explorer.model.stream_config import (
    ConfigEdge,
    ConfigEntry,
    ConfigInput,
    ConfigOutput,
    ConfigValue,
    OperatorConfig,
)
from explorer.model.stream_graph import ITERATION_ENDS, ITERATION_HEAD, NodeId, StreamNode

_EVENT_TIME: Final = 2
"""The ordinal of ``TimeCharacteristic.EventTime``."""
_MOST_FILES: Final = 5
"""The default of ``execution.checkpointing.unaligned.max-subtasks-per-channel-state-file``."""
_PLACES: Final = 2
"""Minimum number of inputs for which a StreamNode has places."""
_PADDED: Final = {"1.12": "with nulls", "1.14": ""}
"""The releases that write a null for each place without an input."""
Entries: TypeAlias = Iterator[tuple[str | Mapping[str, str], ConfigValue, bool]]
"""Keys by the releases that write them, each with its value and whether the value is known."""


def stream_configs(compilation: Compilation, vertex: str) -> tuple[OperatorConfig, ...]:
    """The configurations of the operators of the job vertex with this ID, the head's first.

    Raises ``KeyError`` where there is no such vertex.
    """
    task = _ConfiguredTask(compilation, compilation.job_graph.vertex(vertex))
    order = sorted(
        task.operators.values(),
        # The head's is the vertex's own configuration;
        # ``StreamConfig.setTransitiveChainedTaskConfigs`` holds the others in a map by node number.
        key=lambda operator: (operator.node != task.vertex.head, operator.node),
    )
    return tuple(task.config(chained_operator) for chained_operator in order)


class _Group:
    """A slot sharing group: the operators that share a slot's managed memory."""

    def __init__(self, compilation: Compilation, number: int) -> None:
        every = (
            job_vertex
            for job_vertex in compilation.job_graph.vertices
            if job_vertex.slot_sharing_group == number
        )
        nodes = [
            compilation.stream_graph.node(operator.node)
            for vertex in every
            for operator in vertex.operators
        ]
        self.fractions = memory_fractions(
            nodes, {node.id: number for node in nodes}, compilation.release
        )
        self.use_cases: dict[str, set[NodeId]] = {}
        for node in nodes:
            for case in slot_use_cases(compilation, node):
                self.use_cases.setdefault(case, set()).add(node.id)


class _ConfiguredTask:
    """The task of one job vertex."""

    def __init__(self, compilation: Compilation, vertex: JobVertex) -> None:
        self.compilation, self.vertex, self.graph = compilation, vertex, compilation.stream_graph
        self.chain: Chain = compilation.chains.chains[compilation.chains.chain_of[vertex.head]]
        self.operators = {operator.node: operator for operator in vertex.operators}
        self.outputs = {output.edge: output for output in compilation.outputs}
        self.group = _Group(compilation, vertex.slot_sharing_group)
        self.loops = any(node.vertex_class == ITERATION_HEAD for node in self.graph.nodes)

    def config(self, operator: ChainedOperator) -> OperatorConfig:
        """All keys that the release writes for one operator."""
        node = self.graph.node(operator.node)
        version = self.compilation.release.version
        entries = [
            ConfigEntry(key=key, value=value, known=known)
            for keys, value, known in _entries(self, operator, node)
            if (key := value_in(keys, version))
        ]
        return OperatorConfig(
            node=node.id,
            name=node.name,
            entries=tuple(sorted(entries, key=lambda config_entry: config_entry.key)),
        )

    def edges(self, positions: Iterable[int]) -> tuple[ConfigEdge, ...]:
        """The StreamEdges at these positions, in this order."""
        return tuple(self.edge(position) for position in positions)

    def edge(self, position: int) -> ConfigEdge:
        """The StreamEdge at a position; one that leaves its task has its final partitioner."""
        edge = self.graph.edges[position]
        written = self.outputs.get(position)
        return ConfigEdge(
            source=edge.source,
            target=edge.target,
            type_number=edge.type_number,
            partitioner=edge.partitioner if written is None else written.ship_strategy,
            side_output=edge.side_output,
        )

    def written(self, positions: Iterable[int]) -> tuple[ConfigOutput, ...]:
        """The result partitions of these edges; edges that share one stand for one."""
        first: dict[int, Output] = {}
        for position in positions:
            output = self.outputs[position]
            # ``StreamConfig.setOperatorNonChainedOutputs`` has one output for each data set since
            # 1.16: the task opens one writer for it, and edges that share it would count its bytes
            # twice.
            first.setdefault(output.dataset, output)
        return tuple(self._output(item) for item in first.values())

    def _output(self, output: Output) -> ConfigOutput:
        edge = self.graph.edges[output.edge]
        inputs = (self.graph.edges[position] for position in self.graph.in_edges[edge.target])
        aligned = self.compilation.release.aligned_partitioners
        consumer = self.compilation.job_graph.task_of(edge.target)
        return ConfigOutput(
            source=edge.source,
            consumer_parallelism=consumer.parallelism,
            consumer_max_parallelism=consumer.max_parallelism,
            buffer_timeout=output.buffer_timeout,
            partition_type=output.result_type,
            partitioner=output.ship_strategy,
            side_output=edge.side_output,
            # Barriers may overtake records only if every input edge of the target allows it.
            supports_unaligned_checkpoints=not any(
                input_.partitioner in aligned for input_ in inputs
            ),
        )

    def leaving(self, node: NodeId) -> tuple[int, ...]:
        """The edges of an operator that leave the task, in its order."""
        if node in self.chain.sources:
            return ()
        internal = set(self.chained(node))
        return tuple(
            # A chained source has no writer: its only edge goes to the head, within the task.
            out_edge
            for out_edge in self.graph.out_edges[node]
            if out_edge not in internal
        )

    def chained(self, node: NodeId) -> tuple[int, ...]:
        """The edges of an operator to others of its chain; a chained source has none."""
        return self.compilation.chains.chained_outputs.get(node, ())

    def arriving(self) -> tuple[int, ...]:
        """The edges that the head reads over the network, in the order of its input gates."""
        place = self.compilation.chains.chain_of[self.vertex.head]
        return tuple(output.edge for output in self.compilation.wiring.inputs.get(place, ()))


def _entries(task: _ConfiguredTask, operator: ChainedOperator, node: StreamNode) -> Entries:
    yield from _identity(task, operator, node)
    yield from _outputs(task, node)
    yield from _types(task, node)
    yield from _checkpoints(task)
    yield from _memory(task, operator)
    if task.compilation.settings.batch:
        yield from _BATCH
    if operator.node == task.vertex.head:
        yield from _head(task)
    if node.vertex_class in ITERATION_ENDS:
        number = node.name.rpartition("-")[2]
        wait = longest_wait(task.compilation, node)
        yield "iterationId", f"broker-{number}", True
        yield "iterationWait", wait, wait is not None


def _identity(task: _ConfiguredTask, operator: ChainedOperator, node: StreamNode) -> Entries:
    yield "vertexID", int(node.id), True
    yield "chainIndex", operator.chain_index, True
    if operator.chain_end:
        yield "chainEnd", True, True
    yield "operatorID", operator.operator_id, True
    yield "operatorName", node.name, True
    yield {"1.9": "bufferTimeout", "1.10": ""}, node.buffer_timeout, True
    yield {"1.12": "graphContainingLoops"}, task.loops, True
    # Before 1.12 event time was no default, and a document does not show the characteristic.
    known = bool(value_in({"1.12": "default"}, task.compilation.release.version))
    yield {"1.9": "timechar", "2.0": ""}, _EVENT_TIME, known
    change_log = "FALSE" if task.compilation.settings.batch else "UNDEFINED"
    yield {"1.14": "enablechangelog", "1.16": ""}, change_log, True
    if node.id not in task.chain.sources:
        yield {"2.0": "attribute"}, None, False
    if node.vertex_class not in ITERATION_ENDS:
        factory = None if node.operator is None else node.operator.factory
        name = None if factory is None else factory.rpartition(".")[2]
        yield "serializedUDF", name, name is not None
        yield {"1.17": "serializedUdfClassName", "1.19": ""}, factory, factory is not None
        yield {"1.19": "serializedUdfClass"}, name, name is not None


def _outputs(task: _ConfiguredTask, node: StreamNode) -> Entries:
    leaving = task.leaving(node.id)
    written = task.written(leaving)
    yield "chainedOutputs", task.edges(task.chained(node.id)), True
    yield {"1.9": "nonChainedOutputs", "1.16": ""}, task.edges(leaving), True
    yield {"1.16": "opNonChainedOutputs"}, written, True
    by_edge = bool(value_in({"1.9": "yes", "1.16": ""}, task.compilation.release.version))
    # ``StreamConfig.setNumberOfOutputs`` counted edges up to 1.15, and data sets since.
    yield "numberOfOutputs", len(leaving) if by_edge else len(written), True
    selectors = node.output_selectors
    yield {"1.9": "outputSelectorWrapper", "1.12": ""}, selectors, not selectors
    if node.id != task.vertex.head:
        yield {"1.16": "chainedTaskConfig_"}, (), True
    tags = (task.graph.edges[out_edge].side_output for out_edge in task.graph.out_edges[node.id])
    for tag in dict.fromkeys(item for item in tags if item is not None):
        yield f"typeSerializer_sideout_{tag}", None, False


def _types(task: _ConfiguredTask, node: StreamNode) -> Entries:
    out = has_output_type(task.compilation, node)
    name = output_serializer(node) if out else None
    yield "typeSerializer_out", name, name is not None or not out
    count = max(
        (task.graph.edges[in_edge].type_number or 1 for in_edge in task.graph.in_edges[node.id]),
        default=0,
    )
    for place in (0, 1):
        key = {
            "1.9": f"typeSerializer_in_{place + 1}",
            "1.11": f"typeSerializer_in_{place}",
            "1.12": "",
        }
        name = input_serializer(node, place + 1)
        yield key, name, name is not None or place >= count
    # ``StreamNode.getTypeSerializersIn`` of 1.11 has two places, also without inputs.
    yield {"1.11": "typeSerializer_in_count", "1.12": ""}, 2, True
    yield {"1.12": "inputs"}, _inputs(task, node, count), True
    keyed = keyed_inputs(task.compilation, node)
    # ``StreamConfig.setStatePartitioner`` is called for both places up to 1.10, and since then for
    # each element of ``StreamNode.getStatePartitioners``: the place of an input without a key holds
    # a null there.
    yield "statekeyser", None, not any(keyed)
    for place in (0, 1):
        has = place < len(keyed) and keyed[place]
        late = {"1.11": f"statePartitioner{place}"} if any(keyed) and place < max(count, 1) else {}
        yield {"1.9": f"statePartitioner{place}", "1.11": "", **late}, None, not has


def _inputs(task: _ConfiguredTask, node: StreamNode, count: int) -> tuple[ConfigInput | None, ...]:
    """One entry per numbered input, also for a union of several edges; gates count up."""
    config_inputs: dict[int, ConfigInput] = {}
    gates = 0
    ordered = sorted_inputs(task.compilation, node)
    for position in task.graph.in_edges[node.id]:
        edge = task.graph.edges[position]
        number = edge.type_number or 1
        if edge.source in task.chain.sources:
            config_inputs[number] = ConfigInput(edge=task.edge(position))
        # A union is one input of the operator: ``StreamConfig.setInputs`` has one entry and one
        # gate for all its edges, and a second entry would shift the inputs behind it.
        elif number not in config_inputs:
            config_inputs[number] = ConfigInput(
                gate=gates,
                requirement="SORTED" if number in ordered else "PASS_THROUGH",
                serializer=input_serializer(node, number),
            )
            gates += 1
    places = max(count, _PLACES) if value_in(_PADDED, task.compilation.release.version) else count
    return tuple(config_inputs.get(number) for number in range(1, places + 1))


def _checkpoints(task: _ConfiguredTask) -> Entries:
    compilation, checkpointing = task.compilation, task.compilation.settings.checkpointing
    enabled = compilation.settings.checkpoint_interval is not None
    # ``StreamingJobGraphGenerator.getCheckpointingMode`` answers AT_LEAST_ONCE without checkpoints,
    # so that no barrier is ever aligned, whatever mode the program sets.
    exactly_once = enabled and checkpointing.mode == "EXACTLY_ONCE"
    yield {"1.9": "checkpointing", "2.2": ""}, enabled, True
    yield {"1.9": "checkpointMode", "2.2": ""}, 0 if exactly_once else 1, True
    prefix = "execution.checkpointing."
    unaligned = compilation.job_graph.checkpointing.unaligned
    key = {"1.11": f"{prefix}unaligned", "1.17": f"{prefix}unaligned.enabled", "2.2": ""}
    yield key, unaligned, True
    key = {"1.17": f"{prefix}max-concurrent-checkpoints", "2.2": ""}
    yield key, checkpointing.max_concurrent, True
    version = compilation.release.version
    for keys, defaults in _OPTIONS:
        default = cast("ConfigValue", Behaviour({"1.9": None, **defaults}, "").value(version))
        # An option that the program sets is written as its own type prints it.
        yield keys, default, not is_configured(compilation, value_in(keys, version))


_OPTIONS: Final[tuple[tuple[Mapping[str, str], Mapping[str, ConfigValue]], ...]] = (
    (
        {
            "1.12": "execution.checkpointing.alignment-timeout",
            "1.14": "execution.checkpointing.aligned-checkpoint-timeout",
            "2.2": "",
        },
        {"1.12": 0, "1.13": "PT0S"},
    ),
    (
        {
            "1.14": "execution.checkpointing.checkpoints-after-tasks-finish.enabled",
            "1.20": "execution.checkpointing.checkpoints-after-tasks-finish",
        },
        {"1.14": False, "1.15": True},
    ),
    (
        {
            "1.17": "execution.checkpointing.unaligned.max-subtasks-per-channel-state-file",
            "2.2": "",
        },
        {"1.17": _MOST_FILES},
    ),
    (
        {"1.20": "execution.checkpointing.unaligned.interruptible-timers.enabled", "2.2": ""},
        {"1.20": False},
    ),
)
"""Options that are copied into each configuration: keys and defaults, by release."""


_BATCH: Final = (
    ({"1.12": "statebackend"}, "BatchExecutionStateBackend", True),
    ({"1.12": "timerservice"}, None, False),
    ({"1.13": "checkpointstorage"}, "BatchExecutionCheckpointStorage", True),
    ({"1.12": "statebackend.useManagedMemory"}, False, True),
)
"""What ``setBatchStateBackendAndTimerService`` sets for every operator of a BATCH job."""


def _memory(task: _ConfiguredTask, operator: ChainedOperator) -> Entries:
    group = task.group
    fraction = group.fractions[operator.node]
    yield {"1.10": "managedMemFraction", "1.12": ""}, fraction, True
    if any(group.fractions.values()):
        key = {"1.12": "managedMemFraction.BATCH_OP", "1.13": "managedMemFraction.OPERATOR"}
        yield key, fraction, True
    # All operators of a slot share what a use case of the slot has:
    # ``setManagedMemoryFractionForOperator`` writes the whole for each that declares it, else 0.
    for case, nodes in group.use_cases.items():
        yield {"1.12": f"managedMemFraction.{case}"}, 1.0 if operator.node in nodes else 0.0, True


def _head(task: _ConfiguredTask) -> Entries:
    # ``StreamConfig.setChainStart`` writes the key ``isChainedSubtask``, which the head alone has.
    head, arriving = task.vertex.head, task.arriving()
    yield "isChainedSubtask", True, True
    chained_numbers = sorted(int(operator) for operator in task.operators if operator != head)
    yield "chainedTaskConfig_", tuple(chained_numbers), True
    yield {"1.9": "edgesInOrder", "1.16": ""}, task.edges(task.chain.out_edges), True
    key = {"1.9": "outStreamEdges", "1.10": ""}
    yield key, task.edges(task.graph.out_edges[head]), True
    yield {"1.16": "vertexNonChainedOutputs"}, task.written(task.chain.out_edges), True
    if arriving:
        yield "inStreamEdges", task.edges(arriving), True
        key = {"1.9": "numberOfInputs", "1.12": "numberOfNetworkInputs"}
        yield key, len(arriving), True
