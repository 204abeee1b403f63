"""Names in what a document expects and silences."""

from typing import Any

from explorer.documents import as_document
from explorer.documents.checks.expectations import (
    Names,
    check_expectations,
    names_of_graph,
    names_of_pipeline,
)
from explorer.errors import DocumentError
from explorer.flink.compiler import compile_program
from explorer.model.pipeline import CheckSettings, Expectations
from tests.many_cases import for_each
from tests.plans.plans import COUNT, program

NAMES = Names({"a", "b", "c"}, {"by"})


def problem(check: CheckSettings | None = None, **expect: Any) -> str:
    try:
        check_expectations(Expectations(**expect), check or CheckSettings(), NAMES)
    except DocumentError as error:
        return str(error)
    return ""


def test_names_of_a_pipeline_are_its_ids() -> None:
    pipeline = as_document(program(COUNT)).pipeline
    assert pipeline is not None

    names = names_of_pipeline(pipeline)
    assert (set(names.operators), set(names.without)) == (
        {"lines", "words", "count", "out"},
        {"by"},
    )


def test_an_operator_of_a_graph_has_several_names() -> None:
    nodes = compile_program(as_document(program(COUNT))).stream_graph.nodes

    assert {"1", "Source: Custom Source", "Custom Source", "lines", "count"} <= set(
        names_of_graph(nodes).operators
    )


@for_each(
    ("expect", "says"),
    [
        ({"chained": (("a", "b"),), "tasks": 1, "ids": {"a": "0" * 32}}, ""),
        ({"chained": (("a", "x"),)}, "expect.chained[0][1]: there is no operator 'x'"),
        ({"apart": (("a", "by"),)}, "'by' has no operator of its own; name the one before or"),
        ({"ids": {"a": "0"}}, "expect.ids.a: an operator ID is 32 hex digits, not '0'"),
        ({"tasks": 0}, "expect.tasks: must be at least 1"),
        ({"chained": (("a", "a"),)}, "expect.chained[0]: names 'a' twice; name two operators"),
        (
            {"chained": (("a", "b"),), "apart": (("b", "a"),)},
            "expect.apart[0]: names the same two operators as expect.chained[0]",
        ),
    ],
)
def test_an_impossible_expectation_is_refused(expect: dict[str, Any], says: str) -> None:
    found = problem(**expect)

    assert says in found
    assert bool(found) == bool(says)


def test_a_silenced_finding_has_a_reason_and_an_operator() -> None:
    assert problem(CheckSettings(silenced={"ST01": {"a": "why"}, "ST02": "all"})) == ""
    assert "must say why" in problem(CheckSettings(silenced={"ST01": {"a": " "}}))
    assert "check.silenced.ST01.x: there is no operator 'x'" in problem(
        CheckSettings(silenced={"ST01": {"x": "why"}})
    )
