"""Answers of a cluster's REST interface as documents; what cannot be a job gets one sentence."""

import json
import tracemalloc
from collections import Counter
from typing import Any

import pytest

from explorer.checks.checking import check_document
from explorer.documents import MAX_BYTES, MAX_TRANSFORMATIONS, load_document, parse_document
from explorer.errors import DocumentError
from explorer.explain.edges import explain_edge
from explorer.flink.compiler import compile_program
from tests.documents.reported_jobs import A, B, C, answered, job, node, plan, read
from tests.golden_files import NAMED_AND_RANDOM, cases
from tests.many_cases import for_each


def test_a_plan_lists_readers_before_writers_and_the_document_writers_first() -> None:
    loaded = job(node(C, "out", read(B)), node(B, "mid", read(A)), node(A, "Source: in"))
    assert [task.name for task in loaded.job.tasks] == ["Source: in", "mid", "out"]


@pytest.mark.parametrize(
    ("ship", "same"), [("FORWARD", True), ("REBALANCE", True), ("HASH[a, b]", True)]
)
def test_tasks_stay_apart_whatever_joins_them(ship: str, same: bool) -> None:  # noqa: FBT001
    done = compile_program(job(node(A, "Source: in"), node(B, "out", read(A, ship))))
    assert [vertex.id for vertex in done.job_graph.vertices] == [A, B]
    assert [edge.ship_strategy == ship for edge in done.job_graph.edges] == [same]


def test_a_strategy_that_nothing_reported_is_called_assumed() -> None:
    done = compile_program(job(node(A, "Source: in"), node(B, "out", read(A, "FORWARD"))))

    explanation = explain_edge(done, 0)
    assert any("strategy HEAD, assumed" in sentence for sentence in explanation.sentences)
    members = done.to_dict()["stream_graph"]["nodes"]
    assert [one["strategy_is_assumed"] for one in members] == [True, True]


def test_no_setting_of_a_plan_is_to_be_removed() -> None:
    findings = check_document(job(node(A, "Source: in"), node(B, "out", read(A, "FORWARD"))))

    assert "ED04" in findings.asked
    assert not [one for one in findings.findings if one.code == "ED04"]


def test_a_batch_jobs_exchanges_block() -> None:
    tasks = node(A, "Source: in"), node(B, "out", read(A, exchange="blocking"))
    done = compile_program(job(*tasks, type="BATCH"))
    assert done.job_graph.job_type == "BATCH"
    assert [edge.result_type for edge in done.job_graph.edges] == ["BLOCKING"]


def test_two_edges_between_two_tasks_stay_in_order() -> None:
    tasks = node(A, "Source: in"), node(B, "out", read(A), read(A, "REBALANCE"))
    done = compile_program(job(*tasks))
    assert [edge.ship_strategy for edge in done.job_graph.edges] == ["HASH", "REBALANCE"]


def test_an_edge_leaves_the_last_operator_that_is_no_sink() -> None:
    branched = node(A, "Source: in<br/>:- a<br/>+- Sink: b<br/>")
    graph = compile_program(job(branched, node(B, "out", read(A)))).stream_graph
    assert [graph.node(edge.source).name for edge in graph.edges if edge.target == 4] == ["a"]


def spelled(**members: Any) -> dict[str, Any]:
    """A document of one task with two operators, some of its members others."""
    operators = [{"node": 1, "name": "a", "chained_outputs": [2]}, {"node": 2, "name": "b"}]
    vertex = {"id": A, "name": "a -> b", "parallelism": 1, "operators": operators}
    graph = {"vertices": [vertex | members.pop("vertex", {})], "edges": members.pop("edges", [])}
    return {"name": "job", "job": {"id": "1" * 32}, "job_graph": graph} | members


def chained(*outputs: list[int]) -> dict[str, Any]:
    operators = [
        {"node": at, "name": "a", "chained_outputs": below} for at, below in enumerate(outputs, 1)
    ]
    return spelled(vertex={"operators": operators})


EDGE = {"source": A, "target": A, "input": 0, "ship_strategy": "HASH"}


