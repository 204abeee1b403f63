"""Nodes of a SQL plan: the changelog mode of their outgoing edges."""

from explorer.documents import load_document
from explorer.model.document import StreamGraphDocument
from explorer.model.sql_plan import Changelog, ExecNode, RowKind
from tests.golden_files import cases
from tests.many_cases import for_each


@for_each(
    ("kinds", "mode"),
    [
        (None, None),
        (("INSERT",), "insert-only"),
        ((), "insert-only"),
        (("INSERT", "UPDATE_AFTER"), "upsert"),
        (("INSERT", "DELETE"), "upsert"),
        (("INSERT", "UPDATE_BEFORE", "UPDATE_AFTER", "DELETE"), "retract"),
    ],
)
def test_the_kinds_of_change_determine_the_changelog_mode(
    kinds: tuple[RowKind, ...] | None, mode: Changelog | None
) -> None:
    node = ExecNode(id=1, type="stream-exec-calc", description="Calc()", row_kinds=kinds)

    assert node.changelog == mode


def test_an_aggregate_of_a_captured_script_emits_updates() -> None:
    one = next(each for each in cases("sql_upgrades") if each["name"] == "same")
    document = load_document(one["documents"][0])
    assert isinstance(document, StreamGraphDocument)
    assert document.sql_plan is not None

    modes = {node.type: node.changelog for node in document.sql_plan.nodes}

    assert modes["stream-exec-table-source-scan"] == "insert-only"
    assert modes["stream-exec-group-aggregate"] in {"upsert", "retract"}
