"""A job in this process, without Spark: every subtask, one after the other.

The same subtasks as a trial runs, in the same order of frames, so what holds here holds there. All
frames are kept in memory.
"""

from collections import defaultdict
from collections.abc import Callable

from explorer.task import plan
from explorer.task.lineage import Lineage
from explorer.task.operator_chain import Tap, no_tap
from explorer.task.subtask import RESULT, Subtask


def run_job(
    job: plan.Job,
    tap: Tap = no_tap,
    pause: Callable[[], None] = lambda: None,
    lineage: Lineage | None = None,
) -> list[bytes]:
    """Run all subtasks, producers first; give the frames that are meant for the driver.

    ``tap`` is shown what every operator hands on; ``pause`` is called between two pieces of work,
    and what it raises ends the job; ``lineage`` is told what becomes of every record.
    """
    waiting: dict[tuple[int, int], list[bytes]] = defaultdict(list)
    for task in job.tasks:
        for subtask in range(task.parallelism):
            running = Subtask(task, subtask, lambda *_: None, tap, lineage)
            frames = waiting.pop((task.number, subtask), [])
            for target, consumer, frame in running.run(iter(frames)):
                waiting[target, consumer].append(frame)
                pause()
            pause()
    return waiting[RESULT, 0]
