"""An ID, or a whole error message, and the operator that it stands for."""

import time

import pytest

from explorer import compile_graph
from explorer.documents import load_document
from explorer.errors import TooLargeError
from explorer.flink.passes.hashing import uid_hash
from explorer.flink.releases import spans
from explorer.lookup.whatis import (
    MOST_EDGES,
    identities_by_id,
    other_sentences,
    simple_positions,
    whatis,
)
from explorer.model.pipeline import Pipeline
from tests.golden_files import cases
from tests.many_cases import for_each

RESTORE = (
    "java.lang.IllegalStateException: Failed to rollback to checkpoint/savepoint file:/tmp/sp-1. "
    "Cannot map checkpoint/savepoint state for operator {id} to the new program, because the "
    "operator is not available in the new program."
)


@pytest.fixture
def pipeline() -> Pipeline:
    case = next(case for case in cases("classics") if case["name"] == "word-count")
    document = load_document(case["pipeline"])
    assert isinstance(document, Pipeline)
    return document


@pytest.fixture
def id(pipeline: Pipeline) -> str:
    """The ID of the second vertex."""
    return compile_graph(pipeline, "1.20").job_graph.vertices[1].id


def test_an_error_message_leads_to_the_operator(pipeline: Pipeline, id: str) -> None:
    (finding,) = whatis(RESTORE.format(id=id), pipeline).findings

    assert finding.kind == "vertex"
    assert finding.releases[0] == "1.9"
    assert finding.releases[-1] == "2.3"


def test_the_start_of_an_id_is_enough(pipeline: Pipeline, id: str) -> None:
    answer = whatis(f"operator {id[:8]}… is gone", pipeline)

    assert [finding.id for finding in answer.findings] == [id]


def test_an_id_of_the_unchained_job_is_found_too(pipeline: Pipeline) -> None:
    findings = whatis("ea632d67b7d595e5b851708ae9ad79d6", pipeline).findings

    assert [finding.chaining for finding in findings] == [False]
    assert "if chaining were turned off" in findings[0].sentence


def test_an_id_of_the_chained_job_is_found_where_chaining_is_off(pipeline: Pipeline) -> None:
    chained = compile_graph(pipeline, "1.20").hashes.values()
    apart = pipeline.with_chaining(on=False)
    moved = set(chained) - set(compile_graph(apart, "1.20").hashes.values())

    findings = whatis(" ".join(moved), apart).findings

    assert {one.id for one in findings} == moved
    assert not any(one.chaining for one in findings)
    assert all("if chaining were turned on" in one.sentence for one in findings)


def test_the_id_that_a_name_would_have_as_uid_is_reported(pipeline: Pipeline) -> None:
    id = pipeline.transformations[-1].id

    (finding,) = whatis(uid_hash(id), pipeline).findings

    assert finding.kind == "uid"


def test_a_collision_message_names_its_operators() -> None:
    document = load_document(
        {
            "transformations": [
                {"id": "a", "type": "legacy_source", "uid": "x"},
                {"id": "b", "type": "sink", "inputs": ["a"], "uid": "y"},
            ]
        }
    )

    answer = whatis('Hash collision on user-specified ID "x". Most likely cause is ...', document)

    assert [finding.transformation for finding in answer.findings] == ["a"]


def test_an_unknown_id_is_reported_as_unknown(pipeline: Pipeline) -> None:
    answer = whatis("0" * 32, pipeline)

    assert answer.findings == ()
    assert answer.unknown == ("0" * 32,)


def test_published_ids_are_read_backwards() -> None:
    """IDs from public Flink output, each explained by a straight pipeline."""
    for id, place, outputs in (
        ("cbc357ccb763df2852fee8c4fc7d55f2", 0, 1),
        ("20ba6b65f97481d5570070de90e4e791", 1, 1),
        ("90bea66de1c231edf33913ecd54406c1", 2, 1),
    ):
        found = simple_positions(id)[0]

        assert (found.place, found.chained_outputs[-1]) == (place, outputs)


@pytest.mark.parametrize("doublings", [5, 15])
def test_a_program_of_too_many_edges_is_refused_before_the_search(doublings: int) -> None:
    steps = [{"id": "s", "type": "source"}, {"id": "u0", "type": "union", "inputs": ["s", "s"]}]
    steps += [
        {"id": f"u{n}", "type": "union", "inputs": [f"u{n - 1}"] * 2} for n in range(1, doublings)
    ]
    steps.append({"id": "o", "type": "sink", "inputs": [f"u{doublings - 1}"]})
    document = load_document({"transformations": steps})

    if 2**doublings <= MOST_EDGES:
        assert whatis("cbc357ccb763df2852fee8c4fc7d55f2", document).positions
    else:
        with pytest.raises(TooLargeError, match="more than 20,000 edges"):
            whatis("cbc357ccb763df2852fee8c4fc7d55f2", document)


