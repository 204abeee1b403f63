"""How fast is a trial beside Spark SQL written by hand, over the same input and the same exchange?

    python -m benchmarks.trial.beside_spark_sql [--lines 600000] [--numbers 4000000] [--rounds 3]

Three engines take turns in one session with Java's default settings, as Spark SQL wants them: Spark
SQL with a repartition by key before it groups, the trial chained, and the trial with nothing
chained. Each row of a trial is counted in Flink's bytes and every word's count goes out again for
each word that comes in, as Flink does it; SQL gives the last counts alone.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import explorer
from explorer.trial.spark_session import SETTINGS

WORDS_PER_LINE = 8


def write_lines(path: Path, count: int) -> None:
    """Write lines of words with frequencies as in a text."""
    chosen = random.Random(1)  # noqa: S311 - the same text each time
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chosen.choices(letters, k=chosen.randint(1, 9))) for _ in range(3000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    with path.open("w") as file:
        for _ in range(count):
            file.write(" ".join(chosen.choices(words, weights, k=WORDS_PER_LINE)) + "\n")


def word_count(path: str, *, chaining: bool) -> dict[str, Any]:
    """Words of more than two letters, counted."""
    return {
        "environment": {"parallelism": 2, "chaining": chaining},
        "transformations": [
            {"id": "lines", "type": "legacy_source", "rows": {"path": path, "format": "text"}},
            {
                "id": "words",
                "type": "flat_map",
                "inputs": ["lines"],
                "split": {"value": "lower(line)", "pattern": "[^a-z]+", "as": "word"},
            },
            {"id": "long", "type": "filter", "inputs": ["words"], "where": "length(word) > 2"},
            {"id": "ones", "type": "map", "inputs": ["long"], "select": {"word": "word", "n": "1"}},
            {"id": "by", "type": "key_by", "inputs": ["ones"], "keys": ["word"]},
            {"id": "count", "type": "reduce", "inputs": ["by"], "aggregate": {"n": "sum(n)"}},
            {"id": "out", "type": "sink", "inputs": ["count"]},
        ],
    }


def numbers(count: int, *, chaining: bool) -> dict[str, Any]:
    """Every second number, summed by 500 keys."""
    rows = {"sequence": {"from": 0, "to": count - 1}}
    return {
        "environment": {"parallelism": 2, "chaining": chaining},
        "transformations": [
            {"id": "numbers", "type": "legacy_source", "rows": rows},
            {"id": "even", "type": "filter", "inputs": ["numbers"], "where": "n % 2 = 0"},
            {
                "id": "keyed",
                "type": "map",
                "inputs": ["even"],
                "select": {"k": "n / 2 % 500", "n": "n * 3 + 1"},
            },
            {"id": "by", "type": "key_by", "inputs": ["keyed"], "keys": ["k"]},
            {"id": "sum", "type": "reduce", "inputs": ["by"], "aggregate": {"n": "sum(n)"}},
            {"id": "out", "type": "sink", "inputs": ["sum"]},
        ],
    }


def session() -> Any:
    """A Spark session with the trial's settings and Java's own compiler settings."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").appName("benchmark")
    for name, value in SETTINGS.items():
        if name != "spark.driver.extraJavaOptions":
            builder = builder.config(name, value)
    made = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made


def sql_word_count(spark: Any, path: Path) -> None:
    """The same words, counted by Spark SQL."""
    from pyspark.sql import functions as f

    words = f.explode(f.split(f.lower("value"), "[^a-z]+")).alias("word")
    found = spark.read.text(str(path)).select(words).where("length(word) > 2")
    found.repartition(2, "word").groupBy("word").count().write.format("noop").mode(
        "overwrite"
    ).save()


def sql_numbers(spark: Any, count: int) -> None:
    """The same sums by Spark SQL."""
    rows = spark.range(0, count, 1, 2).where("id % 2 = 0")
    rows = rows.selectExpr("id / 2 % 500 as k", "id * 3 + 1 as n")
    rows.repartition(2, "k").groupBy("k").sum("n").write.format("noop").mode("overwrite").save()


def compare(title: str, engines: dict[str, Callable[[], Any]], rounds: int) -> None:
    """Let the engines take turns; print medians, and ratios to the first."""
    taken: dict[str, list[float]] = {name: [] for name in engines}
    for turn in range(rounds + 1):
        for name, run in engines.items():
            begun = perf_counter()
            run()
            if turn:
                taken[name].append(perf_counter() - begun)
    medians = {name: statistics.median(times) for name, times in taken.items()}
    first = next(iter(medians.values()))
    print(title)
    for name, seconds in medians.items():
        print(f"  {name:24}{seconds:8.2f} s {seconds / first:6.2f}")


def main() -> None:
    """Run both comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=600_000)
    parser.add_argument("--numbers", type=int, default=4_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    spark = session()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lines.txt")
        write_lines(path, asked.lines)

        def trial(document: dict[str, Any]) -> Callable[[], Any]:
            return lambda: explorer.run_trial(document, data_dir=folder, collect=False)

        compare(
            f"word count, {asked.lines:,} lines",
            {
                "Spark SQL": lambda: sql_word_count(spark, path),
                "trial, chained": trial(word_count(path.name, chaining=True)),
                "trial, nothing chained": trial(word_count(path.name, chaining=False)),
            },
            asked.rounds,
        )
        compare(
            f"numbers, {asked.numbers:,}",
            {
                "Spark SQL": lambda: sql_numbers(spark, asked.numbers),
                "trial, chained": trial(numbers(asked.numbers, chaining=True)),
                "trial, nothing chained": trial(numbers(asked.numbers, chaining=False)),
            },
            asked.rounds,
        )


if __name__ == "__main__":
    main()
