"""Traces one row: forward from a source, or back from a sink.

A route is a list of typed steps in the order of narration, with a sentence for each.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from explorer.deployment.network_options import segment_size
from explorer.engine.planning.flow import Sink
from explorer.engine.preview.tracing import TracedRun
from explorer.engine.report.record_narration import RecordStep, as_members, narrate_route
from explorer.engine.rows.batch import NO_TIMESTAMP, Longs
from explorer.engine.steps.feed_back import FeedBack
from explorer.engine.steps.step import Step
from explorer.engine.task.ancestry import Crossing
from explorer.engine.task.choices import choice
from explorer.engine.task.record_route import (
    RouteStep,
    RowChained,
    RowCollected,
    RowEnded,
    RowFedBack,
    RowRead,
    RowSent,
    RowWorked,
    TracedRow,
    TracedRows,
)
from explorer.engine.task.serializers import batch_bytes
from explorer.errors import TrialError
from explorer.model.stream_graph import NodeId, StreamEdge
from explorer.wording import counted, listed, quoted, suggestion

T = TypeVar("T")
Options: TypeAlias = Mapping[str, object]
NO_OPTIONS: Final[Options] = {}

Direction: TypeAlias = Literal["forward", "back"]
MOST_STEPS: Final = 200
"""Limit of steps in a route; further steps are dropped."""
BRANCHES: Final = 5
"""Limit of a row's output rows (back: input rows) that are traced further."""
LISTED: Final = 20
"""Limit of rows that a step lists."""
MOST_ENDS: Final = 1000
"""Limit of listed rows at the other end of a route; all rows are counted."""
LONGEST_BYTES: Final = 512
"""Limit of a row's bytes in a step."""


class End(msgspec.Struct, frozen=True, kw_only=True):
    """A row at the other end of a route."""

    node: int
    name: str
    """The source's ID in the document, else its operator's name; the sink's ID in the report."""
    place: int
    """Position among the source's rows, or among the sink's rows in the report, from 0."""
    row: TracedRow


class RecordRoute(msgspec.Struct, frozen=True, kw_only=True):
    """The steps of a row, up to the limit."""

    direction: Direction
    start: End
    """The traced row."""
    steps: tuple[RouteStep, ...]
    reported: tuple[RecordStep, ...]
    """The narrated steps."""
    whole: bool
    """False where the route was longer than the limit."""
    ends: tuple[End, ...]
    """Forward the sinks' rows made from the traced row, back the sources' rows it was made from."""
    ends_count: int
    cut: tuple[str, ...]
    """Names of the sources that have more rows than the run read."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members, with the narrated steps."""
        members = msgspec.to_builtins(replace(self, steps=(), reported=()))
        del members["reported"]
        return {**members, "steps": as_members(self.reported), "cut": list(self.cut)}


def source_nodes(run: TracedRun) -> dict[str, int]:
    """Map the ID, else the operator's name, of every source with rows to its node."""
    return {
        operator.transformation or operator.name: operator.node
        for operator in run.operators.values()
        if operator.source is not None and operator.source.rows is not None
    }


