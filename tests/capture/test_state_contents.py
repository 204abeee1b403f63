"""Captured patterns and windows, which the verdict compares beyond the types of their state."""

from pathlib import Path
from typing import Any

import pytest

from explorer.capture import capture
from tests.capture.flinks import jar, lib


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_patterns_and_evictors_are_those_that_flink_runs(tmp_path: Path) -> None:
    (document,) = capture(jar("Contents", "2.2.1", tmp_path), flink_lib=lib("2.2.1"))
    operators = {node["name"]: node["operator"] for node in document["stream_graph"]["nodes"]}
    pattern = operators["pattern"]["pattern"]
    stages: dict[str, Any] = {stage["name"]: stage for stage in pattern["stages"]}

    assert list(stages) == ["$endState$", "a", "b", "b:0", "b:1", "c", "d"]
    first = {"name": "a", "kind": "Start", "transitions": ("TAKE b:1",), "within": None}
    assert stages["a"] == first
    assert (stages["d"]["kind"], stages["$endState$"]["kind"]) == ("Stop", "Final")
    assert (pattern["within"], pattern["skip"]) == (1000, "SkipPastLastStrategy{}")
    assert operators["count"]["windows"].endswith(", EventTimeTrigger(), CountEvictor(5) after")
    assert operators["time"]["windows"].endswith(", EventTimeTrigger(), TimeEvictor(3000)")
