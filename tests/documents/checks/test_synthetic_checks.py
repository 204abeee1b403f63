"""Values of a synthetic operator that cannot be."""

import math

from msgspec.structs import replace

from explorer.documents import as_document
from explorer.documents.checks.synthetic_checks import (
    MAX_COST,
    MAX_RATIO,
    MAX_RECORDS,
    synthetic_problems,
)
from explorer.flink.compiler import compile_program
from explorer.model.stream_graph import StreamGraph, Synthetic
from tests.many_cases import for_each
from tests.plans.plans import COUNT, program

GRAPH: StreamGraph = compile_program(as_document(program(COUNT))).stream_graph
SOURCE, WORDS = 0, 1


def problems(position: int, given: Synthetic, tag: str | None = None) -> list[tuple[str, str]]:
    """What is wrong with an operator of the count; ``tag``: of its edge, a side output."""
    nodes = [
        replace(node, synthetic=given if at == position else None)
        for at, node in enumerate(GRAPH.nodes)
    ]
    edges = [replace(edge, side_output=tag) for edge in GRAPH.edges]
    return [*synthetic_problems(nodes, edges)]


def test_operators_without_values_are_not_looked_at() -> None:
    assert [*synthetic_problems(GRAPH.nodes, GRAPH.edges)] == []


def test_a_source_sends_records_and_others_a_share_of_theirs() -> None:
    assert problems(SOURCE, Synthetic(records=MAX_RECORDS, cost=1.0)) == []
    assert problems(WORDS, Synthetic(records_out=2.5)) == []
    assert problems(SOURCE, Synthetic(records_out=1.0)) == [
        (
            "stream_graph.nodes[0].synthetic.records_out",
            "a source has no records in; give records, how many it sends",
        )
    ]
    ((path, problem),) = problems(WORDS, Synthetic(records=5))
    assert path == "stream_graph.nodes[1].synthetic.records"
    assert problem.startswith("only a source sends records of its own")


@for_each(
    ("given", "field"),
    [
        (Synthetic(records_out=MAX_RATIO + 1), "records_out"),
        (Synthetic(records_out=-0.1), "records_out"),
        (Synthetic(cost=MAX_COST + 1), "cost"),
        (Synthetic(cost=math.nan), "cost"),
    ],
)
def test_numbers_have_bounds(given: Synthetic, field: str) -> None:
    ((path, problem),) = problems(WORDS, given)

    assert path.endswith(f".synthetic.{field}")
    assert problem.startswith("must be 0 to ")


def test_a_side_output_is_one_that_an_edge_reads() -> None:
    given = Synthetic(side_outputs={"late": 0.5})

    assert problems(WORDS, given, "late") == []
    ((path, problem),) = problems(WORDS, given, "other")
    assert path.endswith(".side_outputs.late")
    assert problem == "no edge reads this side output of the operator; they are 'other'"