def ends_of(run: TracedRun) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the sources and of the sinks with rows that can be traced."""
    return tuple(source_nodes(run)), tuple(sink.id for sink in run.plan.sinks)


def rows_of(run: TracedRun, direction: Direction, name: str, maximum: int) -> tuple[TracedRow, ...]:
    """The first rows of a source (forward) or a sink (back), in the order in which they count."""
    records: Sequence[int] | Longs
    if direction == "forward":
        records = run.source_records(source_nodes(run)[name])
    else:
        records = run.sink_records(next(sink for sink in run.plan.sinks if sink.id == name))
    return tuple(row_of(run, int(number)) for number in records[:maximum])


def trace_record(
    run: TracedRun, source: str | None, sink: str | None, place: int, options: Options = NO_OPTIONS
) -> RecordRoute:
    """Trace row ``place`` of a source or of a sink, counted from 0; raises ``ExplorerError``.

    Where neither is named, the job's only source is used. ``options``: the cluster's, which
    override the document's.
    """
    if sink is not None:
        return trace_from_sink(run, sink, place, options)
    sources = list(source_nodes(run))
    if source is None and len(sources) > 1:
        msg = f"this job has {len(sources)} sources; say which: {listed(map(quoted, sources))}"
        raise TrialError(msg)
    return trace_from_source(run, source or (sources[0] if sources else ""), place, options)


def trace_from_source(
    run: TracedRun, source: str, place: int, options: Options = NO_OPTIONS
) -> RecordRoute:
    """The route of row ``place`` of a source's sample, counted from 0; raises ``TrialError``."""
    records = run.source_records(_find_named("source", source, source_nodes(run)))
    number = _pick_record(records, place, f"source {quoted(source)}", "the run took")
    traversal = _RouteNarrator(run)
    traversal.forward(number)
    reached = np.array(sorted(run.ancestry.descendants(number)), np.int64)
    places = [
        (sink, int(place), int(numbers[place]))
        for sink in run.plan.sinks
        for numbers in (run.sink_records(sink),)
        for place in np.flatnonzero(np.isin(numbers, reached))
    ]
    ends = [_sink_end(run, *place) for place in places[:MOST_ENDS]]
    start = _source_end(run, number)
    return _route(run, "forward", traversal, start, (ends, len(places)), options)


def trace_from_sink(
    run: TracedRun, sink: str, place: int, options: Options = NO_OPTIONS
) -> RecordRoute:
    """The route back from row ``place`` of a sink, counted from 0; raises ``TrialError``."""
    end = _find_named("sink", sink, {item.id: item for item in run.plan.sinks})
    number = _pick_record(run.sink_records(end), place, f"sink {quoted(sink)}", "it took")
    traversal = _RouteNarrator(run)
    traversal.back(number, end, place)
    sources = run.ancestry.source_ancestors(number)
    ends = [_source_end(run, source) for source in sources[:MOST_ENDS]]
    start = _sink_end(run, end, place, number)
    return _route(run, "back", traversal, start, (ends, len(sources)), options)


def _find_named(kind: str, name: str, ts: Mapping[str, T]) -> T:
    if name in ts:
        return ts[name]
    msg = f"this job has no {kind} with rows"
    if ts:
        hint = suggestion(name, list(ts))
        msg = f"there is no {kind} {quoted(name)}; there are {listed(map(quoted, ts))}{hint}"
    raise TrialError(msg)


def _pick_record(records: Sequence[int] | Longs, place: int, owner: str, took: str) -> int:
    if not 0 <= place < len(records):
        advice = f"choose 1 to {len(records):,}" if len(records) else "trace another row"
        msg = f"{owner} has no row {place + 1:,}: {took} {counted(len(records), 'row')}; {advice}"
        raise TrialError(msg)
    return int(records[place])


def _source_end(run: TracedRun, number: int) -> End:
    operator = run.operators[run.ancestry.place(number).among.node]
    name, place = operator.transformation or operator.name, run.place_in_source(number)
    return End(node=operator.node, name=name, place=place, row=row_of(run, number))


def _sink_end(run: TracedRun, sink: Sink, place: int, number: int) -> End:
    return End(node=sink.node, name=sink.id, place=place, row=row_of(run, number))


def _route(
    run: TracedRun,
    direction: Direction,
    traversal: "_RouteNarrator",
    start: End,
    ends: tuple[list[End], int],
    options: Options,
) -> RecordRoute:
    """Assemble a route; ``ends``: the listed rows at its other end, and how many there are."""
    pipeline = run.compilation.pipeline
    own = {} if pipeline is None else pipeline.options
    steps = tuple(traversal.steps[:MOST_STEPS])
    return RecordRoute(
        direction=direction,
        start=start,
        steps=steps,
        reported=narrate_route(run.compilation, steps, segment_size({**own, **options})),
        whole=len(traversal.steps) <= MOST_STEPS,
        ends=tuple(ends[0]),
        ends_count=ends[1],
        cut=run.cut,
    )


def row_of(run: TracedRun, number: int) -> TracedRow:
    """Return a record with its column names and timestamp."""
    among, at = run.ancestry.place(number)
    time = run.timestamp_of(number)
    return TracedRow(
        number=number,
        values=tuple(among.batch.row(at).items()),
        timestamp=None if time == NO_TIMESTAMP else time,
    )


