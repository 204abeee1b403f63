"""Chained operators of a running job: their IDs are Flink's or unknown, in every place alike."""

import json
from typing import Any

import pytest

from explorer.comparison.compare import compare
from explorer.documents import JobGraphDocument, load_document
from explorer.explain.terminal import answer_text
from explorer.flink.compiler import Compilation, compile_program
from explorer.lookup.whatis import whatis
from explorer.model.operator_ids import UNKNOWN, is_unknown
from explorer.restore.bridge import give_uids, pin_ids
from explorer.restore.verdict import check_restore
from tests.documents.reported_jobs import answered
from tests.golden_files import NAMED_AND_RANDOM, cases


def side(id: str, tag: str) -> dict[str, Any]:
    return {"id": id, "type": "side_output", "inputs": ["split"], "tag": tag}


SOURCE, SINK = "Source: Custom Source", "Sink: Print to Std. Out"

PROGRAM: dict[str, Any] = {
    "name": "two side outputs",
    "flink": "1.20",
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "in", "type": "source"},
        {
            "id": "split",
            "type": "process",
            "name": "split",
            "inputs": ["in"],
            "side_outputs": {"early": "a", "late": "b"},
        },
        side("early", "early"),
        side("late", "late"),
        {"id": "first", "type": "map", "name": "first", "inputs": ["early"]},
        {"id": "second", "type": "map", "name": "second", "inputs": ["late"]},
        {"id": "spread", "type": "rebalance", "inputs": ["first"]},
        {"id": "sums", "type": "map", "name": "sums", "inputs": ["spread"]},
        {"id": "out", "type": "sink", "inputs": ["sums"]},
    ],
}


@pytest.fixture(scope="module")
def program() -> Compilation:
    return compile_program(load_document(PROGRAM))


@pytest.fixture(scope="module")
def job(program: Compilation) -> JobGraphDocument:
    loaded = load_document(answered(program.to_dict()["job_graph"]))
    assert isinstance(loaded, JobGraphDocument)
    return loaded.under("1.20")


def named(done: Compilation) -> dict[str, str]:
    return {node.name: done.hashes[node.id] for node in done.stream_graph.nodes}


def marked(done: Compilation) -> set[str]:
    return {name for name, id in named(done).items() if is_unknown(id)}


def test_ids_behind_two_side_outputs_are_unknown(
    program: Compilation, job: JobGraphDocument
) -> None:
    real, found = named(program), named(compile_program(job))
    assert marked(compile_program(job)) == {"split", "first", "second", SINK}
    assert {name: id for name, id in found.items() if not is_unknown(id)} == {
        name: real[name] for name in (SOURCE, "sums")
    }


def test_a_head_confirms_the_operators_in_front_of_a_branch() -> None:
    """The task's edge leaves the last operator, as is assumed: its sibling stays unknown."""
    steps = [
        {**one, "inputs": ["second"]} if one["id"] == "spread" else one
        for one in PROGRAM["transformations"]
    ]
    program = compile_program(load_document({**PROGRAM, "transformations": steps}))
    done = compile_program(load_document(answered(program.to_dict()["job_graph"])), "1.20")
    assert marked(done) == {"first", "second", SINK}
    assert named(done)["split"] == named(program)["split"]


def test_without_chaining_no_generated_id_is_confirmed(job: JobGraphDocument) -> None:
    done = compile_program(job.with_chaining(on=False))
    assert len(marked(done)) == 4
    assert len(done.job_graph.vertices) == 6


@pytest.mark.law
@pytest.mark.parametrize("file", NAMED_AND_RANDOM)
def test_an_id_of_a_submitted_job_is_flinks_or_unknown(file: str) -> None:
    confirmed = 0
    for case in cases(file):
        for outcome in case["flink"]:
            graph = outcome.get("job_graph")
            if graph is None or any(vertex["parallelism"] < 0 for vertex in graph["vertices"]):
                continue
            names = {node["id"]: node["name"] for node in outcome["stream_graph"]["nodes"]}
            real = {id: names[int(node)] for node, id in outcome["hashes"].items()}
            document = load_document(answered(graph))
            done = compile_program(document, outcome["versions"][0])
            assert len(set(done.hashes.values())) == len(done.hashes)
            for node in done.stream_graph.nodes:
                id = done.hashes[node.id]
                if node.operator_id is None and not is_unknown(id):
                    assert real[id] == node.name, case["name"]
                    confirmed += 1
    assert confirmed


