"""A StreamGraph document as data: a compilation's ``stream_graph``, or one written by hand.

Nodes and edges are spelled as a compilation prints them. ``in_order`` and ``out_order`` give, by
node, the order of its edges; where they are missing the order of ``edges`` stands for it. Members
of a compilation that the StreamGraph does not need are left alone.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from explorer.documents.checks.expectations import check_expectations, names_of_graph
from explorer.documents.checks.graph_rules import check_count, check_graph
from explorer.documents.checks.sql_plans import check_sql_plan
from explorer.documents.readers.stream_edges import complete_edges, edge_assumptions, with_hashes
from explorer.documents.records import to_record
from explorer.errors import DocumentError
from explorer.flink.kinds import KINDS
from explorer.flink.partitioners import BINARY_HASH, FORWARD_CONSECUTIVE_HASH, FORWARD_UNSPECIFIED
from explorer.flink.releases import VERSIONS, release
from explorer.model.chains import JobSettings
from explorer.model.document import StreamGraphDocument
from explorer.model.flink_job_graph import FlinkJobGraph
from explorer.model.pipeline import CheckSettings, Expectations
from explorer.model.sql_plan import SqlPlan
from explorer.model.stream_graph import WRITER_ENDING, NodeId, StreamEdge, StreamGraph, StreamNode
from explorer.wording import described, quoted, suggestion

_JOB_GRAPHS: Final = ("job_graph", "flink_job_graph")
_DYNAMIC: Final = frozenset({FORWARD_UNSPECIFIED, FORWARD_CONSECUTIVE_HASH})
"""The partitioners that Flink chooses only while the parallelism is open."""


def _assumed_settings(document: Mapping[str, Any], edges: Sequence[StreamEdge]) -> JobSettings:
    """Return the settings of a batch job if anything identifies one, else the defaults."""
    job_graphs = [document[name] for name in _JOB_GRAPHS if isinstance(document.get(name), Mapping)]
    flushed = any(edge.buffer_timeout != -1 for edge in edges)
    classes = set() if flushed else {edge.partitioner_class for edge in edges}
    vertices = [job_graph.get("vertices") for job_graph in job_graphs]
    dynamic = not classes.isdisjoint(_DYNAMIC) or any(
        isinstance(vertex, Mapping) and vertex.get("parallelism") == -1
        for listed in vertices
        if isinstance(listed, list | tuple)
        for vertex in listed
    )
    batch = [release(version).batch_job_type for version in VERSIONS]
    reported = any(job_graph.get("job_type") in batch for job_graph in job_graphs)
    if not (dynamic or reported or BINARY_HASH in classes):
        return JobSettings()
    return JobSettings(
        batch=True, dynamic=dynamic, exchange_mode="ALL_EDGES_BLOCKING", slot_groups_by_region=True
    )


def _with_parallelism(
    nodes: Sequence[StreamNode], given: Sequence[object], settings: JobSettings
) -> tuple[StreamNode, ...]:
    """Return nodes that know whether the program gave them their parallelism.

    ``given``: the nodes as the document spells them. Where none of them is marked and the scheduler
    decides the others, those with the environment's parallelism are left to it.
    """
    if not settings.dynamic or any(
        isinstance(node, Mapping) and "parallelism_configured" in node for node in given
    ):
        return tuple(nodes)
    numbers = (node.parallelism for node in nodes)
    common = settings.parallelism or next(
        (number for number, _ in Counter(numbers).most_common(1)), None
    )
    return tuple(
        msgspec.structs.replace(node, parallelism_configured=node.parallelism != common)
        for node in nodes
    )


_NODE_FIELDS: Final = frozenset(
    {*StreamNode.__struct_fields__, "in_order", "out_order", "yields_to_mailbox"}
)
_EDGE_FIELDS: Final = frozenset(StreamEdge.__struct_fields__)
_NO_SETTINGS: Final = (
    "stream_graph.settings: is missing; the environment's options are assumed to be the defaults, "
    "the runtime mode STREAMING unless the edges or job_graph.job_type say otherwise"
)
_NO_PARALLELISM: Final = (
    "stream_graph.nodes: parallelism_configured is missing; the scheduler is assumed to decide the "
    "parallelism of the operators that have the environment's, or the most common one"
)

_YIELDING: Final = frozenset(kind.name for kind in KINDS.values() if kind.yields)
"""Default names of the operators with factories that yield to the mailbox; a sink's writer does."""


class _NodeGraph(msgspec.Struct, kw_only=True):
    nodes: tuple[StreamNode, ...]
    edges: tuple[StreamEdge, ...]
    sources: tuple[NodeId, ...] | None = None
    chaining_enabled: bool = True
    settings: JobSettings | None = None


class _StreamGraphMembers(msgspec.Struct, kw_only=True):
    name: str = "stream graph"
    title: str | None = None
    teaches: str | None = None
    flink: str | None = None
    warnings: tuple[str, ...] = ()
    stream_graph: _NodeGraph
    options: dict[str, str] = {}
    flink_job_graph: FlinkJobGraph | None = None
    expect: Expectations = Expectations()
    check: CheckSettings = CheckSettings()
    baseline: dict[str, Any] | None = None
    sql_plan: SqlPlan | None = None


_HEAD: Final = frozenset(_StreamGraphMembers.__struct_fields__) - {"stream_graph"}


class _Orders(msgspec.Struct, kw_only=True):
    in_order: tuple[int, ...] | None = None
    out_order: tuple[int, ...] | None = None