@pytest.mark.law
def test_a_search_for_many_ids_costs_about_as_much_as_for_one(pipeline: Pipeline) -> None:
    """CPU time, of many searches each: an ID is looked up, and not compared with each other ID."""
    ids = [f"{n:032x}" for n in range(1, 101)]
    whatis(ids[0], pipeline)
    used = []
    for text in (ids[0], " ".join(ids)):
        begun = time.thread_time()
        whatis(text, pipeline)
        used.append(time.thread_time() - begun)

    assert used[1] < 3 * used[0] + 0.5


def test_releases_are_reported_as_ranges() -> None:
    assert spans(["2.0", "1.20", "1.9"]) == "1.9, 1.20 to 2.0"


TASK = "Keyed Reduce -> Sink: Print to Std. Out"
MAXIMUM = (
    "The state for task {name} can not be restored. The maximum parallelism (128) of the restored "
    "state is lower than the configured parallelism (200)."
)
SUMS = {
    "transformations": [
        {"id": "orders", "type": "source"},
        {"id": "trim", "type": "map", "inputs": ["orders"]},
        {"id": "by", "type": "key_by", "inputs": ["trim"]},
        {"id": "sums", "type": "reduce", "inputs": ["by"]},
        {"id": "out", "type": "sink", "inputs": ["sums"]},
    ]
}


@pytest.mark.parametrize(
    "line",
    [
        MAXIMUM.format(name=TASK),
        f"{TASK} (2/4)#1 switched from INITIALIZING to FAILED",
        f"Task {TASK} is not running.",
    ],
)
def test_a_task_is_found_by_its_full_name(line: str) -> None:
    (finding,) = whatis(line, load_document(SUMS)).findings

    assert (finding.kind, finding.transformation, finding.text) == ("task name", "sums", TASK)
    assert finding.id == compile_graph(SUMS, "1.20").job_graph.vertices[1].id
    assert "(the transformation 'sums')" in finding.sentence
    assert "(the transformation 'out')" in finding.sentence


@for_each(
    ("line", "found"),
    [
        ("Could not restore keyed state backend for Keyed Reduce", ["sums"]),
        ("Exception in operator Map: null", ["trim"]),
        ("Map (1/2)#0 is FAILED", ["trim"]),
        ("the records of 'Map' and of others", ["trim"]),
        ("a MapState, a Map and the Keyed Reducer", []),
    ],
)
def test_an_operator_is_found_by_its_full_name(line: str, found: list[str]) -> None:
    findings = whatis(line, load_document(SUMS)).findings

    assert [one.transformation for one in findings if one.kind == "name"] == found


def test_an_execution_attempt_is_explained_part_by_part() -> None:
    task = compile_graph(SUMS, "1.20").job_graph.vertices[1].id
    graph, strange = "c6" * 16, "ab" * 16

    answer = whatis(f"{TASK} (4/8)#2 ({graph}_{task}_3_2) FAILED", load_document(SUMS))
    assert {one.id for one in answer.findings} == {task}
    assert answer.unknown == ()
    (sentence,) = other_sentences(answer)
    assert f"{graph} is the execution graph" in sentence
    assert f"{task} is the task {TASK!r}" in sentence
    assert "3 is the index of the subtask" in sentence
    assert "2 is the number of the attempt" in sentence
    answer = whatis(f"{graph}_{strange}_3_0", load_document(SUMS))
    assert answer.unknown == (strange,)
    assert "a task that this pipeline does not have" in next(other_sentences(answer))


def test_the_attempt_in_a_log_of_an_earlier_release_is_random() -> None:
    answer = whatis(f"Map (4/8)#2 ({'c6' * 16}) switched to FAILED", load_document(SUMS))

    assert [one.transformation for one in answer.findings] == ["trim"]
    assert answer.unknown == ()
    assert "random in releases before 1.16" in next(other_sentences(answer))


def test_the_ids_of_an_equal_document_are_searched_once() -> None:
    first, same = (load_document({"name": "ids", **SUMS}) for _ in range(2))
    other = first.with_chaining(on=False)

    assert identities_by_id(first) is identities_by_id(same)
    assert identities_by_id(first) is not identities_by_id(other)
    assert identities_by_id(first).keys() == identities_by_id(other).keys()
