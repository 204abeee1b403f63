"""Decodes the frames that a task receives into batches and watermarks, in order.

Mirrors ``InputGate``, ``StreamTaskNetworkInput`` and ``StatusWatermarkValve``.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from explorer.engine import plan
from explorer.engine.rows.batch import Batch
from explorer.engine.rows.origins import Descent
from explorer.engine.steps.step_work import MAX_WATERMARK, MIN_WATERMARK
from explorer.engine.task.arrival import in_order
from explorer.engine.task.frames import FrameKind, read_columnar, read_watermark, unpack
from explorer.errors import BrokenInvariantError

Channel: TypeAlias = tuple[int, int]
"""An edge and one of its producers."""


class Records(NamedTuple):
    """Records for an input of the task's head."""

    input: int
    batch: Batch


class Watermark(NamedTuple):
    """A channel's watermark."""

    channel: Channel
    time: int


Arrival: TypeAlias = Records | Watermark


class WatermarkValve:
    """Emits the least watermark of all channels whenever it rises."""

    def __init__(self, channels: Iterable[Channel]) -> None:
        self._times = dict.fromkeys(channels, MIN_WATERMARK)
        self._least = MIN_WATERMARK

    @property
    def open(self) -> bool:
        """Whether any channel has not sent its last watermark yet."""
        return any(time != MAX_WATERMARK for time in self._times.values())

    def advance(self, channel: Channel, time: int) -> int | None:
        """Process a channel's watermark; return the task's if it rises."""
        old_times = self._times[channel]
        # ``StatusWatermarkValve.inputWatermark`` ignores a channel's watermark that does not rise;
        # the operators never see time go back.
        if time <= old_times:
            return None
        self._times[channel] = time
        if old_times > self._least:
            return None
        # ``findAndOutputNewMinWatermarkAcrossAlignedChannels``, and across an operator's inputs
        # ``IndexedCombinedWatermarkStatus``: the least of all channels, also of a union and of
        # chained sources; one input alone would make records of the others late.
        minimum = min(self._times.values())
        if minimum == self._least:
            return None
        self._least = minimum
        return minimum


class InputGate:
    """Reads the frames of one consuming subtask."""

    def __init__(
        self, edges: Iterable[plan.Edge], subtask: int, descent: Descent | None = None
    ) -> None:
        """``descent``: the run's, where it is traced."""
        self._descent = descent
        self._edges = {edge.number: edge for edge in edges}
        self.channels: list[Channel] = [
            (edge.number, producer)
            for edge in self._edges.values()
            for producer in edge.wiring.partitions(subtask)
        ]
        self._next = dict.fromkeys(self.channels, 0)

    def sorted(self, frames: Iterable[bytes]) -> Iterator[bytes]:
        """Sort frames by whether their edge is read first, producing task, subtask and number."""
        sources = {number: (not edge.first, edge.source) for number, edge in self._edges.items()}
        lanes = sorted({(*sources[edge], producer) for edge, producer in self.channels})
        return in_order(frames, sources, lanes)

    def read(self, packed: bytes) -> list[Arrival]:
        """Decode one frame."""
        frame = unpack(packed)
        channel = (frame.edge, frame.producer)
        expected = self._next[channel]
        if frame.number != expected:
            msg = f"frame {frame.number} of channel {channel} came where {expected} was due"
            raise BrokenInvariantError(msg)
        self._next[channel] = expected + 1
        if frame.kind is FrameKind.WATERMARK:
            return [Watermark(channel, read_watermark(frame.body))]
        edge = self._edges[frame.edge]
        timed = frame.kind is FrameKind.TIMED_BATCH
        row_type = edge.row_types[frame.row_type]
        batch = read_columnar(frame.body, row_type, timed=timed, descent=self._descent)
        return [Records(edge.input, batch)]
