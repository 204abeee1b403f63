"""Runs a loop in rounds: records fed back in one round enter the next.

Mirrors ``StreamIterationHead`` and ``StreamIterationTail``. In Flink records that come back and
records from outside arrive in a random order; here the records from outside come first, with their
last watermark, then the records of each round, so that the outcome is always the same. A head sends
``Watermark.MAX`` before any record, as Flink's does, so a watermark never waits for a loop.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from explorer.engine import plan
from explorer.engine.rows.batch import Batch
from explorer.engine.task.arrival import EarlyFrames
from explorer.engine.task.stages import Group, Place, Stage
from explorer.engine.task.subtask import Outgoing, Subtask
from explorer.errors import TrialError

MAX_ROUNDS: Final = 10_000
"""Limit of rounds; a record that goes round more often most likely never leaves the loop."""
MAX_FED_BACK: Final = 10_000_000
"""Limit of records that a group of a loop's subtasks feeds back in all rounds together."""

Make: TypeAlias = Callable[[plan.Task, int], Subtask]


def run_together(
    stage: Stage, group: Group, frames: Iterable[tuple[Place, bytes]], make: Make, attempt: int = 0
) -> Iterator[Outgoing]:
    """Run the subtasks of a group to their end, yielding the frames that leave it.

    ``frames``: from outside, each with the subtask that reads it; ``make`` makes a task's subtask.
    Raises ``TrialError`` for a loop that does not end.
    """
    if stage.looped:
        return _Loop(stage, group, make).run(frames, attempt)
    ((_, subtask),) = group
    return make(stage.tasks[0], subtask).run((frame for _, frame in frames), attempt)


class _Loop:
    def __init__(self, stage: Stage, group: Group, make: Make) -> None:
        tasks = {task.number: task for task in stage.tasks}
        self._subtasks = {place: make(tasks[place[0]], place[1]) for place in group}
        self._feeds = {
            (number, subtask): (head, subtask)
            for number, subtask in group
            if (head := tasks[number].feeds) is not None
        }
        """The head of each tail."""
        heads = sorted({task.feeds for task in stage.tasks if task.feeds is not None})
        self._heads = ", ".join(repr(tasks[at].name) for at in heads)
        self._waiting = EarlyFrames()
        self._rounds = self._fed_back = 0

    def run(self, frames: Iterable[tuple[Place, bytes]], attempt: int) -> Iterator[Outgoing]:
        """Run to the end; the state of all subtasks exists until then."""
        for place, frame in frames:
            self._waiting.put(place, frame)
        for subtask in self._subtasks.values():
            yield from self._leaving(subtask.begin())
        yield from self._round()
        while back := self._feedback():
            self._count(back)
            for head, batches in back.items():
                yield from self._leaving(self._subtasks[head].feed(batches))
            yield from self._round()
        for subtask in self._subtasks.values():
            yield from subtask.end(attempt)

    def _round(self) -> Iterator[Outgoing]:
        """Let each subtask read its waiting frames, producers first."""
        for place, subtask in self._subtasks.items():
            yield from self._leaving(subtask.take(self._waiting.take(place)))
            yield from self._leaving(subtask.flush())

    def _leaving(self, sent: Iterable[Outgoing]) -> Iterator[Outgoing]:
        """Yield the frames for other tasks; frames within the loop wait for their consumer."""
        for target, consumer, frame in sent:
            if (target, consumer) in self._subtasks:
                self._waiting.put((target, consumer), frame)
            else:
                yield target, consumer, frame

    def _feedback(self) -> dict[Place, list[Batch]]:
        """Map each head to the records that its tail fed back."""
        pairs = ((head, self._subtasks[tail].fed_back()) for tail, head in self._feeds.items())
        return {head: batches for head, batches in pairs if batches}

    def _count(self, back: dict[Place, list[Batch]]) -> None:
        """Count a round; raises ``TrialError`` beyond a limit."""
        self._rounds += 1
        self._fed_back += sum(len(batch) for batches in back.values() for batch in batches)
        if self._rounds > MAX_ROUNDS:
            reason = f"after {MAX_ROUNDS:,} rounds records still go round"
        elif self._fed_back > MAX_FED_BACK:
            reason = f"more than {MAX_FED_BACK:,} records went back"
        else:
            return
        msg = (
            f"the loop of {self._heads} does not end: {reason}; let each record leave it some "
            "time, by a filter or a side output before the feedback is closed"
        )
        raise TrialError(msg)
