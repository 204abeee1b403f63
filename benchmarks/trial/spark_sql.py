"""The expert's Spark: the same pipelines in Spark SQL, with the same exchange."""

import os
import sys
from pathlib import Path
from typing import Any

from explorer.engine.spark.spark_settings import SETTINGS
from explorer.engine.spark.workers import MODULE


def session() -> Any:
    """A Spark session with the trial's settings and workers, and Java's own compiler settings."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").appName("benchmark")
    for name, value in SETTINGS.items():
        if name != "spark.driver.extraJavaOptions":
            builder = builder.config(name, value)
    builder = builder.config("spark.python.daemon.module", MODULE)
    builder = builder.config("spark.executorEnv.PYTHONPATH", str(Path(__file__).parents[2]))
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