@for_each(
    ("values", "path", "says"),
    [
        (plan(), "job_graph.vertices", "has no tasks"),
        ({"plan": []}, "plan", "must be a mapping"),
        ({"jid": "1"}, "plan.nodes", "is missing"),
        (plan(node("A")), "job_graph.vertices[0].id", "32 hex digits"),
        (plan(node(A), node(B, "x", read(C))), "job_graph.edges[0].source", "no task"),
        (plan(node(A, "x", read(B)), node(B, "y", read(A))), "nodes", "cycle"),
        (plan({**node(A), "parallelism": 0}), "nodes[0].parallelism", "32768"),
        (plan({**node(A), "parallelism": "2"}), "plan.nodes[0].parallelism", "whole number"),
        (plan(node(A, "x" * 20_000)), "nodes[0].name", "20,000 characters"),
        (spelled(vertex={"operators": []}), "job_graph.vertices[0].operators", "at least one"),
        (chained([2], []) | {"job": {}}, "job.id", "is missing"),
        (chained([7]), "job_graph.vertices[0].operators[0].chained_outputs", "no operator 7"),
        (chained([2], [1]), "job_graph.vertices[0].operators[0].node", "chained behind"),
        (chained([], []), "job_graph.vertices[0].operators[1].node", "chained behind"),
        (chained([2, 3], [3], []), "job_graph.vertices[0].operators[2].node", "chained behind"),
        (spelled(edges=[{**EDGE, "source": B}]), "job_graph.edges[0].source", "no task"),
        (spelled(edges=[EDGE]), "nodes", "cycle"),
        (
            spelled(figures={"vertices": [{"id": B, "state": "RUNNING"}]}),
            "figures.vertices[0].id",
            "no task",
        ),
        (
            spelled(
                figures={
                    "vertices": [
                        {
                            "id": A,
                            "state": "RUNNING",
                            "operators": [{"node": 9, "records_in": 0, "records_out": 0}],
                        }
                    ]
                }
            ),
            "figures.vertices[0].operators",
            "no operator 9",
        ),
    ],
)
def test_an_impossible_job_is_one_sentence_with_its_path(
    values: dict[str, Any], path: str, says: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        load_document(values)
    assert caught.value.path == path
    assert says in caught.value.problem


def test_two_tasks_of_one_id_are_refused() -> None:
    values = spelled()
    values["job_graph"]["vertices"] *= 2
    with pytest.raises(DocumentError, match=r"vertices\[1\]\.id: is the ID of vertices\[0\]"):
        load_document(values)


@pytest.mark.law
@pytest.mark.parametrize("file", NAMED_AND_RANDOM)
def test_of_what_a_cluster_would_show_of_it_each_job_is_made_again(file: str) -> None:
    for case in cases(file):
        for outcome in case["flink"]:
            graph = outcome.get("job_graph")
            # Where the scheduler is to decide a parallelism, no cluster tells an undecided one.
            if graph is None or any(vertex["parallelism"] < 0 for vertex in graph["vertices"]):
                continue
            made = compile_program(load_document(answered(graph)), outcome["versions"][0]).job_graph
            assert {(one.id, one.name, one.parallelism) for one in made.vertices} == {
                (one["id"], one["name"], one["parallelism"]) for one in graph["vertices"]
            }
            ends = ("source", "target", "ship_strategy", "result_type")
            ours = Counter(tuple(getattr(edge, end) for end in ends) for edge in made.edges)
            assert ours == Counter(tuple(edge[end] for end in ends) for edge in graph["edges"])


def plan_of(description: str) -> dict[str, Any]:
    node = {"id": "a" * 32, "parallelism": 1, "description": description}
    return {"jid": "b" * 32, "name": "job", "nodes": [node]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "description",
    [
        "Source: a" + " -> m" * 900_000,
        "Source: a -> (" + ", ".join("m" * 900_000) + ")",
        "Source: a<br/>" + "+- m<br/>" * 500_000,
    ],
    ids=["a line", "siblings", "a tree"],
)
def test_operators_of_a_text_are_counted_before_they_are_made(description: str) -> None:
    content = json.dumps(plan_of(description)).encode()
    assert len(content) < MAX_BYTES
    tracemalloc.start()
    try:
        with pytest.raises(DocumentError, match="name more than 20,000 operators"):
            parse_document(content, name="plan.json")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 16 * len(content)


@pytest.mark.slow
@pytest.mark.parametrize("beyond", [0, 1])
def test_a_text_may_name_as_many_operators_as_a_document_has(beyond: int) -> None:
    description = "Source: a" + " -> m" * (MAX_TRANSFORMATIONS - 1 + beyond)
    content = json.dumps(plan_of(description)).encode()
    if beyond:
        with pytest.raises(DocumentError, match="name more than 20,000 operators"):
            parse_document(content, name="plan.json")
    else:
        assert parse_document(content, name="plan.json").parts == MAX_TRANSFORMATIONS


@pytest.mark.parametrize("kind", ["plan", "stream graph"])
def test_nodes_are_counted_before_they_are_made(kind: str) -> None:
    nodes = [{"no": "node"}] * (MAX_TRANSFORMATIONS + 1)
    values = {"nodes": nodes} if kind == "plan" else {"stream_graph": {"nodes": nodes}}
    with pytest.raises(DocumentError, match="20,001 nodes are too many"):
        parse_document(json.dumps(values).encode(), name="graph.json")
