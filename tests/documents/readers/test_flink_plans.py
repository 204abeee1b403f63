"""Flink's own plan, uploaded: the graph is Flink's, and what the plan lacks is assumed openly."""

import json
from typing import Any

import pytest

from explorer import compile_graph
from explorer.documents import StreamGraphDocument, dump_json, load_document, parse_document
from explorer.errors import DocumentError
from tests.golden_files import cases
from tests.many_cases import for_each

WORDS = "No description provided."


def plans() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """The plans that Flink 1.20 printed, with their pipelines' outcomes."""
    return [
        (case["name"], case["pipeline"], outcome)
        for case in cases("classics")
        for outcome in case["flink"]
        if "1.20" in outcome["versions"] and "execution_plan" in outcome
    ]


def test_a_plan_gives_back_its_nodes_and_ship_strategies() -> None:
    for name, _, outcome in plans():
        plan = outcome["execution_plan"]
        again = compile_graph(plan, "1.20").to_dict()["execution_plan"]

        assert again == plan, name


def test_a_plan_that_is_saved_and_opened_again_is_the_same_graph() -> None:
    for name, _, outcome in plans():
        opened = load_document(outcome["execution_plan"])
        again = parse_document(dump_json(opened).encode(), name="saved.json")
        assert isinstance(opened, StreamGraphDocument)
        assert isinstance(again, StreamGraphDocument)

        assert again.stream_graph.edges == opened.stream_graph.edges, name
        assert again.stream_graph.in_edges == opened.stream_graph.in_edges, name
        assert again.stream_graph.out_edges == opened.stream_graph.out_edges, name
        assert compile_graph(again, "1.20").to_dict() == compile_graph(opened, "1.20").to_dict()


def plain(pipeline: dict[str, Any]) -> bool:
    """Whether a pipeline says nothing that a plan leaves out."""
    unseen = {
        "uid",
        "chaining_strategy",
        "slot_sharing_group",
        "max_parallelism",
        "buffer_timeout",
        "tag",
        "exchange_mode",
        "managed_memory_weight",
    }
    items = pipeline["transformations"]
    types = {item["type"] for item in items}
    return (
        not any(unseen & item.keys() for item in items)
        # A FLIP-27 source under the default name of a legacy one is read as one.
        and not any(item["type"] == "source" and item.get("name") is None for item in items)
        and set(pipeline["environment"]) == {"parallelism"}
        and "multiple_input" not in types
    )


def test_a_plain_jobs_plan_gives_flinks_own_ids_and_chains() -> None:
    compared = 0
    for name, pipeline, outcome in plans():
        if plain(pipeline):
            done = compile_graph(outcome["execution_plan"], "1.20").to_dict()
            compared += 1

            assert done["hashes"] == outcome["hashes"], name
            assert [one["name"] for one in done["job_graph"]["vertices"]] == [
                one["name"] for one in outcome["job_graph"]["vertices"]
            ], name
    assert compared > 15


def test_missing_parts_of_a_plan_are_reported() -> None:
    plan = next(outcome for name, _, outcome in plans() if name == "word-count")["execution_plan"]
    document = load_document(plan)
    assert isinstance(document, StreamGraphDocument)

    assert [sentence.split(":")[0] for sentence in document.warnings] == [
        "The plan names no uids",
        "The plan names no chaining strategies",
        "The plan names no slot sharing groups and no maximum parallelism",
        "The plan names no buffer timeout and no runtime mode",
        "The plan does not mark legacy sources",
    ]


def node(id: int, *inputs: int, **fields: Any) -> dict[str, Any]:
    predecessors = [{"id": one, "ship_strategy": "FORWARD", "side": "second"} for one in inputs]
    pact = "Operator" if inputs else "Data Source"
    members = {"id": id, "type": f"n{id}", "pact": pact, "contents": f"n{id}", "parallelism": 1}
    return {**members, **({"predecessors": predecessors} if inputs else {}), **fields}


def test_two_inputs_of_a_connect_and_of_a_union_are_distinguished_by_the_name() -> None:
    document = load_document(
        {"nodes": [node(1), node(2), node(3, 1, 2, type="Co-Map"), node(4, 1, 3)]}
    )
    assert isinstance(document, StreamGraphDocument)

    assert [edge.type_number for edge in document.stream_graph.edges] == [1, 2, 0, 0]
    assert "'n4' read several streams" in document.warnings[-1]


def shipped(ship_strategy: str) -> StreamGraphDocument:
    other = node(2, predecessors=[{"id": 1, "ship_strategy": ship_strategy, "side": "second"}])
    document = load_document({"nodes": [node(1), other]})
    assert isinstance(document, StreamGraphDocument)
    return document


def test_a_hash_that_sql_prints_is_a_hash_with_its_fields() -> None:
    (edge,) = shipped("HASH[a, b]").stream_graph.edges

    assert (edge.partitioner, edge.partitioner_class) == ("HASH[a, b]", "BinaryHashPartitioner")


def test_a_ship_strategy_of_the_programs_own_is_accepted_with_a_warning() -> None:
    document = shipped("X")
    (edge,) = compile_graph(document).to_dict()["job_graph"]["edges"]

    assert (edge["ship_strategy"], edge["distribution_pattern"]) == ("X", "ALL_TO_ALL")
    assert document.warnings[-1] == (
        "nodes[1].predecessors[0].ship_strategy: no partitioner of Flink's prints 'X'; it is "
        "treated as the program's own, which reaches every consumer"
    )


@for_each(
    ("plan", "path", "says"),
    [
        ({"nodes": [node(1), node(1)]}, "nodes[1].id", "already"),
        ({"nodes": [node(2, 7)]}, "nodes[0].predecessors[0].id", "no node 7"),
        ({"nodes": [node(1, 2), node(2, 1)]}, "nodes", "cycle"),
        ({"nodes": [node(1, parallelism=0)]}, "nodes[0].parallelism", "32768"),
        ({"nodes": [{"id": 1}]}, "nodes[0].type", "is missing"),
        (
            {"nodes": [node(1), node(2, predecessors=[{"id": 1, "ship_strategy": "X" * 10_201}])]},
            "nodes[1].predecessors[0].ship_strategy",
            "10,201 characters",
        ),
        ({"nodes": {}}, "nodes", "must be a list"),
    ],
)
def test_a_broken_plan_is_one_sentence_with_its_path(
    plan: dict[str, Any], path: str, says: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        load_document(plan)

    assert caught.value.path == path
    assert says in caught.value.problem


def test_a_plan_is_read_from_the_output_of_flink_info() -> None:
    _, _, outcome = plans()[0]
    plan = outcome["execution_plan"]
    text = json.dumps(plan)
    rules = "-" * 23, "-" * 62
    printed = f"WARN log\n{rules[0]} Execution Plan {rules[0]}\n{text}\n{rules[1]}\n\n{WORDS}\n"

    assert parse_document(printed, name="info.txt") == parse_document(text)
    assert compile_graph(parse_document(printed), "1.20").to_dict()["execution_plan"] == plan
