"""Content of a job vertex's task: its operators, their outputs and its inputs.

Mirrors the constructor of ``OperatorChain``, its ``createOutputCollector``, and the factories of
``StreamInputProcessor``, release by release; ``tests/golden/tasks.jsonl.gz`` has what real tasks
hold.
"""

from collections.abc import Sequence
from typing import Final

from explorer.errors import FlinkRefusalError
from explorer.flink.compiler import Compilation
from explorer.flink.tasks.stream_config_facts import longest_wait
from explorer.flink.tasks.task_classes import TaskClasses, task_classes
from explorer.model.chains import Chain, Output
from explorer.model.job_graph import JobVertex
from explorer.model.stream_graph import (
    ITERATION_ENDS,
    ITERATION_HEAD,
    ITERATION_TAIL,
    WRITER_ENDING,
    NodeId,
)
from explorer.model.task_chain import (
    InputProcessor,
    IterationEnd,
    NetworkOutput,
    TaskChain,
    TaskInput,
    TaskOperator,
    TaskOutput,
)

_ONE: Final = "StreamOneInputProcessor"
_MANY: Final = "StreamMultipleInputProcessor"
_FROM_A_SOURCE: Final = "StreamTaskSourceInput"
_ONE_INPUT: Final = ("OneInputStreamTask", ITERATION_TAIL)
_UNREAD: Final = ("SourceStreamTask", ITERATION_HEAD)
"""Tasks without an input processor."""
_NO_NAMES: Final = 'Cannot invoke "java.util.List.isEmpty()" because "selectedNames" is null'
"""The words in which Java refuses an operator with a side output and an output selector."""


def holds_operators(vertex: JobVertex) -> bool:
    """Whether the vertex's task has an ``OperatorChain`` with operators in it."""
    return _invokable(vertex) not in ITERATION_ENDS


def _invokable(vertex: JobVertex) -> str:
    return vertex.invokable.rpartition(".")[2]


def task_chain(compilation: Compilation, vertex: str, *, starts: bool = True) -> TaskChain:
    """The task of the job vertex with this ID.

    Raises ``KeyError`` where there is no such vertex, and ``FlinkRefusalError`` for a task that
    fails as soon as it starts; not if ``starts`` is false.
    """
    compilation.refuse_data_set("A description of a task's internals")
    job_vertex = compilation.job_graph.vertex(vertex)
    chain = compilation.chains.chains[compilation.chains.chain_of[job_vertex.head]]
    if starts:
        needs_reuse = chain.sources and task_classes(compilation.release).chained_sources_need_reuse
        if needs_reuse and not compilation.settings.object_reuse:
            msg = "Currently chained sources are supported only with objectReuse enabled"
            raise FlinkRefusalError(
                msg,
                exception="UnsupportedOperationException",
                hint=f"The task {job_vertex.name!r} fails when it starts; set "
                "pipeline.object-reuse, or give the operator the chaining strategy ALWAYS.",
            )
        check_side_outputs(compilation, chain, job_vertex.name)
    return _TaskChainBuilder(compilation, chain, _invokable(job_vertex)).built(
        vertex, job_vertex.name
    )


def check_side_outputs(compilation: Compilation, chain: Chain, name: str) -> None:
    """Refuse a task that fails when it starts: a side output has no selected names to read.

    Mirrors ``DirectedOutput``. Raises ``FlinkRefusalError``.
    """
    graph = compilation.stream_graph
    for node in (graph.node(id) for id in chain.nodes if graph.node(id).directs_records):
        if any(graph.edges[edge].side_output is not None for edge in graph.out_edges[node.id]):
            raise FlinkRefusalError(
                _NO_NAMES,
                exception="NullPointerException",
                transformations=[node.handle],
                hint=f"The task {name!r} fails with it when it starts; put a map before the split.",
            )


