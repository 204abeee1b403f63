"""Lets a trial of a captured program imitate a running job of it."""

from collections.abc import Iterator

from msgspec.structs import replace

from explorer.documents.readers.observed import Observed, imitations
from explorer.flink.compiler import Compilation
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import NodeId, Synthetic
from explorer.running.job_report import JobReport, JobVertexReport


def imitate_job(
    document: StreamGraphDocument, result: Compilation, report: JobReport
) -> StreamGraphDocument:
    """Give the document's synthetic operators the job's selectivities and costs.

    ``result`` is the document's compilation, ``report`` the job's figures there. A source sends as
    many records as before; neither graph changes.
    """
    synthetics = dict(pair for vertex in report.vertices for pair in _of_vertex(vertex, result))
    nodes = []
    for node in document.stream_graph.nodes:
        synthetic = synthetics.get(node.id, node.synthetic)
        if synthetic is not None and node.synthetic is not None:
            synthetic = replace(synthetic, records=node.synthetic.records)
        nodes.append(replace(node, synthetic=synthetic))
    graph = document.stream_graph.with_nodes(tuple(nodes))
    return replace(document, stream_graph=graph)


def _of_vertex(vertex: JobVertexReport, result: Compilation) -> Iterator[tuple[NodeId, Synthetic]]:
    graph = result.stream_graph
    head = result.chains.chains[result.chains.chain_of[vertex.operators[0].node]].head
    operators = sorted(vertex.operators, key=lambda operator: operator.node != head)
    chain = [
        Observed(
            node=job_operator.node,
            records_in=job_operator.records_in,
            records_out=job_operator.records_out,
            mixed=any(
                graph.edges[edge].side_output or graph.edges[edge].selected_names
                for edge in graph.out_edges[job_operator.node]
            ),
        )
        for job_operator in operators
    ]
    source = not graph.in_edges[head]
    return imitations(chain, vertex.times[0], subtasks=vertex.parallelism, source=source)
