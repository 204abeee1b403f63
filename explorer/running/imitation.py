"""Lets a trial of a captured program imitate a running job of it."""

from collections.abc import Iterator

from msgspec.structs import replace

from explorer.documents.readers.observed import Observed, imitations
from explorer.flink.compiler import Compilation
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import NodeId, Synthetic
from explorer.running.job_report import JobReport, JobVertexReport


def imitate_job(
    document: StreamGraphDocument, done: Compilation, report: JobReport
) -> StreamGraphDocument:
    """Give the document's synthetic operators the job's selectivities and costs.

    ``done`` is the document's compilation, ``report`` the job's figures there. A source sends as
    many records as before; neither graph changes.
    """
    found = dict(pair for vertex in report.vertices for pair in _of_vertex(vertex, done))
    nodes = []
    for node in document.stream_graph.nodes:
        synthetic = found.get(node.id, node.synthetic)
        if synthetic is not None and node.synthetic is not None:
            synthetic = replace(synthetic, records=node.synthetic.records)
        nodes.append(replace(node, synthetic=synthetic))
    graph = document.stream_graph.with_nodes(tuple(nodes))
    return replace(document, stream_graph=graph)


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
