"""How many records will synthetic operators see, and how long will they take? Told beforehand."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final, NamedTuple

from explorer.errors import TrialError
from explorer.flink.compiler import Compilation
from explorer.flink.partitioners import partitioner_class
from explorer.model.stream_graph import NodeId, StreamEdge
from explorer.trial.flow import producers_first
from explorer.trial.synthetic import RECORDS, figures, is_synthetic
from explorer.wording import quoted

MAX_RECORDS: Final = 100_000_000
"""Records that an operator of a trial may take in, all subtasks together."""
MAX_SECONDS: Final = 3600.0
"""Seconds that all records may cost together."""


class Expected(NamedTuple):
    """Of an operator, all subtasks together."""

    records_in: float
    records_out: float
    """To the main output."""
    seconds: float
    """What its records cost together."""


def expected_records(compilation: Compilation) -> Mapping[NodeId, Expected]:
    """By operator what is to be expected of a trial of synthetic operators; else empty."""
    if not is_synthetic(compilation):
        return {}
    graph = compilation.stream_graph
    ends = [(edge.source, edge.target) for edge in graph.edges]
    coming: dict[NodeId, float] = defaultdict(float)
    found: dict[NodeId, Expected] = {}
    for id in producers_first([node.id for node in graph.nodes], ends):
        given, records_in = figures(graph.node(id)), coming[id]
        ratio = 1.0 if given.records_out is None else given.records_out
        records = RECORDS if given.records is None else given.records
        source = not graph.in_edges[id]
        out = float(records) if source else records_in * ratio
        seconds = (out if source else records_in) * given.cost / 1e6
        found[id] = Expected(records_in, out if graph.out_edges[id] else 0.0, seconds)
        for position in graph.out_edges[id]:
            edge = graph.edges[position]
            tag = edge.side_output
            sent = out if tag is None else records_in * given.side_outputs.get(tag, 0.0)
            coming[edge.target] += sent * _copies(compilation, edge)
    return found


def _copies(compilation: Compilation, edge: StreamEdge) -> int:
    """How often an edge delivers a record."""
    if partitioner_class(edge.partitioner_class).routing != "BROADCAST":
        return 1
    return max(1, compilation.stream_graph.node(edge.target).parallelism)


def check_expected(compilation: Compilation) -> None:
    """Raise ``TrialError`` where synthetic operators would not come to an end in time."""
    expected = expected_records(compilation)
    for id, one in expected.items():
        records = max(one.records_in, one.records_out)
        if records > MAX_RECORDS:
            name = quoted(compilation.stream_graph.node(id).name)
            msg = (
                f"the operator {name} would have {records:,.0f} records, and one of a trial has "
                f"{MAX_RECORDS:,} at most; lower records or records_out"
            )
            raise TrialError(msg)
    seconds = sum(one.seconds for one in expected.values())
    if seconds > MAX_SECONDS:
        msg = (
            f"the records of this trial would cost {seconds:,.0f} s together, and it may take "
            f"{MAX_SECONDS:,.0f} s; lower cost or records"
        )
        raise TrialError(msg)
