"""Runs one subtask: incoming frames to outgoing frames.

Mirrors ``StreamTask``. Sources are read first, then the network's input until it ends, so that a
run can be repeated: ``MultipleInputSelectionHandler.selectNextInputIndex`` takes turns among the
inputs that have something at that moment, so that the order depends on when it arrives.
Nothing here knows Spark; the caller passes frames in and receives those sent.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from time import perf_counter_ns, time_ns
from typing import Final, TypeAlias

import msgspec

from explorer.engine import plan
from explorer.engine.counters import OperatorCounters, SubtaskReport
from explorer.engine.rows.batch import Batch
from explorer.engine.task.frames import FrameKind, FramesLostError, columnar_body, pack
from explorer.engine.task.input_gate import InputGate, Records, WatermarkValve
from explorer.engine.task.lineage import Lineage
from explorer.engine.task.operator_chain import OperatorChain, Tap, chained_source, no_tap
from explorer.engine.task.record_writer import RecordWriter
from explorer.engine.task.source_rows import read

RESULT: Final = -1
"""The task to which rows of sinks and reports are sent: the driver."""

Outgoing: TypeAlias = tuple[int, int, bytes]
"""The consuming task and its subtask, and a frame."""
Show: TypeAlias = Callable[[int, OperatorCounters], None]
"""Receives an operator's position in its task and its counters, after each batch."""


class Subtask:
    """One subtask of a task of the job."""

    def __init__(
        self,
        task: plan.Task,
        subtask: int,
        show: Show,
        tap: Tap = no_tap,
        lineage: Lineage | None = None,
    ) -> None:
        """``lineage``: of a traced run."""
        self._task, self._subtask, self._lineage = task, subtask, lineage
        self._gate = InputGate(task.inputs, subtask, lineage.descent if lineage else None)
        self._outbox: list[Outgoing] = []
        self._report = SubtaskReport(task=task.number, subtask=subtask)
        self._writers = [
            [self._writer(output.edge, operator.name) for output in operator.network]
            for operator in self._task.operators
        ]
        self._all_writers = [*chain.from_iterable(self._writers)]
        self._sources = [
            (place, operator.source)
            for place, operator in enumerate(self._task.operators)
            if operator.source is not None
        ]
        chained = [chained_source(place) for place, _ in self._sources if place != self._task.head]
        self._valve = WatermarkValve([*self._gate.channels, *chained])
        self._chain = OperatorChain(
            self._task, self._writers, self._valve, show, subtask, tap, lineage
        )
        self._sink_frames = 0

    def _writer(self, edge: plan.Edge, operator: str) -> RecordWriter:
        return RecordWriter(
            edge,
            self._subtask,
            operator,
            lambda consumer, frame: self._outbox.append((edge.target, consumer, frame)),
            lineage=self._lineage,
        )

    def run(self, frames: Iterator[bytes], attempt: int = 0) -> Iterator[Outgoing]:
        """Run to the end, yielding the outgoing frames; the last is the report.

        The result does not depend on the order of ``frames``; see ``arrival.py``. Raises
        ``FramesLostError`` where they break off: Spark treats a file that was removed while it was
        being written as empty.
        """
        yield from self.begin()
        yield from self.take(frames)
        yield from self.end(attempt)

    def begin(self) -> Iterator[Outgoing]:
        """Read the sources of the task to their end."""
        self._report.begun = time_ns()
        self._chain.start()
        for place, source in self._sources:
            yield from self._yield_frames(self._read(place, source))

    def take(self, frames: Iterator[bytes]) -> Iterator[Outgoing]:
        """Process frames from the network, sorted by producer."""
        return self._yield_frames(self._process(self._gate.sorted(frames)))

    def feed(self, batches: Iterable[Batch]) -> Iterator[Outgoing]:
        """Emit records that were fed back, as the head of an iteration."""
        for batch in batches:
            yield from self._yield_frames(self._chain.read(self._task.head, batch, 0))

    def fed_back(self) -> list[Batch]:
        """Return the records fed back since the last call, as the tail of an iteration."""
        return [batch for queue in self._chain.queues for batch in queue.drain()]

    def flush(self) -> Iterator[Outgoing]:
        """Send all records that wait in channels."""
        for writer in self._all_writers:
            writer.flush()
        yield from self._yield_frames(())

    def _yield_frames(self, steps: Iterable[None]) -> Iterator[Outgoing]:
        """Yield the written frames after each step and at the end."""
        for _ in chain(steps, (None,)):
            yield from self._outbox
            self._outbox.clear()
            for node, collector in self._chain.collectors:
                for batch in collector.drain():
                    _, body = columnar_body(batch)
                    kind, number = collector.row_type, self._sink_frames
                    yield RESULT, 0, pack(FrameKind.SINK, node, self._subtask, number, kind, body)
                    self._sink_frames += 1

    def end(self, attempt: int) -> Iterator[Outgoing]:
        """Close; the last frame is the report. Raises ``FramesLostError`` as ``run`` does."""
        if self._valve.open:
            msg = f"the input of {self._task.name!r} ended before its channels did"
            raise FramesLostError(msg)
        self._chain.finish()
        for writer in self._all_writers:
            writer.close()
        yield from self._yield_frames(())
        report = self._report
        report.attempt, report.ended = attempt, time_ns()
        report.records_out = self._chain.records_out
        report.operators = self._chain.counters
        report.chained = self._chain.chained
        report.edges = tuple(writer.counters for writer in self._all_writers)
        report.bytes_out = sum(writer.counted_bytes for writer in self._all_writers)
        for node, collector in self._chain.collectors:
            report.sinks[node] = report.sinks.get(node, 0) + collector.rows
            if (part := collector.close()) is not None:
                report.parts[node] = part
        body = msgspec.msgpack.encode(report)
        yield RESULT, 0, pack(FrameKind.REPORT, report.task, report.subtask, 0, 0, body)

    def _process(self, frames: Iterator[bytes]) -> Iterator[None]:
        """Process frames, pausing wherever frames may have been written."""
        while True:
            begun = perf_counter_ns()
            frame = next(frames, None)
            received = perf_counter_ns()
            self._report.wait_nanoseconds += received - begun
            if frame is None:
                return
            arrivals = self._gate.read(frame)
            self._report.decode_nanoseconds += perf_counter_ns() - received
            for arrival in arrivals:
                if isinstance(arrival, Records):
                    self._report.records_in += len(arrival.batch)
                    yield from self._chain.process(arrival.input, arrival.batch)
                else:
                    yield from self._chain.advance(arrival.channel, arrival.time)

    def _read(self, place: int, source: plan.Source) -> Iterator[None]:
        batches = read(source, self._subtask, self._task.parallelism)
        begun = perf_counter_ns()
        for batch in batches:
            yield from self._chain.read(place, batch, perf_counter_ns() - begun)
            begun = perf_counter_ns()
        yield from self._chain.end(place)
