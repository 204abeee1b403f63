"""Facts of a SQL plan."""

import pytest

from explorer import compile_graph
from explorer.documents import as_document, load_document
from explorer.drawing.view.sql_facts import SqlFacts, changelog_text, sql_facts
from explorer.locations import sample_folder
from explorer.model.document import StreamGraphDocument
from explorer.model.sql_plan import ExecNode
from tests.plans.plans import COUNT, program

DOCUMENT = load_document(sample_folder() / "15-hourly-delays.json")
assert isinstance(DOCUMENT, StreamGraphDocument)


@pytest.fixture(scope="module")
def facts() -> SqlFacts:
    found = sql_facts(DOCUMENT)
    assert found is not None
    return found


def test_a_document_without_a_plan_has_no_facts() -> None:
    assert sql_facts(as_document(program(COUNT))) is None


def test_an_operator_names_its_plan_node_and_its_state(facts: SqlFacts) -> None:
    names = [name for id in facts.nodes for name, _ in facts.operator(id)]

    assert {"plan node", "description", "state", "state key", "removed", "emits"} <= set(names)
    assert facts.operator(999) == ()


def test_an_edge_within_a_plan_node_has_no_facts(facts: SqlFacts) -> None:
    for edge in compile_graph(DOCUMENT).stream_graph.edges:
        start, end = (facts.nodes.get(node) for node in (edge.source, edge.target))
        found = dict(facts.edge(edge.source, edge.target))
        assert bool(found) == (
            start is not None
            and end is not None
            and start.id != end.id
            and start.row_kinds is not None
        )
    assert facts.edge(1, 999) == ()


def test_an_operator_belongs_to_the_statements_that_made_it(facts: SqlFacts) -> None:
    found = {one.text for id in facts.nodes for one in facts.statements_of(id)}

    assert found == {one.text for one in facts.plan.statements}
    assert facts.statements_of(999) == ()


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        (("INSERT",), "insert-only (+I)"),
        (("INSERT", "UPDATE_BEFORE", "UPDATE_AFTER", "DELETE"), "retract (+I, -U, +U, -D)"),
        (None, "unknown ()"),
    ],
)
def test_a_changelog_mode_has_its_signs(kinds: tuple[str, ...] | None, text: str) -> None:
    node = ExecNode(id=1, type="", description="", row_kinds=kinds)  # type: ignore[arg-type]

    assert changelog_text(node) == text
