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

from explorer.flink.process_functions import ProcessCall
from explorer.lookup.identity import EdgeIdentity, Identity
from explorer.lookup.whatis import IdentifiedPart
from explorer.model.frozen import FrozenRecord
from explorer.model.stream_graph import EventTime


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
    strategy_words: str
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
    event_time: EventTime | None = None
    hybrid_sources: tuple[str, ...] = ()
    """The classes of a hybrid source's parts."""
    is_unnamed: bool = False
    """Whether ``name`` is Flink's default: the pipeline gives the operator an id alone."""

    @property
    def title(self) -> str:
        """What the user calls it: its name, or the id of a pipeline's operator without one."""
        return self.transformation if self.is_unnamed and self.transformation else self.name

    @property
    def default_name(self) -> str:
        """Flink's name where ``title`` is another one; else empty."""
        return "" if self.title == self.name else self.name


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
    colour: int
    """The number that chooses its colour: its own, or that of its chain before an edit."""
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
MOST_LINES: Final = 600
"""Edges between tasks up to which each pair of operators has its line."""
DENSE: Final = 2
"""Alike edges of an operator, on either side, up to which each is drawn in any case."""


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
        """The same view with fewer edges: one stands for all that are alike, if they are many.

        Edges with the same ends are alike if a drawing would give them the same label. Of a graph
        of more than ``MOST_LINES`` edges, those of an operator are alike whatever their other end
        is: a union of many inputs with many readers is drawn by the first edge of each operator, so
        that the number of lines grows with the operators and not with their product. The four
        mappings by key still find every edge.
        """
        return self._bundled or self

    @cached_property
    def _bundled(self) -> "GraphView | None":
        """The bundled view; None if no edges are alike, so that no view refers to itself."""
        cut = [edge for edge in self.edges if not edge.chained]
        stands_for = _stand_for_same_ends(cut)
        drawn_views = [edge for edge in cut if edge.key not in stands_for]
        if len(drawn_views) > MOST_LINES:
            stands_for |= _stand_for_same_source(drawn_views)
        if not stands_for:
            return None
        edges = tuple(edge for edge in self.edges if edge.key not in stands_for)
        job_edges = tuple(edge for edge in self.job_edges if edge.edge not in stands_for)
        alike = _count_alike(stands_for)
        alike |= {edge.key: alike[edge.edge] for edge in job_edges if edge.edge in alike}
        return msgspec.structs.replace(self, edges=edges, job_edges=job_edges, alike=alike)

    @property
    def decided(self) -> bool:
        """Whether every parallelism is known; the scheduler of a batch job decides it later."""
        return all(vertex.parallelism > 0 for vertex in self.vertices)


def _looks(edge: EdgeView) -> tuple[str | None, ...]:
    """Return what the label of an edge shows."""
    return (edge.side_output, *edge.selected_names, edge.partitioner, edge.cause)


def _stand_for_same_ends(edges: Sequence[EdgeView]) -> dict[str, str]:
    """Map each edge that is not drawn to the first of more than a few with its ends."""
    alike: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for edge in edges:
        alike[edge.source, edge.target, edge.input, _looks(edge)].append(edge.key)
    return {key: keys[0] for keys in alike.values() if len(keys) > FEW for key in keys[1:]}


def _stand_for_same_source(edges: Sequence[EdgeView]) -> dict[str, str]:
    """Map each edge that is not drawn to the first one of its source.

    Drawn are the first of each source and the first of each target, so that every operator stays
    connected, and all edges of an operator that has only a few on that side.
    """
    leaving: dict[tuple[object, ...], list[str]] = defaultdict(list)
    entering: dict[tuple[object, ...], list[str]] = defaultdict(list)
    sides = []
    for edge in edges:
        looks = _looks(edge)
        sides.append((leaving[edge.source, looks], entering[edge.target, edge.input, looks]))
        for side in sides[-1]:
            side.append(edge.key)
    return {
        edge.key: out[0]
        for edge, (out, into) in zip(edges, sides, strict=True)
        if min(len(out), len(into)) > DENSE and edge.key not in {out[0], into[0]}
    }


def _count_alike(stands_for: Mapping[str, str]) -> dict[str, int]:
    """Return for each edge that stands for others how many edges it shows."""
    count: dict[str, int] = {}
    for key in stands_for:
        # An edge that stands for others may itself be shown by another one.
        first = stands_for[key]
        count[first] = count.get(first, 1) + count.pop(key, 1)
    return count


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


def card_of(view: GraphView, key: str, folded: Collection[str]) -> str:
    """Return the card of an operator: its own, or that of its folded chain of several operators."""
    vertex = view.vertex_of[view.node_of[key].vertex]
    return vertex.key if vertex.key in folded and len(vertex.nodes) > 1 else key


def drawn_edges(view: GraphView, folded: Collection[str]) -> Iterator[tuple[EdgeView, str, str]]:
    """Yield each edge with the keys of its drawn ends; a folded chain hides its own edges."""
    drawn = {node.key: node.vertex if node.vertex in folded else node.key for node in view.nodes}
    for edge in view.edges:
        if not (edge.chained and drawn[edge.source] in folded):
            yield edge, drawn[edge.source], drawn[edge.target]
