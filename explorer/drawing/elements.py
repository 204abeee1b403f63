"""The elements of both graphs as a drawing or a table shows them, and which belong together.

A key names an element: ``n3`` the StreamNode 3, ``e0`` a StreamEdge by position, ``v1`` a job
vertex by the number of its chain, ``j0`` a JobEdge by position. Elements of the two graphs are
counterparts; edges that are alike are drawn as one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

import msgspec

from explorer.analysis.identity import EdgeIdentity, Identity
from explorer.analysis.whatis import IdentifiedPart
from explorer.flink.process_functions import ProcessCall
from explorer.model.frozen import FrozenRecord


class NodeView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One operator."""

    key: str
    id: int
    name: str
    uid: str | None
    uid_hash: str | None
    hash: str
    parallelism: int
    max_parallelism: int
    strategy: str | None
    slot_sharing_group: str | None
    vertex_class: str
    """The task's class without its package; empty for a DataSet program, which has drivers."""
    buffer_timeout: int
    transformation: str | None
    tags: int
    """The input of a join over windows that it tags; 0: it is no such map."""
    type: str
    """The transformation's type, or nothing when no pipeline document is known."""
    vertex: str
    """The key of its job vertex."""
    chain_index: int
    identity: Identity
    """Which operator it is in whatever graph."""
    function: str | None = None
    """The class of the program's function, where the program was captured."""
    process: ProcessCall | None = None
    """The call of DataStream V2 that made it."""


class EdgeView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One stream between two operators."""

    key: str
    index: int
    source: str
    target: str
    source_name: str
    target_name: str
    input: int
    partitioner: str
    exchange_mode: str
    side_output: str | None
    selected_names: tuple[str, ...]
    """The names by which an output selector selects it; empty: it carries every record."""
    via: tuple[str, ...]
    chained: bool
    """Whether both ends run in one task; so does a source chained to a multiple-input operator."""
    failed: tuple[str, ...]
    """Codes of the conditions that do not hold."""
    against: tuple[str, ...]
    """The same in a few words each."""
    cause: str
    """Why it is cut, in a word or two; empty for a chained edge."""
    local_strategy: str | None = None
    """What a DataSet task does with the records of this input, such as sorting them."""
    job_edge: str | None
    identity: EdgeIdentity
    """Which edge it is in whatever graph."""


class VertexView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One job vertex and its chain."""

    key: str
    number: int
    id: str
    name: str
    parallelism: int
    max_parallelism: int
    invokable: str
    """The task's class without its package."""
    slot_sharing_group: int
    """Which of the job's slot sharing groups: of one name there may be several, one a region."""
    slot_group: str
    """The group's name."""
    nodes: tuple[str, ...]
    """By chain index."""
    edges: tuple[str, ...]
    """The chained edges within."""


class JobEdgeView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One input of a job vertex."""

    key: str
    source: str
    target: str
    source_name: str
    target_name: str
    input: int
    ship_strategy: str
    pattern: str
    result_type: str
    channels: int
    dataset_index: int
    edge: str


class GraphWords(msgspec.Struct, frozen=True, kw_only=True):
    """What a graph's parts are called."""

    stream: str = "StreamGraph"
    """The graph of the operators."""
    job: str = "JobGraph"
    chain: str = "chain"
    """The operators of one task."""


DATA_SET_WORDS: Final = GraphWords(stream="DataSet operators", chain="task")
"""A DataSet program has no StreamGraph, and Flink's optimizer calls them tasks."""


Edges: TypeAlias = Sequence[EdgeView | JobEdgeView]
"""Those of one graph."""


FEW: Final = 20
"""Number of alike edges up to which each is drawn."""