def test_whatis_names_no_operator_for_an_unknown_id(
    program: Compilation, job: JobGraphDocument
) -> None:
    ids = named(program)
    for name in ("split", "first", "second", SINK):
        answer = whatis(ids[name], job)
        assert not answer.findings
        assert answer_text(answer) == (
            f"{ids[name]} is no known ID of this job. The IDs of 4 operators are {UNKNOWN}."
        )
    (found,) = whatis(ids["sums"], job).findings
    assert (found.kind, found.operator) == ("vertex", "sums")


@pytest.mark.parametrize("back", [False, True])
def test_a_restore_verdict_leaves_unknown_ids_unchecked(
    job: JobGraphDocument,
    back: bool,  # noqa: FBT001
) -> None:
    verdict = check_restore(PROGRAM, job) if back else check_restore(job, PROGRAM)
    assert verdict.error is None
    assert {"IDs", "parallelism and maximum parallelism"} <= set(verdict.unchecked)
    assert verdict.exit_code() == 3
    assert not any(one.change == "moved" for one in verdict.operators)
    (split,) = [one for one in verdict.operators if one.name == "split"]
    assert (split.change, split.outcome) == ("unknown", "unknown")
    assert UNKNOWN in split.sentence
    ids = next(one for one in verdict.coverage if one.aspect == "IDs")
    assert ids.because.startswith(UNKNOWN)


def test_the_key_groups_of_a_task_with_unknown_ids_are_unchecked() -> None:
    """The old job's filter has a record under an ID that its cluster does not report."""
    keyed = {
        "name": "totals",
        "flink": "1.20",
        "environment": {"parallelism": 90},
        "transformations": [
            {"id": "in", "type": "source", "uid": "in"},
            {"id": "by", "type": "key_by", "inputs": ["in"], "keys": ["n"]},
            {"id": "total", "type": "reduce", "name": "total", "inputs": ["by"], "uid": "total"},
            {"id": "large", "type": "filter", "name": "large", "inputs": ["total"], "uid": "a"},
            {"id": "out", "type": "sink", "inputs": ["large"], "uid": "out"},
        ],
    }
    running = load_document(answered(compile_program(load_document(keyed)).to_dict()["job_graph"]))

    for uid in "abcdefgh":
        new = json.loads(json.dumps(keyed).replace('"uid": "a"', f'"uid": "{uid}"'))
        verdict = check_restore(running.under("1.20"), {**new, "environment": {"parallelism": 2}})
        (total,) = [one for one in verdict.operators if one.name == "total"]
        assert total.outcome == "unknown"
        assert total.max_parallelism[1] is None
        assert "number of key groups" in total.sentence
        assert "parallelism and maximum parallelism" in verdict.unchecked
        assert verdict.exit_code() == 3

    # Where all records have one maximum, it is known whichever record is the task's.
    alike = {**keyed, "environment": {"parallelism": 2}}
    job_graph = compile_program(load_document(alike)).to_dict()["job_graph"]
    verdict = check_restore(load_document(answered(job_graph)).under("1.20"), alike)
    (total,) = [one for one in verdict.operators if one.name == "total"]
    assert total.max_parallelism[1] == 128


def test_no_pin_holds_an_unknown_id(job: JobGraphDocument) -> None:
    verdict, document = check_restore(job, PROGRAM), load_document(PROGRAM)
    for bridge in (pin_ids(verdict, document), give_uids(verdict, document)):
        assert not any(is_unknown(pin.uid_hash) for pin in bridge.pins)
        assert any(line.startswith("'split' is left as it is") for line in bridge.left)


def test_a_comparison_counts_unknown_ids(program: Compilation, job: JobGraphDocument) -> None:
    done = compile_program(job)
    for before, after in ((done, program), (program, done), (done, done)):
        found = compare(before, after)
        verdicts = {one.before.name: one.verdict for one in found.operators if one.before}
        assert verdicts["sums"] == "kept"
        assert verdicts["split"] == "unknown"
        assert "same operator IDs" not in found.sentence()
        assert "4 IDs unknown" in found.sentence()
