"""What operators see of one another's changes, as in real tasks: ``ask_reuse.py`` ran them."""

from pathlib import Path
from typing import Any

import pytest

from explorer import compile_graph, load_document
from explorer.documents import Document
from explorer.engine.preview.preview import preview_trial
from explorer.engine.report.trial_report import copies_sentence
from explorer.model.row_type import SchemaError
from tests.flink.ask_reuse import reported_by
from tests.golden_files import cases

CASES = list(cases("object_reuse"))
SAMPLE = Path("sample_graphs/20-object-reuse.yaml")


def program(*, reuse: bool, **changed: Any) -> dict[str, Any]:
    """The job of ``AskReuse.java``; the rows of a sink are what the operator before it saw."""
    steps = [
        {
            "id": "s",
            "type": "legacy_source",
            "rows": {"values": [[1], [2], [3]], "schema": "n LONG"},
        },
        {"id": "made", "type": "map", "inputs": ["s"], "select": {"n": "n"}},
        {"id": "a", "type": "process", "inputs": ["made"]},
        {"id": "b", "type": "map", "inputs": ["a"], "select": {"n": "n + 100"}, "mutates": True}
        | changed,
        {"id": "away", "type": "rebalance", "inputs": ["a"]},
        *({"id": who, "type": "sink", "inputs": [of]} for who, of in SINKS.items()),
    ]
    options = {"pipeline.object-reuse": reuse}
    environment = {"parallelism": 1, "configuration": options}
    return {"environment": environment, "transformations": steps}


ROWS = {"values": [[1], [2], [3]], "schema": "n LONG"}
SINKS = {"e": "b", "c": "a", "d": "a", "far": "away"}


def sinks(document: Document | dict[str, Any]) -> dict[str, list[Any]]:
    """What each sink collects, of one column."""
    report = preview_trial(compile_graph(document, "1.20")).report
    return {name: [row[0] for row in sink.data or ()] for name, sink in report.sinks.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"reuse {case['reuse']}")
def test_a_sibling_reads_the_same_values_as_in_flink(case: Any) -> None:
    # "late" is left out: a document's process emits a row to one output, not to two.
    wanted = {who: case["seen"][who] for who in SINKS}

    assert sinks(program(reuse=case["reuse"])) == wanted


def test_all_releases_agree() -> None:
    assert [case["reuse"] for case in CASES] == [False, True]


def test_a_new_row_is_another_object() -> None:
    """A map that makes rows of its own changes none that others hold."""
    assert sinks(program(reuse=True, mutates=False))["c"] == [1, 2, 3]


def test_a_row_that_passes_a_filter_is_the_same_object() -> None:
    document = program(reuse=True)
    kept = {"id": "kept", "type": "filter", "inputs": ["a"], "where": "n > 1"}
    steps = document["transformations"]
    steps.insert(3, kept)
    steps[4] = steps[4] | {"inputs": ["kept"]}

    assert sinks(document)["c"] == [1, 102, 103]
    assert sinks(document)["far"] == [1, 2, 3]


def test_two_changes_of_one_object_add_up() -> None:
    document = program(reuse=True)
    twice = {"id": "again", "type": "map", "inputs": ["a"], "select": {"n": "n * 2"}}
    document["transformations"].insert(4, twice | {"mutates": True})
    document["transformations"].append({"id": "doubled", "type": "sink", "inputs": ["again"]})

    assert sinks(document)["c"] == [202, 204, 206]


def test_a_changed_row_has_the_same_columns() -> None:
    with pytest.raises(SchemaError, match="'b': mutates changes the row that comes in"):
        sinks(program(reuse=True, select={"m": "n"}))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"reuse {case['reuse']}")
def test_copies_are_counted_by_the_records_that_pass(case: Any) -> None:
    reuse = case["reuse"]
    done = compile_graph(program(reuse=reuse), "1.20")
    report = preview_trial(done).report
    every = report.chained

    assert all(one.copied == (0 if reuse else one.records) for one in every)
    # To made, to a, to b, and to the sinks of b and a: all but the one behind the exchange.
    assert sum(one.records for one in every) == 6 * 3
    assert copies_sentence(report).startswith("18 records " + ("handed" if reuse else "copied"))
    spent = [one.copy_ms for one in every]
    assert (sum(spent) == 0) == reuse
    # Each figure is rounded to microseconds by itself: six of them may differ by three.
    assert sum(one.copy_ms or 0 for one in report.vertices) == pytest.approx(sum(spent), abs=0.01)
    assert report.to_dict()["chained"][0]["records"] == 3


def test_the_sample_shows_it() -> None:
    found = sinks(load_document(SAMPLE))

    assert found["seen"] == [101, 102, 103]
    assert found["seen elsewhere"] == [1, 2, 3]


@pytest.mark.flink
def test_the_answers_are_those_of_a_running_job(tmp_path: Path) -> None:
    again = reported_by("1.20.5", tmp_path)
    assert {case["reuse"]: case["seen"] for case in CASES} == again
