"""The plan of SQL statements is read, checked and written with its document."""

from typing import Any

import msgspec
import pytest

from explorer.documents import document_values, load_document
from explorer.documents.checks.sql_plans import MAX_STATEMENT
from explorer.errors import DocumentError
from explorer.locations import sample_folder
from explorer.model.document import StreamGraphDocument
from explorer.model.sql_plan import ExecNode
from tests.many_cases import for_each


def sample() -> dict[str, Any]:
    values: dict[str, Any] = msgspec.json.decode(
        (sample_folder() / "15-hourly-delays.json").read_bytes()
    )
    return values


def test_a_documents_plan_makes_the_round_trip() -> None:
    document = load_document(sample())
    assert isinstance(document, StreamGraphDocument)
    assert document.sql_plan is not None

    assert load_document(document_values(document)) == document
    assert [node.changelog for node in document.sql_plan.nodes[:2]] == ["insert-only"] * 2


@for_each(
    ("field", "value", "sentence"),
    [
        ("inputs", [99], "sql_plan.nodes[1].inputs: there is no node 99"),
        ("id", 1, "sql_plan.nodes[1].id: 1 is the ID of nodes[0] already"),
        ("statements", [1], "sql_plan.nodes[1].statements: must be positions below 1"),
        (
            "description",
            "x" * (MAX_STATEMENT + 1),
            "sql_plan.nodes[1].description: must have 100,000 characters at most",
        ),
    ],
)
def test_a_faulty_plan_is_refused(field: str, value: object, sentence: str) -> None:
    values = sample()
    values["sql_plan"]["nodes"][1][field] = value
    with pytest.raises(DocumentError) as raised:
        load_document(values)

    assert str(raised.value) == sentence


def test_a_changelog_mode_is_named_by_its_row_kinds() -> None:
    kinds = [("INSERT",), ("INSERT", "UPDATE_AFTER"), ("INSERT", "UPDATE_BEFORE", "UPDATE_AFTER")]
    nodes = [ExecNode(id=1, type="", description="", row_kinds=one) for one in kinds]  # type: ignore[arg-type]

    assert [node.changelog for node in nodes] == ["insert-only", "upsert", "retract"]
    assert ExecNode(id=1, type="", description="").changelog is None