class _OrdersOfNodes(msgspec.Struct, kw_only=True):
    nodes: tuple[_Orders, ...]


class _OrderDocument(msgspec.Struct, kw_only=True):
    stream_graph: _OrdersOfNodes


def to_stream_graph_document(
    document: Mapping[str, Any], *, limit: int | None
) -> StreamGraphDocument:
    """Build the document that plain values spell; raises ``DocumentError`` for the first fault."""
    members = document["stream_graph"]
    if not isinstance(members, Mapping):
        raise DocumentError(
            path="stream_graph", problem=f"must be a mapping, but is {described(members)}"
        )
    check_count(members.get("nodes"), limit)
    completed = {**members, "edges": complete_edges(members), "nodes": _complete_nodes(members)}
    head = {name: document[name] for name in _HEAD if name in document}
    record = to_record({**head, "stream_graph": completed}, _StreamGraphMembers)
    orders = to_record({"stream_graph": completed}, _OrderDocument).stream_graph.nodes
    node_graph = record.stream_graph
    check_graph(node_graph.nodes, node_graph.edges, node_graph.sources, limit=limit)
    check_expectations(record.expect, record.check, names_of_graph(node_graph.nodes))
    if record.sql_plan is not None:
        check_sql_plan(record.sql_plan)
    settings = node_graph.settings or _assumed_settings(document, node_graph.edges)
    nodes = _with_parallelism(node_graph.nodes, members["nodes"], settings)
    graph = msgspec.structs.replace(node_graph, nodes=nodes, edges=with_hashes(node_graph.edges))
    warnings = (*record.warnings, *_unread(members), *_assumptions(node_graph, nodes))
    phrase = {name: getattr(record, name) for name in _HEAD}
    return StreamGraphDocument(
        **{**phrase, "warnings": tuple(dict.fromkeys(warnings))},
        stream_graph=_order_edges(graph, orders),
        settings=settings,
    )


def _assumptions(node_graph: _NodeGraph, nodes: tuple[StreamNode, ...]) -> Iterator[str]:
    """Yield a sentence for each thing that the document does not say."""
    for path, sentence in edge_assumptions(node_graph.edges):
        yield f"{path}: {sentence}"
    if node_graph.settings is None:
        yield _NO_SETTINGS
    if nodes != node_graph.nodes:
        yield _NO_PARALLELISM


def _complete_nodes(members: Mapping[str, Any]) -> object:
    """Nodes with ``yielding`` as the chaining rule needs it.

    From 2.0 on Flink wraps its factories and no longer shows which of them yield: then the default
    names of the operators decide.
    """
    nodes = members.get("nodes")
    if not isinstance(nodes, list | tuple):
        return nodes
    return [
        {**node, "yielding": node.get("yields_to_mailbox", True)}
        if isinstance(node, Mapping)
        and (
            "yields_to_mailbox" in node
            or (not node.get("yielding") and has_yielding_name(str(node.get("name"))))
        )
        else node
        for node in nodes
    ]


def has_yielding_name(name: str) -> bool:
    """Whether an operator's name is the default one of an operator that yields to the mailbox."""
    return name in _YIELDING or name.endswith(WRITER_ENDING)


def _order_edges(graph: _NodeGraph, orders: Sequence[_Orders]) -> StreamGraph:
    """Build the graph with each node's edges in the document's order."""
    stream_graph = StreamGraph.of(
        graph.nodes, graph.edges, (), chaining_enabled=graph.chaining_enabled
    )
    ins, outs = dict(stream_graph.in_edges), dict(stream_graph.out_edges)
    sides = (("in_order", "source", ins), ("out_order", "target", outs))
    for position, (node, order) in enumerate(zip(graph.nodes, orders, strict=True)):
        for side, end, edges_of in sides:
            wanted_value = getattr(order, side)
            if wanted_value is not None:
                ends = [getattr(graph.edges[edge], end) for edge in edges_of[node.id]]
                place = f"stream_graph.nodes[{position}].{side}"
                edges_of[node.id] = _arrange(edges_of[node.id], ends, wanted_value, place)
    sources = graph.sources or tuple(id for id, edges in ins.items() if not edges)
    return msgspec.structs.replace(
        stream_graph, sources=tuple(sorted(set(sources))), in_edges=ins, out_edges=outs
    )


def _arrange(
    edges: Sequence[int], ends: Sequence[int], expected: Sequence[int], place: str
) -> tuple[int, ...]:
    """Order edges by their other ends, as in ``expected``; equal ends keep their order."""
    waiting: dict[int, deque[int]] = defaultdict(deque)
    for edge, end in zip(edges, ends, strict=True):
        waiting[end].append(edge)
    arranged = [waiting[end].popleft() for end in expected if waiting[end]]
    if len(arranged) != len(edges) or len(expected) != len(edges):
        problem = (
            f"must name the other ends of the node's {len(edges)} edges, each as often as in edges"
        )
        raise DocumentError(place, problem)
    return tuple(arranged)


def _unread(members: Mapping[str, Any]) -> list[str]:
    """Return a warning for each unread field of nodes and edges, at its first occurrence."""
    warnings: dict[str, str] = {}
    for kind, known in (("nodes", _NODE_FIELDS), ("edges", _EDGE_FIELDS)):
        for position, item in enumerate(members[kind]):
            for name in item.keys() - known:
                hint = suggestion(str(name), sorted(known))
                text = (
                    f"stream_graph.{kind}[{position}]: the field {quoted(name)} is not read{hint}"
                )
                warnings.setdefault(f"{kind} {name}", text)
    return list(warnings.values())
