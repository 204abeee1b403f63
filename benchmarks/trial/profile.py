"""Measures the CPU time of a trial's worker by function, in each of the four settings.

    python -m benchmarks.trial.profile [--lines 600000] [--numbers 4000000] [--functions 20]

The subtasks of a job run in this process, one after the other, with the frames that they send each
other; that of Spark, Java and sockets is not in it. Counted is CPU time, which neighbours on the
machine hardly change: first without a profiler, the least of three runs, then by function.
"""

import cProfile
import pstats
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.options import option_parser
from benchmarks.trial.pipelines import numbers, word_count, write_lines
from explorer.documents import as_document
from explorer.engine import plan
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.task.local_job import run_job
from explorer.flink.compiler import compile_program


def settings(folder: Path, lines: int, count: int) -> Iterator[tuple[str, plan.Job]]:
    """The name and the job of each."""
    write_lines(folder / "lines.txt", lines)
    for chaining in (True, False):
        name = "chained" if chaining else "nothing chained"
        yield f"words, {name}", _job(word_count("lines.txt", chaining=chaining), folder)
        yield f"numbers, {name}", _job(numbers(count, chaining=chaining), folder)


def _job(document: dict[str, Any], folder: Path) -> plan.Job:
    compiled = compile_program(as_document(document))
    return plan_trial(compiled, data_dir=folder, limit=0).job


def least(job: plan.Job, runs: int = 3) -> float:
    """The least CPU time of some runs, in seconds."""
    found: list[float] = []
    for _ in range(runs):
        begun = process_time()
        run_job(job)
        found.append(process_time() - begun)
    return min(found)


def main() -> None:
    """Profile all four."""
    parser = option_parser("benchmarks.trial.profile", __doc__)
    parser.add_argument("--lines", type=int, default=600_000, help="of text")
    parser.add_argument("--numbers", type=int, default=4_000_000, help="rows of numbers")
    parser.add_argument("--functions", type=int, default=20, help="listed of each setting")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, job in settings(Path(folder), asked.lines, asked.numbers):
            print(f"{name}: {least(job):.2f} s of CPU")
            profiler = cProfile.Profile(process_time)
            profiler.runcall(run_job, job)
            pstats.Stats(profiler).sort_stats("tottime").print_stats(asked.functions)


if __name__ == "__main__":
    main()
