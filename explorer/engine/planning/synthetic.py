"""Synthetic operators, which run captured programs: their documents contain no functions.

A source sends numbers; any other operator emits a number of records for each input record, and
spends a time on each. Without figures of its own an operator emits the records that it reads. The
expected numbers of records and seconds are known before the run.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from explorer.documents.checks.columns import NUMBERS
from explorer.engine import plan
from explorer.engine.steps.planned import Arriving, Outcome, distinct_types, each
from explorer.engine.steps.synthesize import MILLION, Synthesize
from explorer.errors import TrialError
from explorer.flink.compiler import Compilation
from explorer.flink.partitioners import partitioner_class
from explorer.flink.regions import producers_first
from explorer.model.stream_graph import EventTime, NodeId, StreamGraph, StreamNode, Synthetic
from explorer.wording import first_listed, listed, quoted

SYNTHETIC_RECORDS: Final = 1000
"""The records of a source without described rows."""
_NONE: Final = Synthetic()

MAX_RECORDS: Final = 100_000_000
"""Records that an operator of a trial may receive, all subtasks together."""
MAX_SECONDS: Final = 3600.0
"""Seconds that all records may cost together."""

NOTE: Final = (
    f"the functions of this program are not in its document, so synthetic operators run in their "
    f"place: a source sends {SYNTHETIC_RECORDS:,} numbers and an operator hands on each record "
    "that comes in, unless its field synthetic sets another (records, records_out, cost); tasks, "
    "channels, records and times are then counted, and rows, their bytes and their keys are "
    "stand-ins"
)

_NO_EVENT_TIME: Final = (
    "numbers have no event time and stand-in operators no windows or watermarks, so this trial "
    "leaves out {parts}"
)
NOT_FED_BACK: Final = (
    "{name}: synthetic operators feed no record back into an iteration, since how often one goes "
    "round its functions alone know"
)


def is_synthetic(compilation: Compilation) -> bool:
    """Whether a trial runs synthetic operators, as the transformations are not known."""
    return compilation.pipeline is None


def left_out_note(graph: StreamGraph) -> str:
    """A sentence on the event time and hybrid sources that a trial leaves out; empty: none."""
    operators: dict[str, list[str]] = defaultdict(list)
    for node in graph.nodes:
        for part in _event_time_parts(node):
            operators[part].append(node.name)
    parts = [f"{part} ({first_listed(names, 5)})" for part, names in operators.items()]
    return _NO_EVENT_TIME.format(parts=listed(parts)) if parts else ""


def _event_time_parts(node: StreamNode) -> Iterator[str]:
    times = node.event_time or EventTime()
    parts = {
        "idleness": times.idleness is not None,
        "watermark alignment": times.alignment is not None,
        "window offset": times.window_offset != 0,
        "allowed lateness": times.allowed_lateness != 0,
        "all but one source of a hybrid source": node.operator and node.operator.hybrid_sources,
    }
    yield from (part for part, is_set in parts.items() if is_set)


def synthetic_figures(node: StreamNode) -> Synthetic:
    """The description of an operator's work; empty without one."""
    return node.synthetic or _NONE


def _source_records(synthetic: Synthetic) -> int:
    return SYNTHETIC_RECORDS if synthetic.records is None else synthetic.records


def _ratio(synthetic: Synthetic) -> float:
    """Records emitted to the main output for each record read."""
    return 1.0 if synthetic.records_out is None else synthetic.records_out


def synthetic_source(node: StreamNode) -> plan.Source:
    """A source of numbers from 0 on."""
    synthetic = synthetic_figures(node)
    rows = plan.SequenceRows(first=0, last=_source_records(synthetic) - 1)
    return plan.Source(rows=rows, row_type=NUMBERS, cost=synthetic.cost)


def synthetic_work(node: StreamNode, arriving: Sequence[Arriving]) -> Outcome:
    """Plan an operator that is no source; it emits the rows that it reads."""
    synthetic = synthetic_figures(node)
    main = distinct_types([item.row_type for item in arriving])
    if synthetic == _NONE:
        return Outcome(main=main)
    ratios = ((None, _ratio(synthetic)), *synthetic.side_outputs.items())
    outputs = tuple((tag, round(ratio * MILLION)) for tag, ratio in ratios)
    step = Synthesize(outputs=outputs, cost=synthetic.cost)
    return replace(each(arriving, [step for _ in arriving]), main=main)


class Expected(NamedTuple):
    """The expected figures of an operator, all subtasks together."""

    records_in: float
    records_out: float
    """To the main output."""
    seconds: float
    """The cost of all records."""


def expected_records(compilation: Compilation) -> Mapping[NodeId, Expected]:
    """The expected figures of each synthetic operator; empty for known transformations."""
    if not is_synthetic(compilation):
        return {}
    return _expected_records(compilation.stream_graph, node_order(compilation.stream_graph))


def node_order(graph: StreamGraph) -> list[NodeId]:
    """All nodes of a StreamGraph, producers first."""
    ends = [(edge.source, edge.target) for edge in graph.edges]
    return producers_first([node.id for node in graph.nodes], ends)


def _expected_records(graph: StreamGraph, order: Iterable[NodeId]) -> dict[NodeId, Expected]:
    coming: dict[NodeId, float] = defaultdict(float)
    expecteds: dict[NodeId, Expected] = {}
    for id in order:
        synthetic, records_in = synthetic_figures(graph.node(id)), coming[id]
        source = not graph.in_edges[id]
        out = float(_source_records(synthetic)) if source else records_in * _ratio(synthetic)
        seconds = (out if source else records_in) * synthetic.cost / 1e6
        expecteds[id] = Expected(records_in, out if graph.out_edges[id] else 0.0, seconds)
        for position in graph.out_edges[id]:
            edge = graph.edges[position]
            tag = edge.side_output
            sent = out if tag is None else records_in * synthetic.side_outputs.get(tag, 0.0)
            if partitioner_class(edge.partitioner_class).routing == "BROADCAST":
                sent *= max(1, graph.node(edge.target).parallelism)
            coming[edge.target] += sent
    return expecteds


def check_expected(graph: StreamGraph, order: Iterable[NodeId]) -> None:
    """Raise ``TrialError`` where synthetic operators would exceed a limit of records or time.

    ``order``: all nodes, producers first.
    """
    expected = _expected_records(graph, order)
    for id, figures in expected.items():
        records = max(figures.records_in, figures.records_out)
        if records > MAX_RECORDS:
            name = quoted(graph.node(id).name)
            msg = (
                f"the operator {name} would have {records:,.0f} records, and one of a trial has "
                f"{MAX_RECORDS:,} at most; lower records or records_out"
            )
            raise TrialError(msg)
    seconds = sum(item.seconds for item in expected.values())
    if seconds > MAX_SECONDS:
        msg = (
            f"the records of this trial would cost {seconds:,.0f} s together, and it may take "
            f"{MAX_SECONDS:,.0f} s; lower cost or records"
        )
        raise TrialError(msg)
