"""The order in which a subtask reads its producers' frames.

A shuffle brings the frames of one producer together and in their order, but which producer's come
first depends on which machine answers first, and may differ when a subtask runs again. Flink's
records meet by chance; here the outcome must not, since what a round robin deals to whom depends on
it, and a subtask that runs again must deal as it did before.
"""

import tempfile
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import IO, Final, TypeAlias

from explorer.engine.task.frames import origin
from explorer.errors import BrokenInvariantError

Lane: TypeAlias = tuple[bool, int, int]
"""Whether it waits for those that do not, a producing task, and one of its subtasks."""

HELD_BYTES: Final = 64 * 1024 * 1024
"""Frames that came too early wait in memory up to here, and beyond in a file."""


class EarlyFrames:
    """Frames that wait for their turn."""

    def __init__(self) -> None:
        self._frames: dict[Hashable, list[bytes | tuple[int, int]]] = {}
        self._room = HELD_BYTES
        self._file: IO[bytes] | None = None

    def put(self, turn: Hashable, frame: bytes) -> None:
        """Retain a frame until its turn."""
        fits = len(frame) <= self._room
        self._room -= len(frame) if fits else 0
        self._frames.setdefault(turn, []).append(frame if fits else self._written(frame))

    def _written(self, frame: bytes) -> tuple[int, int]:
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with this object
        start = self._file.seek(0, 2)
        self._file.write(frame)
        return start, len(frame)

    def close(self) -> None:
        """Let the file go."""
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
    """The same frames, those of the first lane first; what is in order already costs nothing.

    ``sources``: by edge whether it waits, and the task that writes it; ``lanes``: in the order that
    is wanted. The frames of one producer come together, so those of another show that they are
    complete.
    """
    with closing(EarlyFrames()) as early_frames:
        yield from _by_turns(frames, sources, iter(lanes), early_frames)
        if len(early_frames):
            msg = "a producer's frames came apart, or from a producer without a reader"
            raise BrokenInvariantError(msg)


def _by_turns(
    frames: Iterable[bytes],
    sources: Mapping[int, tuple[bool, int]],
    turns: Iterator[Lane],
    early_frames: EarlyFrames,
) -> Iterator[bytes]:
    due, begun = next(turns, None), False
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
