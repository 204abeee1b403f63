"""The network exchange of an edge that is called by its ends."""

from collections.abc import Mapping

from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.deploying import compute_resources
from explorer.deployment.exchanges.exchange import Exchange, network_exchange
from explorer.documents import Program, as_document
from explorer.errors import TrialError
from explorer.flink.compiler import Compilation, compile_program
from explorer.lookup.edge_lookup import edges_called
from explorer.model.document import Document
from explorer.wording import quoted


def exchange(
    document: Program,
    edge: str,
    options: Mapping[str, object] | None = None,
    *,
    flink_version: str | None = None,
) -> Exchange:
    """Describe the network exchange between two tasks.

    Args:
        document: The program.
        edge: Its ends, ``A->B``, each an ID, a name, a node number or an operator ID.
        options: Options of the cluster by Flink's names, which win over the document's own.
        flink_version: The release; default: the document's own.

    Raises ``ExplorerError`` where there is no such edge, or where it is chained.
    """
    program = as_document(document)
    return exchange_of_edge(program, compile_program(program, flink_version), edge, options or {})


def exchange_of_edge(
    document: Document, compilation: Compilation, edge: str, options: Mapping[str, object]
) -> Exchange:
    """Return the exchange of an edge of a compiled program; raises as ``exchange``."""
    edges = edges_called(compilation.stream_graph, edge, compilation.hashes)
    crossing = [
        position
        for position, job_edge in enumerate(compilation.job_graph.edges)
        if job_edge.stream_edge in edges
    ]
    if not crossing:
        msg = f"edge {quoted(edge)} is chained: its records stay in one task, off the network"
        raise TrialError(msg)
    cluster = cluster_options(document, options, compilation.release)
    return network_exchange(compilation, compute_resources(compilation, cluster), crossing[0])
