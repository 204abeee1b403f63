"""The JVM classes that a run uses, looked up once for each engine.

For a name py4j asks Java's class loader, which looks through every jar of Spark's before it knows
that ``scala`` is a package; asked for each stage, that is a third of the time of a small trial.
"""

from typing import Any, Final, NamedTuple

_PYSPARKS: Final = [
    "PairwiseRDD",
    "PythonPartitioner",
    "PythonRDD",
    "PythonUtils",
    "SimplePythonFunction",
]
"""What PySpark, and we as it does, ask the JVM's view for, by the names that it has imported."""


class JavaNames(NamedTuple):
    """Classes that no view has imported."""

    pair_rdd: Any
    pruning_rdd: Any


def java_names(jvm: Any) -> JavaNames:
    """Look for them; PySpark's own stay where PySpark looks for them first."""
    for name in _PYSPARKS:
        # An attribute of the view comes before what it would ask Java for.
        setattr(jvm, name, getattr(jvm, name))
    spark = jvm.org.apache.spark
    return JavaNames(
        pair_rdd=spark.api.java.JavaPairRDD,
        pruning_rdd=spark.rdd.PartitionPruningRDD,
    )
