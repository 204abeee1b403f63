"""Runs records through the operators of a task, a batch at a time.

Mirrors ``OperatorChain`` with its ``ChainingOutput``, ``RecordWriterOutput`` and broadcasting
collector. A list of pending work replaces Java's call stack, so a chain may have any length. The
caller gets control after each piece of work, to send what was written, so little waits in memory.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final, TypeAlias

from explorer.engine import plan
from explorer.engine.counters import ChainedCounters, OperatorCounters
from explorer.engine.operators.collect import Collector
from explorer.engine.operators.pass_on import PassOn
from explorer.engine.rows.batch import Batch
from explorer.engine.rows.pieces import pieces
from explorer.engine.rows.sizes import BatchTooLargeError
from explorer.engine.steps.feed_back import FedBack
from explorer.engine.steps.step_work import (
    MAX_WATERMARK,
    DropsLate,
    Emission,
    EmittedWatermark,
    Output,
    Stateless,
    StepWork,
    SubtaskContext,
)
from explorer.engine.task.chain_outputs import ChainingOutput, chosen_names, directed
from explorer.engine.task.input_gate import WatermarkValve
from explorer.engine.task.lineage import Lineage
from explorer.engine.task.objects import SharedObjects
from explorer.engine.task.record_writer import RecordWriter
from explorer.errors import BrokenInvariantError

if TYPE_CHECKING:
    from explorer.model.row_type import RowType

Tap: TypeAlias = Callable[[int, int, str | None, Batch], None]
"""Receives the rows that an operator emits, after subtask, operator's node and side output tag."""


def no_tap(_subtask: int, _node: int, _tag: str | None, _batch: Batch) -> None:
    """Ignore the rows that an operator emits: the run is not traced."""


_RELEASING: Final = ("close", "dispose")
"""Calls after which an operator emits nothing in any release: it did so at the last watermark."""


class _ChainedOperator:
    def __init__(
        self,
        data: plan.Operator,
        writers: Sequence[RecordWriter],
        chained: Sequence[ChainingOutput],
        share: SubtaskContext,
    ) -> None:
        self.plan, self._share = data, share
        self.counters = OperatorCounters(node=data.node)
        self.network = list(zip(data.network, writers, strict=True))
        self.chained = list(zip(data.chained, chained, strict=True))
        self.steps: dict[tuple[int, RowType], StepWork] = {}
        """The steps by input and row type; empty unless the operator is open."""
        self._called = ""
        self._else = Stateless(partial(PassOn().process, data.name))
        traits = [step.traits for _, _, step in data.steps]
        self.changes_rows = any(trait.changes_rows for trait in traits)
        self._assigns_watermarks = any(trait.assigns_watermarks for trait in traits)

    def call(self, method: str) -> None:
        """Apply a lifecycle call: an opened operator has its steps, a closed one no state."""
        self._called = method
        if method == "open":
            self.steps = {
                (number, row_type): step.work(self.plan.name, row_type, self._share)
                for number, row_type, step in self.plan.steps
            }
        elif method in _RELEASING:
            # State that two inputs share is stored outside the steps.
            every = (*self.steps.values(), *self._share.common.values())
            late = [value.late_dropped for value in every if isinstance(value, DropsLate)]
            self.counters.late_dropped += sum(late)
            self._share.common.clear()
            self.steps = {}

    def _check_open(self) -> None:
        if self._called != "open":
            last = self._called or "nothing"
            msg = f"{self.plan.name!r} gets an element, but its last call was {last}, not open"
            raise BrokenInvariantError(msg)

    def process(self, number: int, batch: Batch) -> Sequence[Output]:
        self._check_open()
        begun = perf_counter_ns()
        step = self.steps.get((number, batch.row_type), self._else)
        emissions = step.process(batch)
        self._count(len(batch), emissions, begun)
        return emissions

    def advance(self, time: int) -> tuple[list[Emission], bool]:
        """Return what is emitted before a watermark, and whether the watermark is forwarded.

        An operator that assigns timestamps emits its own watermarks, and forwards only the last
        one of those that arrive.
        """
        self._check_open()
        begun = perf_counter_ns()
        emissions = [pair for step in self.steps.values() for pair in step.advance(time)]
        self._count(0, emissions, begun)
        # ``TimestampsAndWatermarksOperator.processWatermark`` drops all watermarks from upstream
        # but ``Watermark.MAX_WATERMARK``, without which windows behind it would never end.
        return emissions, time == MAX_WATERMARK or not self._assigns_watermarks

    def _count(self, records_in: int, emissions: Sequence[Output], begun: int) -> None:
        counters = self.counters
        counters.nanoseconds += perf_counter_ns() - begun
        counters.records_in += records_in
        counters.records_out += sum(
            len(emission[1]) for emission in emissions if not isinstance(emission, EmittedWatermark)
        )


