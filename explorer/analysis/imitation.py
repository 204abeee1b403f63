"""A captured program with a trial that imitates a running job of it."""

from collections.abc import Iterator

from msgspec.structs import replace

from explorer.analysis.job_report import JobReport, JobVertexReport
from explorer.documents.observed import Observed, imitations
from explorer.flink.compiler import Compilation
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import NodeId, Synthetic


def imitating(
    document: StreamGraphDocument, done: Compilation, report: JobReport
) -> StreamGraphDocument:
    """The document with synthetic operators have the job's selectivities and costs.

    ``done`` is what became of the document, ``report`` the job's figures there. How many records a
    source sends is left as it was; neither graph changes.
    """
    found = dict(pair for vertex in report.vertices for pair in _of_vertex(vertex, done))
    graph = document.stream_graph
    nodes = tuple(
        replace(node, synthetic=_joined(node.synthetic, found[node.id]))
        if node.id in found
        else node
        for node in graph.nodes
    )
    return replace(document, stream_graph=graph.with_nodes(nodes))


def _joined(before: Synthetic | None, found: Synthetic) -> Synthetic:
    """Return the observed figures with the user's number of records."""
    return found if before is None else replace(found, records=before.records)


def _of_vertex(vertex: JobVertexReport, done: Compilation) -> Iterator[tuple[NodeId, Synthetic]]:
    graph = done.stream_graph
    head = done.chains.chains[done.chains.chain_of[vertex.operators[0].node]].head
    operators = sorted(vertex.operators, key=lambda one: one.node != head)
    chain = [
        Observed(
            node=one.node,
            records_in=one.records_in,
            records_out=one.records_out,
            mixed=any(
                graph.edges[edge].side_output or graph.edges[edge].selected_names
                for edge in graph.out_edges[one.node]
            ),
        )
        for one in operators
    ]
    source = not graph.in_edges[head]
    return imitations(chain, vertex.times[0], subtasks=vertex.parallelism, source=source)
