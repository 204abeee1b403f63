"""Hashes, key groups, channels and bytes are those that Flink 1.20 printed."""

from explorer.flink.key_groups import default_max_parallelism
from explorer.flink.subtask_wiring import consumed_partitions
from tests.engine.task.facts import facts


def test_the_maximum_parallelism_is_derived_as_flink_derives_it() -> None:
    for fact in facts("default_max_parallelism"):
        assert default_max_parallelism(fact["parallelism"]) == fact["max_parallelism"]


def test_pointwise_consumers_read_the_partitions_that_flink_gives_them() -> None:
    for fact in facts("pointwise"):
        up, down = fact["upstream"], fact["downstream"]
        read = [consumed_partitions(up, down, consumer) for consumer in range(down)]

        assert [[one[0], one[-1]] for one in read] == fact["consumed_partitions"], fact
