"""Bytes that a task of a BATCH job sends, as ``numBytesOut`` of real clusters."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.flink.releases import release
from tests.engine.in_process import report_of
from tests.golden_files import cases

PARTITIONS = {"HASH": {"type": "key_by", "keys": ["n"]}}


def two_tasks(mode: str, edge: str, rows: int) -> dict[str, Any]:
    """The job that ``AskBatchBytes.java`` runs."""
    between = PARTITIONS.get(edge, {"type": edge.lower()})
    return {
        "environment": {
            "parallelism": 2,
            "runtime_mode": "BATCH",
            "configuration": {"execution.batch-shuffle-mode": mode},
        },
        "transformations": [
            {"id": "numbers", "type": "source", "rows": {"sequence": {"from": 0, "to": rows - 1}}},
            {"id": "edge", **between, "inputs": ["numbers"]},
            {
                "id": "read",
                "type": "map",
                "inputs": ["edge"],
                "select": {"n": "n"},
                "chaining_strategy": "HEAD",
            },
            {"id": "sink", "type": "sink", "inputs": ["read"]},
        ],
    }


@pytest.mark.law
def test_the_bytes_are_flinks_by_release_shuffle_mode_and_edge() -> None:
    wrong = {}
    for case in cases("batch_bytes"):
        mode, edge, rows = case["question"].split()
        compiled = compile_graph(two_tasks(mode, edge, int(rows)), release(case["version"]).version)
        first = report_of(compiled).to_dict()["vertices"][0]
        if first["bytes_out"] != case["bytes"]:
            wrong[f"{case['version']} {case['question']}"] = (first["bytes_out"], case["bytes"])

    assert wrong == {}
