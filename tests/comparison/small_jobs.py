"""A count of words, and the same with a filter before it."""

from typing import Any

COUNT: list[dict[str, Any]] = [
    {"id": "lines", "type": "source"},
    {"id": "words", "type": "flat_map", "inputs": ["lines"]},
    {"id": "by", "type": "key_by", "inputs": ["words"]},
    {"id": "count", "type": "reduce", "inputs": ["by"], "name": "count"},
    {"id": "out", "type": "sink", "inputs": ["count"]},
]


CLEANED: list[dict[str, Any]] = [
    COUNT[0],
    {"id": "clean", "type": "filter", "inputs": ["lines"]},
    {**COUNT[1], "inputs": ["clean"]},
    *COUNT[2:],
]
"""The job with a filter before the count, which changes the count's ID."""


def program(
    transformations: list[dict[str, Any]], flink: str = "2.2", **settings: Any
) -> dict[str, Any]:
    return {"flink": flink, "transformations": transformations, "environment": settings}


def changed(id: str, **fields: Any) -> list[dict[str, Any]]:
    return [one | fields if one["id"] == id else one for one in COUNT]
