"""A job without Spark: every subtask in this process, one after the other.

The same subtasks as a trial runs, in the same order of frames, so what holds here holds there. All
frames are kept in memory.
"""

from collections import defaultdict

from explorer.task import plan
from explorer.task.subtask import RESULT, Subtask


def run_job(job: plan.Job) -> list[bytes]:
    """Run all subtasks, producers first; give the frames that are meant for the driver."""
    waiting: dict[tuple[int, int], list[bytes]] = defaultdict(list)
    for task in job.tasks:
        for subtask in range(task.parallelism):
            running = Subtask(task, subtask, lambda *_: None)
            frames = waiting.pop((task.number, subtask), [])
            for target, consumer, frame in running.run(iter(frames)):
                waiting[target, consumer].append(frame)
    return waiting[RESULT, 0]
