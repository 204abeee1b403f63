"""Names for a page or a command that hosts runs: the queue, Spark's target, Java, folders."""

from explorer.engine.spark import workspace
from explorer.engine.spark.java import java_problem
from explorer.engine.spark.packing import pack_environment, supported_workers
from explorer.engine.spark.queue import QUEUE
from explorer.engine.spark.spark_settings import VARIABLE, SparkTarget, page_target, spark_target
from explorer.engine.spark.turns import QueuePlace

__all__ = [
    "QUEUE",
    "VARIABLE",
    "QueuePlace",
    "SparkTarget",
    "java_problem",
    "pack_environment",
    "page_target",
    "spark_target",
    "supported_workers",
    "workspace",
]
