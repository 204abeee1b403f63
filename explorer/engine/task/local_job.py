"""Runs a job in this process, without Spark: one subtask after the other.

Subtasks and the order of frames are those of a trial. All frames are stored in memory.
"""

from collections import defaultdict
from collections.abc import Callable

from explorer.engine import plan
from explorer.engine.task.lineage import Lineage
from explorer.engine.task.loop import run_together
from explorer.engine.task.operator_chain import Tap, no_tap
from explorer.engine.task.stages import stages
from explorer.engine.task.subtask import RESULT, Subtask


def run_job(
    job: plan.Job,
    tap: Tap = no_tap,
    pause: Callable[[], None] = lambda: None,
    lineage: Lineage | None = None,
) -> list[bytes]:
    """Run all subtasks, producers first; return the frames for the driver.

    ``tap`` receives the rows that every operator emits; ``pause`` is called between two pieces of
    work, and an exception of it ends the job; ``lineage`` receives the origins of every record.
    """
    waiting: dict[tuple[int, int], list[bytes]] = defaultdict(list)

    def make(task: plan.Task, subtask: int) -> Subtask:
        return Subtask(task, subtask, lambda *_: None, tap, lineage)

    for stage in stages(job):
        for group in stage.groups:
            frames = [(place, frame) for place in group for frame in waiting.pop(place, ())]
            for target, consumer, frame in run_together(stage, group, frames, make):
                waiting[target, consumer].append(frame)
                pause()
            pause()
    return waiting[RESULT, 0]
