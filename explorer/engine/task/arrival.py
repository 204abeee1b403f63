"""The order in which a subtask reads its producers' frames.

A shuffle delivers the frames of one producer together and in order, but the order of the producers
depends on which machine answers first, and may differ when a subtask runs again. Flink's records
arrive in a random order; here the order is fixed, since a round robin depends on it, and a subtask
that runs again must send the same records to the same channels.
"""

import tempfile
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import IO, Final, TypeAlias

from explorer.engine.task.frames import origin
from explorer.errors import BrokenInvariantError

Lane: TypeAlias = tuple[bool, int, int]
"""Whether it is read after the lanes of first inputs, a producing task, and one of its subtasks."""

HELD_BYTES: Final = 64 * 1024 * 1024
"""Limit in memory of frames that came too early; further ones wait in a file."""


class EarlyFrames:
    """Frames that wait for their turn."""

    def __init__(self) -> None:
        self._frames: dict[Hashable, list[bytes | tuple[int, int]]] = {}
        self._room = HELD_BYTES
        self._file: IO[bytes] | None = None

    def put(self, turn: Hashable, frame: bytes) -> None:
        """Retain a frame until its turn."""
        frames = self._frames.setdefault(turn, [])
        if len(frame) <= self._room:
            self._room -= len(frame)
            frames.append(frame)
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with this object
        frames.append((self._file.seek(0, 2), len(frame)))
        self._file.write(frame)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def __len__(self) -> int:
        return len(self._frames)

    def take(self, turn: Hashable) -> Iterator[bytes]:
        """Return a turn's frames in their order."""
        for frame in self._frames.pop(turn, ()):
            if isinstance(frame, bytes):
                self._room += len(frame)
                yield frame
            elif self._file is not None:
                self._file.seek(frame[0])
                yield self._file.read(frame[1])


def in_order(
    frames: Iterable[bytes], sources: Mapping[int, tuple[bool, int]], lanes: Iterable[Lane]
) -> Iterator[bytes]:
    """Yield the frames lane by lane, in the order of ``lanes``; frames in order are not copied.

    ``sources`` maps an edge to whether it is read later, and to the task that writes it. The frames
    of one producer come together, so a frame of another producer shows that they are complete.
    """
    turns = iter(lanes)
    due, begun = next(turns, None), False
    with closing(EarlyFrames()) as early_frames:
        for frame in frames:
            edge, subtask = origin(frame)
            lane = (*sources[edge], subtask)
            while begun and due is not None and lane[1:] != due[1:]:
                due, begun = next(turns, None), False
                for early in early_frames.take(due):
                    begun = True
                    yield early
            if lane == due:
                begun = True
                yield frame
            else:
                early_frames.put(lane, frame)
        while due is not None:
            yield from early_frames.take(due)
            due = next(turns, None)
        if len(early_frames):
            msg = "a producer's frames came apart, or from a producer without a reader"
            raise BrokenInvariantError(msg)