class GraphView(FrozenRecord, frozen=True, kw_only=True, dict=True):
    """Both graphs and how they belong together."""

    release: str
    nodes: tuple[NodeView, ...]
    edges: tuple[EdgeView, ...]
    vertices: tuple[VertexView, ...]
    """By number."""
    job_edges: tuple[JobEdgeView, ...]
    slots: int
    node_of: Mapping[str, NodeView]
    """These four find an element by its key."""
    edge_of: Mapping[str, EdgeView]
    vertex_of: Mapping[str, VertexView]
    job_edge_of: Mapping[str, JobEdgeView]
    words: GraphWords = GraphWords()
    alike: Mapping[str, int] = {}
    """By key, how many edges one stands for in a drawing; see ``bundled``."""

    @cached_property
    def counterparts(self) -> Mapping[str, tuple[str, ...]]:
        """Map the key of each element to the keys of its counterparts in the other graph.

        A node or a chained edge belongs to its vertex, a cut edge to its job edge, and
        vice versa.
        """
        pairs: dict[str, tuple[str, ...]] = {node.key: (node.vertex,) for node in self.nodes}
        for vertex in self.vertices:
            pairs[vertex.key] = (*vertex.nodes, *vertex.edges)
        for edge in self.edges:
            pairs[edge.key] = (edge.job_edge,) if edge.job_edge else pairs[edge.source]
        for job_edge in self.job_edges:
            pairs[job_edge.key] = (job_edge.edge,)
        return pairs

    @property
    def bundled(self) -> "GraphView":
        """The same view, where of more than a few edges that are alike the first stands for all.

        Edges are alike if a drawing would give them the same label. The four mappings by key
        still find every edge.
        """
        return self._bundled or self

    @cached_property
    def _bundled(self) -> "GraphView | None":
        """The bundled view; None if no edges are alike, so that no view refers to itself."""
        alike: dict[tuple[str, ...], list[EdgeView]] = defaultdict(list)
        for edge in self.edges:
            if not edge.chained:
                side = (edge.side_output or "", str(edge.side_output is None), *edge.selected_names)
                ends = (edge.source, edge.target, str(edge.input))
                alike[*ends, *side, edge.partitioner, edge.cause].append(edge)
        many = {edges[0].key: len(edges) for edges in alike.values() if len(edges) > FEW}
        hidden = {edge.key for edges in alike.values() if len(edges) > FEW for edge in edges[1:]}
        if not hidden:
            return None
        edges = tuple(edge for edge in self.edges if edge.key not in hidden)
        job_edges = tuple(edge for edge in self.job_edges if edge.edge not in hidden)
        many |= {edge.key: many[edge.edge] for edge in job_edges if edge.edge in many}
        return msgspec.structs.replace(self, edges=edges, job_edges=job_edges, alike=many)

    @property
    def decided(self) -> bool:
        """Whether every parallelism is known; the scheduler of a batch job decides it later."""
        return all(vertex.parallelism > 0 for vertex in self.vertices)


def through(view: GraphView, transformation: str) -> tuple[str, ...]:
    """Return the keys of the nodes of a transformation, else of the edges that pass it."""
    nodes = tuple(node.key for node in view.nodes if node.transformation == transformation)
    return nodes or tuple(edge.key for edge in view.edges if transformation in edge.via)


def operator_of(view: GraphView, transformation: str) -> NodeView | None:
    """Return the operator to pick for a transformation: its first one that is no tagger."""
    mine = (node for node in view.nodes if node.transformation == transformation)
    return next((node for node in mine if not node.tags), None)


def element_key(edge: int | None, node: int | None) -> str | None:
    """Return the key of the edge, else of the operator; None where neither is given."""
    if edge is not None:
        return f"e{edge}"
    return None if node is None else f"n{node}"


def node_key(finding: IdentifiedPart, view: GraphView) -> str | None:
    """Return the key of the operator of a finding; None if the drawn graph does not have it.

    Another release may make more operators of a transformation: the first one stands for it then.
    """
    known = {node.identity: node.key for node in view.nodes}
    return known.get(finding.identity) or known.get((finding.identity[0], 0))


def drawn_edges(view: GraphView, folded: Collection[str]) -> Iterator[tuple[EdgeView, str, str]]:
    """Yield each edge with the keys of its drawn ends; a folded chain hides its own edges."""
    drawn = {node.key: node.vertex if node.vertex in folded else node.key for node in view.nodes}
    for edge in view.edges:
        if not (edge.chained and drawn[edge.source] in folded):
            yield edge, drawn[edge.source], drawn[edge.target]
