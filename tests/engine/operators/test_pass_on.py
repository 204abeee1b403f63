"""Rows pass operators without a function in the document."""

from tests.engine.operators.few_rows import VALUES, report, rows
from tests.many_cases import for_each


@for_each("type_", ["map", "filter", "process", "flat_map"])
def test_rows_pass_unchanged(type_: str) -> None:
    assert rows({"type": type_}) == [tuple(row) for row in VALUES]


def test_figures_of_an_operator_that_passes_rows_on() -> None:
    operators = {
        one.name: one
        for vertex in report({"type": "map", "name": "same"}).vertices
        for one in vertex.operators
    }

    assert (operators["same"].records_in, operators["same"].records_out) == (3, 3)
