"""Runs a sample in this process and records the origins of every row.

Plan and subtasks are those of a trial; tracing changes no figure and no row.
"""

from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final

import numpy as np
from msgspec.structs import replace

from explorer.engine import plan
from explorer.engine.planning.flow import Sink
from explorer.engine.preview.sample_run import Limits, SampleRun, run_sample
from explorer.engine.preview.sampling import RowSample
from explorer.engine.rows.batch import Longs
from explorer.engine.task.ancestry import Ancestry
from explorer.engine.task.lineage import Lineage, Received
from explorer.flink.compiler import Compilation

TRACED_ROWS: Final = 10_000
"""Rows of each source."""
TRACED_LIMITS: Final = Limits(
    name="traced run",
    subtasks=256,
    rows=1_000_000,
    bytes=256 * 1024 * 1024,
    seconds=20.0,
    transfers=1_000_000,
)


class TracedRun:
    """A finished run, with the origins of each record."""

    def __init__(self, compilation: Compilation, run: SampleRun, lineage: Lineage) -> None:
        self.compilation, self._lineage = compilation, lineage
        self.plan, self.report, self.cut = run
        self.sent = lineage.sent
        """The records of each channel."""
        tasks = run.plan.job.tasks
        self.operators = {operator.node: operator for task in tasks for operator in task.operators}
        """Operators by node."""
        self.tasks = {operator.node: task for task in tasks for operator in task.operators}
        """Tasks by the nodes of their operators."""
        self.edges = {edge.number: edge for task in tasks for edge in task.outputs}
        """Edges between tasks, by number."""
        self.head_of = {
            task.operators[0].node: tasks[task.feeds].operators[0].node
            for task in tasks
            if task.feeds is not None
        }
        """The head's node of each iteration's tail."""

    @cached_property
    def ancestry(self) -> Ancestry:
        """Ancestors and descendants of each record."""
        return Ancestry(self._lineage)

    @cached_property
    def _source_places(self) -> dict[int, int]:
        result: dict[int, int] = {}
        dealt: dict[tuple[int, int], list[int]] = {}
        for emitted_records in self._lineage.emitted:
            if self.operators[emitted_records.node].source is not None:
                dealt.setdefault((emitted_records.node, emitted_records.subtask), []).extend(
                    emitted_records.numbers
                )
        for (node, subtask), numbers in dealt.items():
            source, parallelism = self.operators[node].source, self.tasks[node].parallelism
            if source is not None and isinstance(source.rows, plan.InlineRows):
                positions = source.rows.positions(subtask, parallelism)
            else:
                positions = tuple(subtask + turn * parallelism for turn in range(len(numbers)))
            result.update(zip(numbers, positions, strict=True))
        return result

    def columns_of(self, number: int) -> tuple[tuple[str, str], ...]:
        """The names and types of a record's columns."""
        return self.ancestry.place(number).among.batch.row_type.columns

    def union_tag_of(self, number: int) -> int:
        """The input of a join over windows that a record is tagged with; 0: no tag."""
        return self.ancestry.place(number).among.batch.row_type.tag

    def timestamp_of(self, number: int) -> int | None:
        """A record's timestamp, which may be ``Long.MIN_VALUE``."""
        among, row = self.ancestry.place(number)
        return None if among.batch.timestamps is None else int(among.batch.timestamps[row])

    def source_records(self, node: int) -> tuple[int, ...]:
        """The records of a source's rows, in the rows' order."""
        places = self._source_places
        mine = [place for place in places if self.ancestry.place(place).among.node == node]
        return tuple(sorted(mine, key=places.__getitem__))

    def place_in_source(self, number: int) -> int:
        """Position of a source record among its source's rows, counted from 0."""
        place = self._source_places[number]
        source = self.operators[self.ancestry.place(number).among.node].source
        if source is not None and isinstance(source.rows, plan.InlineRows) and source.rows.places:
            return source.rows.places[place]
        return place

    @cached_property
    def _sink_inputs(self) -> dict[int, list[Received]]:
        """What each sink's subtasks read, subtask by subtask, by the sink's node."""
        inputs: dict[int, list[Received]] = {sink.node: [] for sink in self.plan.sinks}
        for received in sorted(self._lineage.received, key=lambda received: received.subtask):
            if received.node in inputs:
                inputs[received.node].append(received)
        return inputs

    def sink_records(self, sink: Sink) -> Longs:
        """The records that a sink read, subtask by subtask, in the report's order."""
        numbers = [received.numbers for received in self._sink_inputs[sink.node]]
        return np.concatenate([np.empty(0, np.int64), *numbers])

    @cached_property
    def _sink_places(self) -> dict[tuple[int, int], tuple[Longs, Longs]]:
        """By a sink's node and subtask: the records that it read, sorted, and their places."""
        result: dict[tuple[int, int], tuple[Longs, Longs]] = {}
        for node, inputs in self._sink_inputs.items():
            previous = 0
            for subtask, batches in groupby(inputs, attrgetter("subtask")):
                numbers = np.concatenate([received.numbers for received in batches])
                order = np.argsort(numbers, kind="stable")
                result[node, subtask] = numbers[order], previous + order
                previous += len(numbers)
        return result

    def place_in_sink(self, sink: Sink, subtask: int, number: int) -> int:
        """Position among a sink's rows of a record that its subtask read, counted from 0.

        Of one that it read more than once, the last.
        """
        numbers, places = self._sink_places[sink.node, subtask]
        return int(places[np.searchsorted(numbers, number, side="right") - 1])


def traced_run(
    compilation: Compilation,
    *,
    data_dir: str | Path | None = None,
    sample: RowSample | None = None,
    limits: Limits = TRACED_LIMITS,
) -> TracedRun:
    """Run a job over a sample of its sources' rows, in this process, and trace every record.

    ``sample``: None for the first 10,000 rows. A job of many edges reads fewer, since each record
    is retained once for each edge that transfers it. Raises ``ExplorerError`` as ``preview_trial``
    does.
    """
    lineage, sample = Lineage(), sample or RowSample(rows=TRACED_ROWS)
    edges = max(1, len(compilation.job_graph.edges))
    maximum = limits.transfers // edges
    run = run_sample(
        compilation,
        replace(sample, rows=max(1, min(sample.rows, maximum))),
        limits,
        data_dir=data_dir,
        where="this process, traced",
        lineage=lineage,
    )
    return TracedRun(compilation, run, lineage)
