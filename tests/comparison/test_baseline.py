"""A document holds its baseline by value, and says what is wrong with one."""

import base64
import json
from typing import Any

import pytest

from explorer import check_restore, load_document, load_savepoint
from explorer.comparison.baseline import Baseline, baseline_of, baseline_values, compile_baseline
from explorer.documents import document_texts, document_values, parse_document
from explorer.errors import ExplorerError
from tests.comparison.small_jobs import CLEANED, COUNT, program
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.savepoints.clusters import restores


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_a_document_as_baseline_is_written_and_read(ending: str) -> None:
    old = load_document(program(COUNT))
    document = load_document(program(CLEANED)).with_baseline(
        baseline_values(Baseline(name="v1", document=old))
    )

    again = parse_document(document_texts(document)[ending](), name=f"x.{ending}")

    assert again == document
    assert baseline_of(again) == Baseline(name="v1", document=old)


def test_a_stream_graph_holds_one_too() -> None:
    plan = load_document(
        {"stream_graph": {"nodes": [{"id": 1, "name": "a", "parallelism": 1}], "edges": []}}
    )
    held = plan.with_baseline(baseline_values(Baseline(name="v1", document=plan)))

    again = load_document(json.loads(json.dumps(document_values(held))))

    assert baseline_of(again) is not None
    assert json.dumps(document_values(again)) == json.dumps(document_values(held))


@pytest.mark.law
def test_a_savepoint_as_baseline_gives_the_verdict_of_the_savepoint() -> None:
    for case in restores():
        taken = load_savepoint(base64.b64decode(case["flink"][1]["metadata"]))
        values = baseline_values(Baseline(name="sp", savepoint=taken))
        held = load_document(json.loads(json.dumps({**case["new"], "baseline": values})))
        baseline = baseline_of(held)
        assert baseline is not None
        one, other = (
            check_restore(old, case["new"], flink_version="2.2") for old in (taken, baseline)
        )
        assert (one.error, one.operators) == (other.error, other.operators)


def test_the_state_of_a_savepoint_is_named_by_its_kinds() -> None:
    taken = load_savepoint(base64.b64decode(restores()[0]["flink"][1]["metadata"]))

    held = compile_baseline(Baseline(name="sp", savepoint=taken)).held

    assert {operator.kinds: held[operator.operator_id].what for operator in taken.operators} == {
        (): "no state",
        ("keyed",): "keyed state",
        ("operator",): "operator state",
    }


@for_each(
    ("baseline", "sentence"),
    [
        ({"name": "x"}, "takes a name, and a document, a savepoint or both"),
        ({"name": "", "document": {}}, "baseline.name: must be text"),
        ({"name": "x", "document": []}, "baseline.document: must be a mapping"),
        ({"name": "x", "document": {"transformations": 3}}, "baseline.document.transformations"),
        ({"name": "x", "document": program(COUNT) | {"baseline": {}}}, "none of its own"),
        ([], "baseline: must be a mapping"),
    ],
)
def test_a_baseline_that_is_none_gets_a_sentence(baseline: Any, sentence: str) -> None:
    with pytest.raises(ExplorerError, match=sentence):
        load_document(program(COUNT) | {"baseline": baseline})


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("operator_id", "x", "has no operator ID in"),
        ("max_parallelism", 2**40, "a parallelism of"),
        ("parallelism", "2", "cannot be read"),
    ],
)
def test_a_savepoint_in_a_document_is_not_trusted(field: str, value: Any, sentence: str) -> None:
    taken = load_savepoint(base64.b64decode(restores()[0]["flink"][1]["metadata"]))
    values = baseline_values(Baseline(name="sp", savepoint=taken))
    values["savepoint"]["operators"][0][field] = value

    with pytest.raises(ExplorerError, match=sentence):
        baseline_of(load_document(program(COUNT) | {"baseline": values}))


def test_a_running_job_is_a_baseline_and_its_program_names_its_state() -> None:
    recorded = next(case for case in cases("running_jobs") if case["flink"] == "1.20.5")
    job, program = (load_document(recorded[which]) for which in ("details", "captured"))

    found = check_restore(job, program, flink_version="1.20")

    reported = {(one.name, one.change, one.state) for one in found.operators}
    assert ("sums", "kept", "known") in reported
    assert not [
        one for one in found.operators if one.name.startswith("Sink: Print") and one.endangered
    ]
    assert found.verdict == "restored"


def test_a_baseline_looks_its_nodes_up_once() -> None:
    old = compile_baseline(Baseline(name="old", document=load_document(program(COUNT))))

    assert old.nodes is old.nodes
