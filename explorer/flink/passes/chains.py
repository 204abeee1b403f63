"""The pass that assigns operators to tasks, in the order in which Flink makes the tasks.

Mirrors ``StreamingJobGraphGenerator.setChaining``, ``buildChainedInputsAndGetHeadInputs`` and
``createChain``. Flink recurses, chainable edges first; this traverses in the same order with its
own stack, so no line of operators is too long.
"""

from collections.abc import Iterable

import msgspec

from explorer.flink.java_order import hash_order
from explorer.flink.releases import Release
from explorer.model.chains import Chain, Chains
from explorer.model.steps import ChainEntered, ChainReturned, Step, VertexBuiltAlready
from explorer.model.stream_graph import NodeId, StreamGraph


class _Call(msgspec.Struct, gc=False):
    """Calls of ``createChain`` that do nothing but make the next one, and the call behind them."""

    line: list[NodeId]
    """The nodes of these calls, the outermost first."""
    head: NodeId
    rest: list[int]
    """Edges of the last node still to visit, next one last."""
    out_edges: list[int]
    """``transitiveOutEdges`` so far, which all these calls return."""


class _Info(msgspec.Struct, gc=False):
    """``OperatorChainInfo``."""

    sources: list[NodeId]
    members: list[NodeId]


def build_chains(
    graph: StreamGraph,
    chained: list[bool],
    chainable_inputs: list[bool],
    release: Release,
    *,
    steps: list[Step] | None = None,
) -> Chains:
    """Cut the graph into chains, in the order in which Flink makes their vertices.

    ``chained``: by edge, whether it chains; ``chainable_inputs``: by edge, whether all conditions
    but the single input hold, as a chained source needs. ``steps`` collects what was done, when
    given.
    """
    return _ChainTraversal(graph, chained, release, steps).run(chainable_inputs)


class _ChainTraversal:
    def __init__(
        self,
        graph: StreamGraph,
        chained: list[bool],
        release: Release,
        steps: list[Step] | None,
    ) -> None:
        self.graph, self.chained, self.release, self.steps = graph, chained, release, steps
        self.first_index = release.first_chain_index
        self.targets = [edge.target for edge in graph.edges]
        self.infos: dict[NodeId, _Info] = {}
        self.index: dict[NodeId, int] = {}
        self.outputs: dict[NodeId, tuple[int, ...]] = {}
        self.built: set[NodeId] = set()
        self.chains: list[Chain] = []

    def run(self, chainable_inputs: list[bool]) -> Chains:
        for head in self._entry_points(chainable_inputs):
            self._create_chain(head)
        chain_of = {
            node: position for position, chain in enumerate(self.chains) for node in chain.nodes
        }
        return Chains(
            chains=tuple(self.chains),
            chain_index=self.index,
            chained_outputs=self.outputs,
            chain_of=chain_of,
        )

    def _entry_points(self, chainable_inputs: list[bool]) -> Iterable[NodeId]:
        """``buildChainedInputsAndGetHeadInputs``: the consumer replaces a source in its task."""
        # The ids of sources are a HashSet in Flink, and until they were sorted its order decided
        # with the chain that is made first.
        order = (
            self.graph.sources if self.release.sources_sorted else hash_order(self.graph.sources)
        )
        for id in order:
            target = self._chained_source_consumer(id, chainable_inputs)
            if target is None:
                self.infos[id] = _Info([], [])
                continue
            # ``createChain`` never enters a chained source: ``addNodeToChain`` is not called for
            # it, so it is no member, and its ID is none of the vertex's operator IDs.
            self.infos.setdefault(target, _Info([], [])).sources.append(id)
            self.index[id] = 0
            self.outputs[id] = ()
        # Sorted again, since a consumer stands where its source was and has a higher number.
        heads = list(self.infos)
        return sorted(heads) if self.release.sources_sorted else heads

    def _chained_source_consumer(
        self, source: NodeId, chainable_inputs: list[bool]
    ) -> NodeId | None:
        """The consumer that runs the source in its task; None: the source has its own task."""
        edges = self.graph.out_edges[source]
        if not self.release.chained_sources or len(edges) != 1 or not chainable_inputs[edges[0]]:
            return None
        target = self.graph.by_id[self.targets[edges[0]]]
        ready = self.graph.by_id[source].new_source
        return target.id if ready and target.chaining_strategy == "HEAD_WITH_SOURCES" else None

    def _create_chain(self, head: NodeId) -> None:
        stack = [self._call(head, head, self.first_index)] if head not in self.built else []
        while stack:
            call = stack[-1]
            if not call.rest:
                stack.pop()
                self._return(call, stack[-1] if stack else None)
                continue
            position = call.rest.pop()
            target = self.targets[position]
            if self.chained[position]:
                # ``createChain`` counts on along an edge that chains: two operators behind one have
                # the same index, which is also the priority of their mails in the task.
                stack.append(self._call(target, call.head, self.index[call.line[-1]] + 1))
                continue
            call.out_edges.append(position)
            if target not in self.built:
                self.infos.setdefault(target, _Info([], []))
                stack.append(self._call(target, target, self.first_index))
            elif self.steps is not None:
                self.steps.append(VertexBuiltAlready(node=target, caller=call.line[-1]))

    def _call(self, node: NodeId, head: NodeId, index: int) -> _Call:
        """Enter a node, and those behind it as long as each has one out-edge, which chains."""
        chained, out_edges = self.chained, self.graph.out_edges
        line: list[NodeId] = []
        while True:
            line.append(node)
            self.index[node] = index
            edges = out_edges[node]
            if len(edges) != 1 or not chained[edges[0]]:
                break
            self.outputs[node] = edges
            node, index = self.targets[edges[0]], index + 1
        # Two loops in ``createChain``: over the edges that chain, then over the others, each in the
        # order of the node's out-edges.
        self.outputs[node] = tuple([position for position in edges if chained[position]])
        leaving = self._leaving_edges(node)
        if self.steps is not None:
            self.steps += [self._entry(entered, head) for entered in line]
        rest = [*reversed(leaving), *reversed(self.outputs[node])]
        return _Call(line, head, rest, [])

    def _leaving_edges(self, node: NodeId) -> tuple[int, ...]:
        """The out-edges of a node that do not chain."""
        edges = self.graph.out_edges[node]
        return tuple([position for position in edges if not self.chained[position]])

    def _entry(self, node: NodeId, head: NodeId) -> ChainEntered:
        return ChainEntered(
            node=node,
            head=head,
            index=self.index[node],
            chained=self.outputs[node],
            others=self._leaving_edges(node),
        )

    def _return(self, call: _Call, caller: _Call | None) -> None:
        # ``addNodeToChain`` stands behind the recursive calls: a chain lists its head last.
        info = self.infos[call.head]
        for node in reversed(call.line):
            info.members.append(node)
            if self.steps is not None:
                returned = ChainReturned(
                    node=node,
                    head=call.head,
                    edges=tuple(call.out_edges),
                    members=tuple(info.members),
                )
                self.steps.append(returned)
        if call.line[0] == call.head:
            self.built.add(call.head)
            self.chains.append(
                Chain(
                    head=call.head,
                    members=tuple(info.members),
                    sources=tuple(info.sources),
                    out_edges=tuple(call.out_edges),
                )
            )
            return
        # ``createChain`` returns ``transitiveOutEdges`` to its caller: the edges that leave a chain
        # are listed as the recursion met them, and this order numbers the results of the vertex.
        if caller is not None:
            caller.out_edges.extend(call.out_edges)
