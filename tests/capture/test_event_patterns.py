"""Captured patterns; ``tests/analysis/test_restored_patterns.py`` compares them with savepoints."""

from pathlib import Path
from typing import Any

import pytest

from explorer.capture import capture
from tests.capture.flinks import jar_of, lib
from tests.savepoints.ask_patterns import PROGRAM


@pytest.mark.flink
def test_the_stages_of_a_pattern_are_those_that_flink_compiles(tmp_path: Path) -> None:
    jar = jar_of(PROGRAM, "2.2.1", tmp_path)
    (document,) = capture(jar, ["a,b+,!d,c/w1000/past"], flink_lib=lib("2.2.1"))
    nodes = document["stream_graph"]["nodes"]
    (pattern,) = [node["operator"]["pattern"] for node in nodes if node["name"] == "pattern"]
    stages: dict[str, Any] = {stage["name"]: stage for stage in pattern["stages"]}

    assert list(stages) == ["$endState$", "a", "b", "b:0", "b:1", "c", "d"]
    assert stages["a"] == {
        "name": "a",
        "kind": "Start",
        "transitions": ("TAKE b:1",),
        "within": None,
    }
    assert (stages["d"]["kind"], stages["$endState$"]["kind"]) == ("Stop", "Final")
    assert (pattern["within"], pattern["skip"]) == (1000, "SkipPastLastStrategy{}")
