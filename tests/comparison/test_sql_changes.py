"""Plans of SQL statements, operator by operator: the same query block, or its changes."""

from functools import cache
from typing import Any

from msgspec.structs import replace

from explorer.comparison.sql_changes import SqlChange, SqlPlans, compare_nodes, sql_plans, ttl_text
from explorer.documents import load_document
from explorer.flink.sql_operators import sql_state
from explorer.model.sql_plan import SqlPlan
from tests.golden_files import cases
from tests.many_cases import for_each


@cache
def upgrades() -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in cases("sql_upgrades") if one["flink"] == "2.2.1"}


def plans(name: str) -> SqlPlans:
    found = sql_plans(*(load_document(one) for one in upgrades()[name]["documents"]))
    assert found is not None
    return found


def stateful(plan: SqlPlan) -> list[int]:
    return [at for at, node in enumerate(plan.nodes) if sql_state(node) is not None]


def changed(name: str) -> SqlChange:
    """The change of the first stateful node of either plan."""
    found = plans(name)
    old, new = found.old_plan, found.new_plan
    before, after = (plan.nodes[stateful(plan)[0]] for plan in (old, new))
    return compare_nodes(old, before, new, after)


@for_each(
    ("name", "reasons", "other_meaning"),
    [
        ("same", (), False),
        ("filter after", (), False),
        ("aggregate added", ("1 aggregate more: MAX(price)",), True),
        ("group key", None, True),
        ("join kind", ("joinType is LeftOuterJoin, which was InnerJoin",), True),
        ("ttl", ("the TTL of groupAggregateState is 1 h, which was none",), False),
    ],
)
def test_a_changed_query_block_has_its_reasons(
    name: str,
    reasons: tuple[str, ...] | None,
    other_meaning: bool,  # noqa: FBT001
) -> None:
    found = changed(name)

    assert found.reasons == reasons if reasons is not None else found.reasons
    assert found.is_same is (reasons == ())
    assert found.other_meaning is other_meaning
    assert found.sentence == (
        "Same query block: its state can be reused"
        if reasons == ()
        else f"Changed query block: {'; '.join(found.reasons)}"
    )


def test_a_column_of_an_input_is_named_with_its_input() -> None:
    assert "the column price INT of input 1 is new" in changed("join column").reasons


def test_a_node_that_appeared_upstream_moves_ids() -> None:
    found = changed("calc appears")

    assert found.is_same
    assert found.moved_sentence == "Upstream, Calc[2] appeared"
    assert changed("same").moved_sentence == ""


def test_an_operator_without_a_partner_has_the_changes_of_the_whole_plan() -> None:
    found = plans("mini-batch")
    (old,) = [id for id, node in found.old.items() if node.type == "stream-exec-group-aggregate"]

    gone = found.change(old, None)

    assert gone is not None
    assert gone.sentence == "No operator of the new plan is known to have this query block"
    assert gone.moved == found.appeared
    assert gone.moved_sentence.startswith("In the plan, GroupAggregate[5] is gone, ")


def test_attributes_on_which_no_state_depends_are_not_compared() -> None:
    found = plans("join kind")
    node = found.old_plan.nodes[stateful(found.old_plan)[0]]
    renamed = replace(node, description=f"{node.description[:-1]}, table=[t], fields=[x, y])")

    same = compare_nodes(found.old_plan, node, found.old_plan, renamed)
    other = compare_nodes(found.old_plan, node, found.old_plan, replace(node, version=9))

    assert same.is_same
    assert other.reasons == (f"version 9 of Join, which was version {node.version}",)


def test_operators_without_state_have_no_change() -> None:
    found = plans("same")
    stateless = [id for id, node in found.old.items() if sql_state(node) is None]

    assert stateless
    assert [found.change(id, None) for id in stateless] == [None] * len(stateless)
    assert found.change(None, None) is None


def test_documents_without_a_plan_are_not_compared() -> None:
    one = upgrades()["same"]["documents"][0]
    bare = load_document({**one, "sql_plan": None})

    assert sql_plans(bare, load_document(one)) is None
    assert sql_plans(None, load_document(one)) is None


@for_each(
    ("milliseconds", "words"),
    [
        (0, "none"),
        (999, "999 ms"),
        (172_800_000, "2 d"),
        (120_000, "2 min"),
        (1_001_000, "1,001 s"),
    ],
)
def test_a_ttl_is_written_in_its_largest_whole_unit(milliseconds: int, words: str) -> None:
    assert ttl_text(milliseconds) == words
