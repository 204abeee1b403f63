"""Measures a trial, an expert's Spark, Flink's local cluster and PyFlink.

    python -m benchmarks.trial [--lines 600000] [--numbers 4000000] [--rounds 3]
        [--flink ~/.cache/streamgraph-explorer/flink/1.20.5/lib] [--pyflink ENV/bin/python]

All take turns in one run: Spark SQL with a repartition by key before it groups, in one session with
the trial and with Java's default settings, as Spark SQL wants them; the trial chained and with
nothing chained; Flink's local cluster of two slots, chained and unchained; PyFlink over fewer rows,
its time beyond that of its start multiplied. Each row of a trial is counted in Flink's bytes and
every word's count goes out again for each word that comes in, as Flink does it; SQL gives the last
counts alone. Of Flink its own net runtime counts, without the start of its cluster. Only ratios
within one run say anything. With ``--first`` a process's first trial alone, beside the shortest
Spark job in a process of its own: elapsed and CPU seconds, the least of some rounds.
"""

import os
import statistics
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import explorer
from benchmarks.options import option_parser
from benchmarks.trial.first import compare_first
from benchmarks.trial.flink import Peer, local_cluster, pyflink
from benchmarks.trial.pipelines import numbers, word_count, write_lines
from benchmarks.trial.spark_sql import session, sql_numbers, sql_word_count

FEWER: Final = 40
"""Factor by which PyFlink gets fewer rows."""
Engines = Mapping[str, Callable[[], float]]
"""By name, a function that runs the engine once and returns its seconds."""


def timed(run: Callable[[], Any]) -> Callable[[], float]:
    """Run and measure from outside."""

    def measured() -> float:
        start = perf_counter()
        run()
        return perf_counter() - start

    return measured


def compare(title: str, engines: Engines, rounds: int) -> None:
    """Let the engines take turns; print medians, their ends, and ratios to the first."""
    seconds_by_engine: dict[str, list[float]] = {name: [] for name in engines}
    for turn in range(rounds + 1):
        for name, run in engines.items():
            seconds = run()
            if turn:
                seconds_by_engine[name].append(seconds)
    first = statistics.median(next(iter(seconds_by_engine.values())))
    print(f"{title}; load {os.getloadavg()[0]:.1f}")
    for name, times in seconds_by_engine.items():
        middle = statistics.median(times)
        ends = f"({min(times):.2f} to {max(times):.2f})"
        print(f"  {name:28}{middle:9.2f} s {ends:22}{middle / first:9.2f}")


def peers(
    pipeline: str, inputs: tuple[str, str, str], flink: Peer | None, python: Peer | None
) -> Engines:
    """What Flink and PyFlink run, where they are there.

    ``inputs``: all rows, few of them, and next to none, for the time in which PyFlink starts.
    """
    rows, sample, start_only = inputs
    runs: dict[str, Callable[[], float]] = {}
    if flink is not None:
        cluster = flink
        runs["Flink, chained"] = lambda: cluster.seconds(pipeline, chained=True, rows=rows)
        runs["Flink, nothing chained"] = lambda: cluster.seconds(pipeline, chained=False, rows=rows)
    if python is not None:
        interpreter = python

        def scaled() -> float:
            start, total = (
                interpreter.seconds(pipeline, chained=True, rows=size)
                for size in (start_only, sample)
            )
            return FEWER * max(total - start, 0.0)

        runs[f"PyFlink, 1/{FEWER} of the rows"] = scaled
    return runs


def main() -> None:
    """Run both comparisons."""
    parser = option_parser("benchmarks.trial", __doc__)
    parser.add_argument("--lines", type=int, default=600_000, help="of text")
    parser.add_argument("--numbers", type=int, default=4_000_000, help="rows of numbers")
    parser.add_argument("--rounds", type=int, default=3, help="of which the medians are printed")
    parser.add_argument("--flink", type=Path, help="the lib folder of a release, as a peer")
    parser.add_argument("--pyflink", type=Path, help="an interpreter with apache-flink, as a peer")
    parser.add_argument(
        "--first", action="store_true", help="only a process's first trial, beside a bare Spark job"
    )
    args = parser.parse_args()
    if args.first:
        compare_first(args.rounds)
        return
    spark = session()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        flink = stack.enter_context(local_cluster(args.flink, folder)) if args.flink else None
        python = stack.enter_context(pyflink(args.pyflink)) if args.pyflink else None
        path, sample, start_only = (folder / f"{name}.txt" for name in ("lines", "sample", "start"))
        write_lines(path, args.lines)
        write_lines(sample, args.lines // FEWER)
        write_lines(start_only, 1)

        def trial(document: dict[str, Any]) -> Callable[[], float]:
            return timed(lambda: explorer.run_trial(document, data_dir=folder, collect=False))

        compare(
            f"word count, {args.lines:,} lines",
            {
                "Spark SQL": timed(lambda: sql_word_count(spark, path)),
                "trial, chained": trial(word_count(path.name, chaining=True)),
                "trial, nothing chained": trial(word_count(path.name, chaining=False)),
                **peers("words", (str(path), str(sample), str(start_only)), flink, python),
            },
            args.rounds,
        )
        fewer = str(args.numbers // FEWER)
        compare(
            f"numbers, {args.numbers:,}",
            {
                "Spark SQL": timed(lambda: sql_numbers(spark, args.numbers)),
                "trial, chained": trial(numbers(args.numbers, chaining=True)),
                "trial, nothing chained": trial(numbers(args.numbers, chaining=False)),
                **peers("numbers", (str(args.numbers), fewer, "10"), flink, python),
            },
            args.rounds,
        )


if __name__ == "__main__":
    main()
