"""The JVM classes that a run uses, looked up once for each engine.

For each name py4j asks Java's class loader, which searches all jars of Spark before it knows that
``scala`` is a package. A lookup for each stage needs a third of the time of a small trial.
"""

from typing import Any, Final, NamedTuple

_PYSPARKS: Final = [
    "PairwiseRDD",
    "PythonPartitioner",
    "PythonRDD",
    "PythonUtils",
    "SimplePythonFunction",
]
"""Names that PySpark has imported into the JVM's view, and that a run uses."""


class JavaNames(NamedTuple):
    """Classes that are not imported into the JVM's view."""

    pair_rdd: Any
    pruning_rdd: Any


def java_names(jvm: Any) -> JavaNames:
    """Look up the classes; PySpark's classes become attributes of the view."""
    for name in _PYSPARKS:
        # The view returns an attribute without a lookup in Java.
        setattr(jvm, name, getattr(jvm, name))
    spark = jvm.org.apache.spark
    return JavaNames(pair_rdd=spark.api.java.JavaPairRDD, pruning_rdd=spark.rdd.PartitionPruningRDD)
