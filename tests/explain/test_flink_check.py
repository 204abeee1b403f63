"""A captured program's JobGraph is compared with Flink's own, member by member."""

import copy
from typing import Any

import msgspec
import pytest

from explorer.documents import document_values, load_document, parse_document
from explorer.edits import set_node_field
from explorer.explain.flink_check import check_against_flink
from explorer.flink.compiler import compile_program
from explorer.model.document import StreamGraphDocument
from tests.golden_files import as_printed, cases


def captured() -> dict[str, Any]:
    """A captured program with more than one vertex, an operator chained, and an edge."""
    return next(
        plan
        for plan in cases("sql_plans")
        if plan["flink"] == "1.20" and len(plan["flink_job_graph"]["vertices"]) > 2
    )


def differences(values: dict[str, Any]) -> tuple[str, ...]:
    document = load_document(values)
    check = check_against_flink(compile_program(document), document)
    assert check is not None
    return check.differences


def test_a_captured_program_is_equal_and_reported_as_equal() -> None:
    document = load_document(captured())
    check = check_against_flink(compile_program(document), document)

    assert check is not None
    assert check.equal
    assert check.sentence == "equal to what your Flink 1.20 makes of this program"


@pytest.mark.parametrize("kind", ["vertices", "edges", "operators"])
def test_every_member_that_flink_prints_is_compared(kind: str) -> None:
    plan = captured()
    graph = plan["flink_job_graph"]
    items = {
        "vertices": graph["vertices"],
        "edges": graph["edges"],
        "operators": graph["vertices"][0]["operators"],
    }
    for name, value in items[kind][0].items():
        if name in {"operators", "node"}:
            continue
        changed = copy.deepcopy(plan)
        where = changed["flink_job_graph"]
        target = where["vertices"][0]["operators"] if kind == "operators" else where[kind]
        target[0][name] = other(name, value)
        found = differences(changed)
        assert len(found) == 1, name
        assert f"{name} is " in found[0]


def other(name: str, value: Any) -> Any:
    """Another value of the same type."""
    if value is None:
        return {"cpu": 1.0, "heap_mb": 1} if name == "min_resources" else "something"
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return [*value, value[0]] if isinstance(value, list) and value else f"{value}?"


def test_vertices_that_are_missing_are_counted() -> None:
    plan = captured()
    made = len(plan["flink_job_graph"]["vertices"])
    del plan["flink_job_graph"]["vertices"][0]

    assert differences(plan)[0] == f"Flink makes {made - 1} tasks, and here are {made}"


def test_only_the_release_that_captured_it_is_compared() -> None:
    document = load_document(captured())

    assert check_against_flink(compile_program(document, "2.2"), document) is None


def test_a_program_that_was_changed_is_not_compared() -> None:
    document = load_document(captured())
    assert isinstance(document, StreamGraphDocument)
    first = document.stream_graph.nodes[0].id
    changed = set_node_field(document, first, "uid", "changed")

    assert check_against_flink(compile_program(changed), changed) is None


def test_flinks_word_survives_a_round_trip() -> None:
    plan = captured() | {"options": {"parallelism.default": "4"}}
    document = load_document(plan)
    again = parse_document(msgspec.json.encode(document_values(document)), name="again.json")

    assert again == document
    written = as_printed(document_values(again))
    assert written["options"] == {"parallelism.default": "4"}
    assert written["flink_job_graph"] == plan["flink_job_graph"]
