"""A program with split and select is captured with its selectors and selected names."""

from pathlib import Path

import pytest

import explorer
from tests.capture.flinks import differences, jar, lib


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_selectors_and_selected_names_are_captured(tmp_path: Path) -> None:
    program = jar("Splits", "1.9.3", tmp_path)
    (document,) = explorer.capture(program, flink_lib=lib("1.9.3"))
    graph = document["stream_graph"]

    assert differences(document) == ()
    assert [node["output_selectors"] for node in graph["nodes"]] == [["Parity"], [], [], []]
    names = [edge["selected_names"] for edge in graph["edges"]]
    assert names == [["even", "odd"], ["odd"], []]
