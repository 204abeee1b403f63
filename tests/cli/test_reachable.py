"""``explain --upstream`` and ``--downstream``: operators and distances, as on the page."""

import json
from pathlib import Path

import pytest

from explorer import compile_graph
from explorer.cli.main import main
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.reachability import Direction, reached, steps_to

SAMPLE = "sample_graphs/22-flights-in-storms.yaml"


@pytest.mark.parametrize("direction", ["upstream", "downstream"])
def test_it_reaches_the_elements_that_the_page_highlights_in_as_many_steps(
    direction: Direction,
) -> None:
    view = graph_view(compile_graph(SAMPLE))
    for key in view.node_of:
        found = steps_to(view, key, direction)
        assert set(found) == reached(view, key, direction) & set(view.node_of)
        for end, steps in found.items():
            assert end in reached(view, key, direction, steps)
            assert end not in reached(view, key, direction, steps - 1)
        assert list(found.values()) == sorted(found.values())


def test_both_directions_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", SAMPLE, "--upstream", "storm"]) == 0
    assert capsys.readouterr().out.startswith("upstream of storm: 1 operator\n  1 step ")
    assert main(["explain", SAMPLE, "--downstream", "in-storm", "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert [(one["steps"], one["name"]) for one in reported] == [
        (1, "worst three"),
        (1, "ten at a time"),
        (2, "Sink: worst delays"),
        (2, "Sink: sums of ten"),
    ]
    assert main(["explain", SAMPLE, "--downstream", "list"]) == 0
    assert "nothing is downstream of Sink: worst delays" in capsys.readouterr().out


def test_a_missing_operator_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", SAMPLE, "--upstream", "stom"]) == 1
    assert "storm" in capsys.readouterr().err


def test_of_two_operators_of_one_name_a_number_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twins = [{"id": one, "type": "map", "name": "twin", "inputs": ["s"]} for one in ("a", "b")]
    file = tmp_path / "twins.json"
    file.write_text(json.dumps({"transformations": [{"id": "s", "type": "source"}, *twins]}))
    assert main(["explain", str(file), "--downstream", "twin"]) == 1
    assert "names several operators; give a node number of 2 and 3" in capsys.readouterr().err


def test_the_id_of_a_join_selects_its_window_operator(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sample = "sample_graphs/24-weather-of-the-hour.yaml"
    assert main(["explain", sample, "--upstream", "hourly", "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in reported if one["steps"] == 1] == ["Map", "Map"]