Work: TypeAlias = "Callable[[], list[Work]]"
"""A piece of work, which returns the work to do right after it."""


class OperatorChain:
    """The operators of a subtask."""

    def __init__(
        self,
        task: plan.Task,
        writers: Sequence[Sequence[RecordWriter]],
        valve: WatermarkValve,
        show: Callable[[int, OperatorCounters], None],
        subtask: int,
        tap: Tap,
        lineage: Lineage | None,
    ) -> None:
        """``show`` receives an operator's counters after each piece of work, ``tap`` its rows.

        ``lineage`` receives all records read and emitted, where the run is traced.
        """
        operators: dict[int, _ChainedOperator] = {}
        for place in task.lifecycle.made:
            operator = task.operators[place]
            targets = [task.operators[output.operator].node for output in operator.chained]
            outputs = [
                ChainingOutput(operator.node, target, copies=not task.shares_objects)
                for target in targets
            ]
            share = SubtaskContext(subtask, task.parallelism, {})
            operators[place] = _ChainedOperator(operator, writers[place], outputs, share)
        self._operators = [operators[place] for place in range(len(task.operators))]
        self.collectors: list[tuple[int, Collector]] = []
        """The sinks of the started chain, with their nodes."""
        self.queues: list[FedBack] = []
        """Records for the head of an iteration, where the task is its tail."""
        self._lifecycle = task.lifecycle
        self._head, self._valve, self._show = task.head, valve, show
        self._tap, self._subtask, self._lineage = partial(tap, subtask), subtask, lineage
        self.records_out = 0
        shares = task.shares_objects and any(
            chained_operator.changes_rows for chained_operator in self._operators
        )
        self._objects = SharedObjects() if shares else None

    @property
    def counters(self) -> tuple[OperatorCounters, ...]:
        """Each operator's counters, in the chain's order."""
        return tuple(operator.counters for operator in self._operators)

    @property
    def chained(self) -> tuple[ChainedCounters, ...]:
        """The counters between operators, in the order of the operators and their outputs."""
        return tuple(
            through.counters for operator in self._operators for _, through in operator.chained
        )

    def start(self) -> None:
        """Open the operators before any input, in the order of the recorded steps."""
        self._call(self._lifecycle.started)
        steps = [
            (operator.plan.node, step)
            for operator in self._operators
            for step in operator.steps.values()
        ]
        self.collectors = [(node, step) for node, step in steps if isinstance(step, Collector)]
        self.queues = [step for _, step in steps if isinstance(step, FedBack)]

    def finish(self) -> None:
        """Finish and close the operators after the last watermark, in the recorded order."""
        self._call(self._lifecycle.ended)

    def _call(self, calls: Sequence[plan.LifecycleCall]) -> None:
        for call in calls:
            at = self._operators[call.operator]
            if self._lineage is not None:
                self._lineage.call(at.plan.node, self._subtask, call.method)
            at.call(call.method)

    def read(self, source: int, batch: Batch, nanoseconds: int) -> Iterator[None]:
        """Process the rows that a source of the chain has read."""
        counters = self._operators[source].counters
        counters.records_out += len(batch)
        counters.nanoseconds += nanoseconds
        self._show(source, counters)
        return self._run(lambda: self._work_of(source, [(None, batch)]))

    def end(self, source: int) -> Iterator[None]:
        """Send ``Watermark.MAX`` from a source without further rows."""
        # ``StreamTask.endData`` calls ``advanceToEndOfEventTime``, which does so in source tasks:
        # without it, windows that are open where bounded input ends would never fire.
        return self._run(lambda: self._pass_watermark(source, MAX_WATERMARK))

    def process(self, number: int, batch: Batch) -> Iterator[None]:
        """Run records that enter the head on its input ``number``."""
        return self._run(lambda: self._process(self._head, number, batch))

    def advance(self, channel: tuple[int, int], time: int) -> Iterator[None]:
        """Process a watermark of one of the head's channels."""
        return self._run(lambda: self._advance_head(channel, time))

    def _run(self, first: Work) -> Iterator[None]:
        """Run work from a stack: an operator's emissions come before the remaining work."""
        if self._objects is not None:
            self._objects.fresh()
        pending = [first]
        while pending:
            pending += reversed(pending.pop()())
            yield

    def _process(self, operator: int, number: int, batch: Batch) -> list[Work]:
        """Run one operator; a batch that is too large is split into halves."""
        at = self._operators[operator]
        if self._objects is not None:
            batch = self._objects.current(batch)
        try:
            emissions = at.process(number, batch)
        except BatchTooLargeError:
            middle = len(batch) // 2
            halves = (batch.slice(0, middle), batch.slice(middle, len(batch)))
            return [partial(self._process, operator, number, half) for half in halves]
        self._show(operator, at.counters)
        if self._lineage is not None:
            self._lineage.receive(at.plan.node, self._subtask, number, batch)
        return self._work_of(operator, emissions)

    def _work_of(self, operator: int, outputs: Sequence[Output]) -> list[Work]:
        """Turn an operator's outputs into work: records and its own watermarks, in order."""
        work: list[Work] = []
        records: list[Emission] = []
        for output in outputs:
            if isinstance(output, EmittedWatermark):
                work += self._emit(operator, records)
                work.append(partial(self._pass_watermark, operator, output.time))
                records = []
            else:
                records.append(output)
        return work + self._emit(operator, records)

    def _emit(self, operator: int, emissions: list[Emission]) -> list[Work]:
        """Write to the network outputs of each tag, then continue with the chained outputs."""
        at = self._operators[operator]
        writes: list[Work] = []
        further: list[Work] = []
        for tag, emitted in emissions:
            self._tap(at.plan.node, tag, emitted)
            batch = emitted
            if self._lineage is not None:
                batch = self._lineage.emit(at.plan.node, self._subtask, tag, batch)
            if self._objects is not None:
                batch = self._objects.number(batch)
                if at.changes_rows:
                    self._objects.change(batch)
            receiving = [pair for pair in at.network if pair[0].tag == tag]
            chained = [item for item in at.chained if item[0].tag == tag]
            # ``BroadcastingOutputCollector.collect`` counts a record for the task once if at least
            # one of its outputs leaves the chain, however many do.
            self.records_out += len(batch) if receiving else 0
            for piece in pieces(at.plan.name, batch):
                names = chosen_names(at.plan, piece) if tag is None else {}
                writes += [
                    partial(_write, writer, part)
                    for output, writer in receiving
                    if len(part := directed(output.names, names, piece))
                ]
                further += [
                    partial(self._push, output, through, part)
                    for output, through in chained
                    if len(part := directed(output.names, names, piece))
                ]
        # The network outputs first, as ``OperatorChain.createOutputCollector`` lists them: with
        # object reuse, an operator behind may change a record that is not yet written.
        return writes + further

    def _push(
        self, output: plan.ChainedOutput, through: ChainingOutput, batch: Batch
    ) -> list[Work]:
        return self._process(output.operator, output.input, through.push(batch))

    def _advance_head(self, channel: tuple[int, int], time: int) -> list[Work]:
        risen = self._valve.advance(channel, time)
        return [] if risen is None else self._advance(self._head, risen)

    def _advance(self, operator: int, time: int) -> list[Work]:
        """Let an operator emit its rows before it forwards the watermark."""
        at = self._operators[operator]
        if self._lineage is not None:
            self._lineage.call(at.plan.node, self._subtask, "processWatermark")
        emissions, goes_on = at.advance(time)
        self._show(operator, at.counters)
        # ``AbstractStreamOperator.processWatermark`` fires its timers before it emits the
        # watermark: a window's row behind the watermark of its own end would be late at the next
        # window.
        behind: list[Work] = [partial(self._pass_watermark, operator, time)] if goes_on else []
        return [*self._work_of(operator, emissions), *behind]

    def _pass_watermark(self, operator: int, time: int) -> list[Work]:
        """Send a watermark to every output, whatever its tag."""
        # ``BroadcastingOutputCollector`` ignores the tag of an output for watermarks.
        at = self._operators[operator]
        for _, writer in at.network:
            writer.watermark(time)
        # ``MultipleInputStreamTask`` reads a source that is chained to the head as an input of its
        # own: its watermark waits in the valve for those of the other inputs.
        return [
            partial(self._advance_head, chained_source(operator), time)
            if output.operator == self._head
            else partial(self._advance, output.operator, time)
            for output in at.plan.chained
        ]


def _write(writer: RecordWriter, batch: Batch) -> list[Work]:
    writer.write(batch)
    return []


def chained_source(operator: int) -> tuple[int, int]:
    """The channel of a source that is chained to the head of its task."""
    return -1, operator
