"""Hashes, key groups, channels and bytes are those that Flink 1.20 printed."""

from typing import Any

import numpy as np
import pyarrow as pa

from explorer.engine.rows.batch import Batch
from explorer.engine.rows.field_bytes import field_bytes
from explorer.engine.task.channel_selectors import partitioner
from explorer.engine.task.serializers import (
    element_bytes,
    latency_marker_bytes,
    row_bytes,
    status_bytes,
    watermark_bytes,
)
from explorer.flink.key_groups import default_max_parallelism
from explorer.flink.subtask_wiring import consumed_partitions
from explorer.model.row_type import STRING, RowType
from tests.engine.task.facts import ARROW, columns, facts
from tests.engine.task.other_elements import tuple_bytes


def test_the_maximum_parallelism_is_derived_as_flink_derives_it() -> None:
    for fact in facts("default_max_parallelism"):
        assert default_max_parallelism(fact["parallelism"]) == fact["max_parallelism"]


def test_pointwise_consumers_read_the_partitions_that_flink_gives_them() -> None:
    for fact in facts("pointwise"):
        up, down = fact["upstream"], fact["downstream"]
        read = [consumed_partitions(up, down, consumer) for consumer in range(down)]

        assert [[one[0], one[-1]] for one in read] == fact["consumed_partitions"], fact


def test_partitioners_choose_flinks_channels() -> None:
    for fact in facts("channels"):
        keys = pa.array(fact["keys"], pa.string())
        batch = Batch(RowType.of(key=STRING), (keys,), np.arange(len(keys)))
        # Flink starts REBALANCE anywhere; here it starts where it did.
        chosen = partitioner(
            fact["partitioner"],
            channels=fact["channels"],
            subtask=fact["selected"][0],
            keys=("key",) if fact["partitioner"] == "HASH" else None,
        )
        selected = np.full(len(keys), -1)
        for channel, part in chosen.route(batch):
            assert part.timestamps is not None
            selected[part.timestamps] = channel

        assert selected.tolist() == fact["selected"], fact


def _element(fact: dict[str, Any]) -> bytes:
    match fact["element"]:
        case "watermark":
            return watermark_bytes(fact["timestamp"])
        case "watermark_status":
            return status_bytes(active=fact["status"] == "ACTIVE")
        case "latency_marker":
            return latency_marker_bytes(
                fact["marked_time"], fact["operator_id"], fact["subtask_index"]
            )
        case _:
            return _record(fact)


def _record(fact: dict[str, Any]) -> bytes:
    fields = columns(fact["type"], fact["value"])
    if fact["type"] in ARROW:
        value = field_bytes(fields[0])
    else:
        value = (tuple_bytes if fact["type"].startswith("TUPLE") else row_bytes)(fields)
    times = np.array([fact["timestamp"]]) if "timestamp" in fact else None
    return element_bytes(value, times).data.tobytes()


def test_stream_elements_have_flinks_bytes() -> None:
    for fact in facts("stream_elements"):
        assert _element(fact).hex() == fact["bytes"], fact
