"""Facts that Flink 1.20 printed: keys, channels, wiring and bytes."""

import gzip
import json
from typing import Any

import pyarrow as pa

from tests.golden_files import GOLDEN

ARROW = {
    "STRING": pa.string(),
    "INT": pa.int32(),
    "LONG": pa.int64(),
    "BOOLEAN": pa.bool_(),
    "DOUBLE": pa.float64(),
}


def facts(name: str) -> list[dict[str, Any]]:
    """Load a list of facts."""
    with gzip.open(GOLDEN / "facts.json.gz", "rt", encoding="utf-8") as file:
        found: list[dict[str, Any]] = json.load(file)[name]
    assert found, f"facts.json holds no {name}"
    return found


def columns(kind: str, value: Any) -> list[Any]:
    """Columns of one row with a value of a Flink type, a column for each field."""
    if kind in ARROW:
        return [pa.array([value], ARROW[kind])]
    fields = kind[kind.index("(") + 1 : -1].split(",")
    return [pa.array([one], ARROW[field]) for one, field in zip(value, fields, strict=True)]