def _rows(run: TracedRun, numbers: Sequence[int], first: int) -> TracedRows:
    """List some rows: ``first``, then the rows that were emitted last."""
    other_numbers = [number for number in reversed(numbers) if number != first]
    shown = [first, *other_numbers][:LISTED]
    return TracedRows(shown=tuple(row_of(run, item) for item in shown), count=len(numbers))


class _RouteNarrator:
    """Narrates a route step by step, depth first, up to the limit."""

    def __init__(self, run: TracedRun) -> None:
        self._run, self._ancestry = run, run.ancestry
        self._graph = run.compilation.stream_graph
        self._job_edges = {
            edge.stream_edge: number for number, edge in enumerate(run.compilation.job_graph.edges)
        }
        self._sinks = {sink.node: sink for sink in run.plan.sinks}
        self._tail_of = {head: tail for tail, head in run.head_of.items()}
        self.steps: list[RouteStep] = []

    def forward(self, number: int) -> None:
        """Narrate the route from a source's row to all rows made from it."""
        self._read(number)
        waiting, reported = [number], {number}
        while waiting and len(self.steps) <= MOST_STEPS:
            place = waiting.pop()
            further: list[int] = []
            for position, edge in self._outputs(place):
                for subtask in self._cross(place, position, edge):
                    further += self._work(place, edge, subtask)
            fresh = [number for number in dict.fromkeys(further) if number not in reported]
            reported.update(fresh)
            waiting += reversed(fresh[:BRANCHES])

    def back(self, number: int, sink: Sink, place: int) -> None:
        """Narrate the route from a sink's row to the sources' rows it was made from."""
        subtask = next(at for node, at, _ in self._ancestry.readers(number) if node == sink.node)
        row = row_of(self._run, number)
        self.steps.append(RowCollected(node=sink.node, subtask=subtask, place=place, row=row))
        waiting = [(number, sink.node, subtask)]
        reported: set[int] = set()
        while waiting and len(self.steps) <= MOST_STEPS:
            current, node, subtask = waiting.pop()
            previous = len(self.steps)
            for position, edge in self._outputs(current):
                if edge.target == node:
                    self._cross(current, position, edge)
            # Of a record that is sent to several, the route to this subtask alone is narrated.
            self.steps[previous:] = [
                step
                for step in self.steps[previous:]
                if not isinstance(step, RowSent) or subtask in step.choice.consumers
            ]
            if current in reported:
                continue
            reported.add(current)
            among, _ = self._ancestry.place(current)
            parents = self._narrate_producer(current)
            reader = self._tail_of.get(among.node, among.node)
            waiting += [(p, reader, among.subtask) for p in reversed(parents[:BRANCHES])]

    def _read(self, number: int) -> None:
        among, _ = self._ancestry.place(number)
        place, row = self._run.place_in_source(number), row_of(self._run, number)
        self.steps.append(RowRead(node=among.node, subtask=among.subtask, place=place, row=row))

    def _outputs(self, number: int) -> Iterator[tuple[int, StreamEdge]]:
        """The edges that carry a record, by its tag and the output selectors."""
        among, _ = self._ancestry.place(number)
        for position in self._graph.out_edges[NodeId(among.node)]:
            edge = self._graph.edges[position]
            directed = edge.selected_names and self._graph.node(edge.source).directs_records
            readers: set[int] = {edge.target}
            if directed and position not in self._job_edges:
                # Within a task only its readers show which outputs a record was directed to.
                readers = {NodeId(node) for node, _, _ in self._ancestry.readers(number)}
            if edge.side_output == among.tag and edge.target in readers:
                yield position, edge

    def _cross(self, number: int, position: int, edge: StreamEdge) -> list[int]:
        """Narrate a record on an edge; return the subtasks where it arrives."""
        among, _ = self._ancestry.place(number)
        if position not in self._job_edges:
            self.steps.append(
                RowChained(
                    node=edge.source,
                    subtask=among.subtask,
                    edge=position,
                    target=edge.target,
                    row=row_of(self._run, number),
                )
            )
            return [among.subtask]
        job_edge = self._job_edges[position]
        result: list[int] = []
        for crossing in self._ancestry.crossings(number):
            if crossing.sent.edge == job_edge:
                sent = self._describe_sending(crossing, number, position, edge)
                self.steps.append(sent)
                result += sent.choice.consumers
        return result

    def _describe_sending(
        self, crossing: Crossing, number: int, position: int, edge: StreamEdge
    ) -> RowSent:
        sent, at = crossing
        among, row = self._ancestry.place(number)
        data = batch_bytes(among.batch.slice(row, row + 1)).tobytes()
        return RowSent(
            node=edge.source,
            subtask=sent.subtask,
            edge=position,
            job_edge=sent.edge,
            target=edge.target,
            choice=choice(self._run.edges[sent.edge], sent.subtask, sent.channel, among.batch, row),
            start=int(sent.starts[at]),
            size=int(sent.sizes[at]),
            bytes=data[:LONGEST_BYTES].hex(),
            row=row_of(self._run, number),
        )

    def _work(self, number: int, edge: StreamEdge, subtask: int) -> list[int]:
        """Narrate an operator's work on a record; return the records with routes to continue."""
        node, row = edge.target, row_of(self._run, number)
        if node in self._sinks:
            place = self._run.place_in_sink(self._sinks[node], subtask, number)
            self.steps.append(RowCollected(node=node, subtask=subtask, place=place, row=row))
            return []
        places = [
            (output, self._ancestry.place(output).among)
            for output in self._ancestry.outputs_of(number)
        ]
        pairs = [(item, at.tag) for item, at in places if (at.node, at.subtask) == (node, subtask)]
        does = self._does(node, edge.type_number, number)
        if isinstance(does, FeedBack):
            self._fed_back(number, node, subtask)
            return [item for item, at in places if at.node == self._run.head_of[node]]
        if not pairs:
            self.steps.append(
                RowEnded(node=node, subtask=subtask, input=edge.type_number, does=does, row=row)
            )
        further: list[int] = []
        for tag in dict.fromkeys(tag for _, tag in pairs):
            mine = [item for item, record_tag in pairs if record_tag == tag]
            later = len(mine) - 1 if does is not None and does.traits.rolls else 0
            mine = mine[:1] if later else mine
            self._add_work(node, subtask, edge.type_number, number, mine, later)
            further += mine
        return further

    def _fed_back(self, number: int, tail: int, subtask: int) -> None:
        head, row = self._run.head_of[tail], row_of(self._run, number)
        self.steps.append(RowFedBack(node=tail, subtask=subtask, target=head, row=row))

    def _add_work(
        self, node: int, subtask: int, entered: int, number: int, result: list[int], later: int
    ) -> None:
        run = self._run
        self.steps.append(
            RowWorked(
                node=node,
                subtask=subtask,
                input=entered,
                does=self._does(node, entered, number),
                tag=self._ancestry.place(result[0]).among.tag,
                taken=_rows(run, self._ancestry.inputs_of(result[0]), number),
                made=_rows(run, result, result[0]),
                later=later,
            )
        )

    def _does(self, node: int, entered: int, number: int) -> Step | None:
        """The step of an operator's work that a record meets on the input that it entered."""
        row_type = self._ancestry.place(number).among.batch.row_type
        steps = self._run.operators[node].steps
        return next((s for n, kind, s in steps if (n, kind) == (entered, row_type)), None)

    def _narrate_producer(self, number: int) -> list[int]:
        """Narrate the producer of a record; return its input records, the last first."""
        among, _ = self._ancestry.place(number)
        if among.node in self._tail_of:
            self._fed_back(number, self._tail_of[among.node], among.subtask)
            return list(self._ancestry.inputs_of(number))
        if self._run.operators[among.node].source is not None:
            self._read(number)
            return []
        parents = list(reversed(self._ancestry.inputs_of(number)))
        received = self._ancestry.readers(parents[0])
        entered = next(n for node, at, n in received if (node, at) == (among.node, among.subtask))
        self._add_work(among.node, among.subtask, entered, parents[0], [number], 0)
        does = self._does(among.node, entered, parents[0])
        return parents[:1] if does is not None and does.traits.rolls else parents
