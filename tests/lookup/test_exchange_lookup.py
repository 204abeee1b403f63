"""The exchange of an edge that is called by its ends: in Python as the command prints it."""

import json

import pytest

import explorer
from explorer.cli.main import main
from explorer.errors import ExplorerError
from explorer.locations import sample_folder

COUNT = sample_folder() / "01-word-count.yaml"


def test_the_function_returns_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exchange", str(COUNT), "--edge", "ones->count", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    del printed["carried"]

    members = explorer.exchange(COUNT, "ones->count").to_dict()
    assert json.loads(json.dumps(members)) == printed


def test_a_chained_edge_has_no_exchange() -> None:
    with pytest.raises(ExplorerError, match="is chained"):
        explorer.exchange(COUNT, "words->ones")


def test_an_option_of_the_cluster_decides() -> None:
    options = {"taskmanager.memory.segment-size": "64kb"}

    assert explorer.exchange(COUNT, "ones->count", options).buffer_size == 64 * 1024