class _TaskChainBuilder:
    """Makes the records of one task."""

    def __init__(self, compilation: Compilation, chain: Chain, invokable: str) -> None:
        self.compilation, self.chain, self.invokable = compilation, chain, invokable
        self.graph, self.reuse = compilation.stream_graph, compilation.settings.object_reuse
        self.classes: TaskClasses = task_classes(compilation.release)
        self.network = self._network()

    def built(self, vertex: str, name: str) -> TaskChain:
        ends = self.invokable in ITERATION_ENDS
        order = () if ends else self._order()
        linked = order if self.classes.wrapper is None else order[::-1]
        return TaskChain(
            vertex=vertex,
            name=name,
            invokable=self.invokable,
            chain=self.classes.chain,
            wrapper=self.classes.wrapper,
            object_reuse=self.reuse,
            operators=tuple(
                TaskOperator(
                    node=node,
                    name=self.graph.node(node).name,
                    output=self._output(node),
                    chained_source=node in self.chain.sources,
                )
                for node in linked
            ),
            built=order,
            head=self.chain.head,
            network=self.network,
            reads=self._reads(),
            end=self._end() if ends else None,
        )

    def _end(self) -> IterationEnd:
        head_node = self.graph.node(self.chain.head)
        is_head = self.invokable == ITERATION_HEAD
        other_end = next(
            node.name
            for node in self.graph.nodes
            if node.transformation == head_node.transformation
            and node.vertex_class == (ITERATION_TAIL if is_head else ITERATION_HEAD)
        )
        output = TaskOutput(class_name=f"{ITERATION_TAIL}$IterationTailOutput")
        output = self._count_channels(output, counts=self.classes.counts_every_output)
        return IterationEnd(
            other=other_end,
            queue="ArrayBlockingQueue",
            operator=None if is_head else f"{ITERATION_TAIL}$RecordPusher",
            output=None if is_head else output,
            waits=longest_wait(self.compilation, head_node),
        )

    def _order(self) -> tuple[NodeId, ...]:
        """Order of construction: downstream operators first, chained sources last.

        ``OperatorChain.createOperatorChain`` calls ``createOutputCollector``, which constructs what
        comes after an operator, before it constructs the operator, which is given that output;
        ``createChainedSources`` stands after both in the constructor.
        """
        order: list[NodeId] = []
        waiting = [(self.chain.head, False)]
        while waiting:
            node, behind_done = waiting.pop()
            if behind_done:
                order.append(node)
                continue
            waiting.append((node, True))
            targets = [self.graph.edges[edge].target for edge in self._chained_edges(node)]
            waiting += [(target, False) for target in reversed(targets)]
        inputs = (self.graph.edges[edge].source for edge in self.graph.in_edges[self.chain.head])
        return (*order, *(source for source in inputs if source in self.chain.sources))

    def _chained_edges(self, node: NodeId) -> tuple[int, ...]:
        """The edges from an operator to others of the task, in order."""
        if node in self.chain.sources:
            return tuple(self.graph.out_edges[node])
        return self.compilation.chains.chained_outputs.get(node, ())

    def _network(self) -> tuple[NetworkOutput, ...]:
        """One output per data set; several StreamEdges may share a data set."""
        written = {output.edge: output for output in self.compilation.outputs}
        sets: dict[int, list[Output]] = {}
        for edge in self.chain.out_edges:
            sets.setdefault(written[edge].dataset, []).append(written[edge])
        return tuple(
            NetworkOutput(
                node=self.graph.edges[outputs[0].edge].source,
                targets=tuple(self.graph.edges[item.edge].target for item in outputs),
                tag=self.graph.edges[outputs[0].edge].side_output,
                ship_strategy=outputs[0].ship_strategy,
            )
            for outputs in sets.values()
        )

    def _output(self, node: NodeId) -> TaskOutput:
        """The operator's output: network outputs before chained ones; one alone is not wrapped."""
        mine = [
            number
            for number, network_output in enumerate(self.network)
            if network_output.node == node
        ]
        chained = [self._chaining(edge) for edge in self._chained_edges(node)]
        # ``OperatorChain.createOutputCollector`` lists the network outputs before the chained ones:
        # a record is serialized before the next operator of the task may change it.
        leaves = (*map(self._writer, mine), *chained)
        # With object reuse the envelope of a value is copied, since each output sets its own.
        copying = "Copying" if self.reuse else ""
        if self.graph.node(node).directs_records:
            # What an ``OutputSelector`` needs, however many outputs there are.
            output = TaskOutput(class_name=f"{copying}DirectedOutput", outputs=leaves)
        # ``createOutputCollector`` uses a single output as it is, and wraps none at all: a task
        # that ends in a sink has a ``BroadcastingOutputCollector`` without outputs.
        elif len(leaves) == 1:
            output = leaves[0]
        else:
            name = f"{self.classes.outputs_within}{copying}BroadcastingOutputCollector"
            output = TaskOutput(class_name=name, outputs=leaves)
        counts = not chained or self.classes.counts_every_output
        if self.graph.node(node).name.endswith(WRITER_ENDING):
            counts = counts and self.classes.counts_writers
        return self._count_channels(output, counts=counts)

    def _count_channels(self, output: TaskOutput, *, counts: bool) -> TaskOutput:
        if not counts:
            return output
        return TaskOutput(class_name=self.classes.counting, outputs=(output,))

    def _writer(self, number: int) -> TaskOutput:
        tag = self.network[number].tag
        return TaskOutput(class_name="RecordWriterOutput", network=number, tag=tag)

    def _chaining(self, edge: int) -> TaskOutput:
        """Without object reuse each record is copied before the next operator has it."""
        to = self.graph.edges[edge]
        copying = "" if self.reuse else "Copying"
        return TaskOutput(
            class_name=f"{self.classes.outputs_within}{copying}ChainingOutput",
            operator=to.target,
            input=to.type_number,
            tag=to.side_output,
            copies=not self.reuse,
        )

    def _reads(self) -> InputProcessor | None:
        if self.invokable in _UNREAD:
            return None
        if self.invokable == "SourceOperatorStreamTask":
            source_input = TaskInput(
                class_name=_FROM_A_SOURCE,
                data_output=f"{self.invokable}$AsyncDataOutputToOutput",
                sources=(self.chain.head,),
                gates=0,
            )
            return InputProcessor(class_name=_ONE, inputs=(source_input,))
        if not self.graph.in_edges[self.chain.head]:
            return None  # A class of the program's own that reads no input.
        processor, data_output = self._classes_of_inputs()
        sources: dict[int, list[NodeId]] = {}
        for position in self.graph.in_edges[self.chain.head]:
            edge = self.graph.edges[position]
            sources.setdefault(edge.type_number, []).append(edge.source)
        inputs = (self._input(of, data_output) for _, of in sorted(sources.items()))
        return InputProcessor(class_name=processor, inputs=tuple(inputs))

    def _classes_of_inputs(self) -> tuple[str, str | None]:
        """Class names of the input processor and of the output that calls the head."""
        if self.invokable in _ONE_INPUT:
            return _ONE, self.classes.one_input
        if self.invokable == "MultipleInputStreamTask":
            return _MANY, self.classes.many_inputs
        return self.classes.reads_two_inputs, self.classes.two_inputs

    def _input(self, sources: Sequence[NodeId], data_output: str | None) -> TaskInput:
        """One input; each edge over the network is a gate."""
        chained = sources[0] in self.chain.sources
        if chained and data_output is not None:
            data_output = data_output.replace("NetworkOutput", "SourceOutput")
        name: str | None = _FROM_A_SOURCE if chained else "StreamTaskNetworkInput"
        if self.invokable not in _ONE_INPUT and data_output is None:
            name = None
        return TaskInput(
            class_name=name,
            data_output=data_output,
            sources=tuple(sources),
            gates=0 if chained else len(sources),
        )
