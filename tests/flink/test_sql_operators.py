"""SQL operators by kind of plan node: their state, their descriptions, and their plan nodes."""

from functools import cache
from typing import Any

from msgspec.structs import replace

from explorer.documents import load_document
from explorer.flink.sql_operators import (
    SQL_OPERATORS,
    exec_node_id,
    has_counted_uids,
    is_planned_name,
    materializes_upserts,
    mini_batches,
    operators_of_nodes,
    plan_attributes,
    split_list,
    sql_state,
    stateful_sql_names,
)
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import NodeId, StreamNode
from tests.golden_files import cases
from tests.many_cases import for_each


@cache
def upgrades() -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in cases("sql_upgrades") if one["flink"] == "2.2.1"}


def script(name: str, side: int) -> StreamGraphDocument:
    document = load_document(upgrades()[name]["documents"][side])
    assert isinstance(document, StreamGraphDocument)
    return document


def named(name: str, description: str | None = None) -> StreamNode:
    return StreamNode(id=NodeId(1), name=name, parallelism=1, description=description)


@for_each(
    ("name", "id"),
    [
        ("GroupAggregate[5]", 5),
        ("totals[4]: Writer", 4),
        ("totals[4]: Global Committer", 4),
        ("[7]:Calc(select=[a])", 7),
        ("Map", None),
        ("a[5] b", None),
    ],
)
def test_the_plan_node_of_an_operator_stands_in_its_name(name: str, id: int | None) -> None:
    assert exec_node_id(named(name)) == id
    assert exec_node_id(named("Map", name)) == id


def test_every_planned_operator_is_found_with_its_node() -> None:
    document = script("join kind", 0)
    assert document.sql_plan is not None

    found = operators_of_nodes(document.sql_plan, document.stream_graph)

    joins = [node.type for node in found.values() if sql_state(node) is not None]
    assert joins == ["stream-exec-join"]
    names = {document.stream_graph.by_id[id].name for id in found}
    assert all(exec_node_id(named(name)) for name in names)


def test_a_sink_has_state_where_it_materializes_upserts() -> None:
    kept, none = script("upsert sink", 1), script("upsert sink", 0)
    assert kept.sql_plan is not None
    assert none.sql_plan is not None

    sinks = [
        next(node for node in plan.nodes if node.type == "stream-exec-sink")
        for plan in (kept.sql_plan, none.sql_plan)
    ]

    assert [materializes_upserts(sink) for sink in sinks] == [True, False]
    assert [sql_state(sink) is not None for sink in sinks] == [True, False]


def test_mini_batches_have_an_assigner_in_the_plan() -> None:
    before, after = script("mini-batch", 0), script("mini-batch", 1)
    assert before.sql_plan is not None
    assert after.sql_plan is not None

    assert (mini_batches(before.sql_plan), mini_batches(after.sql_plan)) == (False, True)


def test_uids_are_counted_unless_the_plan_is_compiled() -> None:
    counted = script("uids", 0)
    assert counted.sql_plan is not None
    compiled = replace(counted, sql_plan=replace(counted.sql_plan, compiled=True))

    assert has_counted_uids(counted)
    assert not has_counted_uids(compiled)
    assert not has_counted_uids(script("same", 0))
    assert not has_counted_uids(None)


@for_each(
    ("name", "planned"),
    [
        ("GroupAggregate[5]", True),
        ("GroupAggregate(groupBy=[a])", True),
        ("SinkMaterializer[7]", True),
        ("GroupAggregate", False),
        ("My GroupAggregate[5]", False),
        ("Calc[3]", False),
    ],
)
def test_operators_with_state_are_known_by_the_planners_names(name: str, planned: bool) -> None:  # noqa: FBT001
    assert is_planned_name(name) is planned


def test_names_of_stateful_operators_are_in_the_graphs_order() -> None:
    assert stateful_sql_names(script("join kind", 0).stream_graph) == ("Join[7]",)
    assert all(row.contents for row in SQL_OPERATORS.values())


@for_each(
    ("text", "attributes"),
    [
        ("Calc(select=[a, b], where=[(a > f(b))])", {"select": "a, b", "where": "(a > f(b))"}),
        (
            "Join(joinType=InnerJoin, where=[a = ')'])",
            {"joinType": "InnerJoin", "where": "a = ')'"},
        ),
        ("Sink(table=[c.d.t], fields=[x])", {"table": "c.d.t", "fields": "x"}),
        ("Exchange()", {}),
        ("Values", {}),
    ],
)
def test_attributes_of_a_description_may_hold_brackets_and_quotes(
    text: str, attributes: dict[str, str]
) -> None:
    assert plan_attributes(text) == attributes


def test_a_list_is_split_at_the_commas_outside_brackets() -> None:
    assert split_list("a, COUNT(b, c) AS n, 'x,y'") == ("a", "COUNT(b, c) AS n", "'x,y'")
    assert split_list("") == ()
