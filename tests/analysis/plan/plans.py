"""Programs that the tests of plans replace by one another."""

from typing import Any

from explorer.analysis.baseline import Baseline
from explorer.analysis.plan import Plan, PlanRequest, make_plan
from explorer.documents import as_document

COUNT: list[dict[str, Any]] = [
    {"id": "lines", "type": "source"},
    {"id": "words", "type": "flat_map", "inputs": ["lines"]},
    {"id": "by", "type": "key_by", "inputs": ["words"]},
    {"id": "count", "type": "reduce", "inputs": ["by"], "name": "count"},
    {"id": "out", "type": "sink", "inputs": ["count"]},
]
FILTERED: list[dict[str, Any]] = [
    COUNT[0],
    {"id": "clean", "type": "filter", "inputs": ["lines"]},
    {**COUNT[1], "inputs": ["clean"]},
    *COUNT[2:],
]
"""The same with a filter before the count, which gets another ID by that."""


def program(
    transformations: list[dict[str, Any]], flink: str = "2.2", **environment: Any
) -> dict[str, Any]:
    return {
        "name": "words",
        "flink": flink,
        "transformations": transformations,
        "environment": environment,
    }


def planned(old: dict[str, Any], new: dict[str, Any], **asked: Any) -> Plan:
    baseline = Baseline(name="old.yaml", document=as_document(old))
    return make_plan(as_document(new), baseline, PlanRequest(**asked))
