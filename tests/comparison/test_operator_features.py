"""Features of operators: what identifies one without a uid, and how alike two are."""

from typing import Any

from explorer import compile_graph
from explorer.comparison.operator_features import (
    Features,
    operator_features,
    same_kind,
    same_state,
    similarity,
)
from tests.comparison.captured_programs import AGGREGATIONS, captured, chain, kinds
from tests.comparison.small_jobs import COUNT, changed, program
from tests.golden_files import cases
from tests.many_cases import for_each

STEPS = chain("in:legacy_source", "m:map", "sum:reduce", "max:reduce", "out:sink")


def features(values: dict[str, Any]) -> dict[str, Features]:
    """Map transformations, or names, to the features of the operators."""
    done = compile_graph(values)
    found = operator_features(done)
    return {node.handle: found[node.id] for node in done.stream_graph.nodes}


def pair(**now: Any) -> tuple[Features, Features]:
    """An operator of a captured program, and the same with other features."""
    one = features(captured(STEPS, kinds("m")))["Map"]
    return one, one._replace(**now)


def test_a_declared_operator_has_the_type_of_its_transformation() -> None:
    found = features(program(changed("count", uid="u", name="total")))

    assert (found["count"].kind, found["count"].typed) == ("reduce", True)
    assert (found["count"].role, found["lines"].role) == ("operator of 1 inputs", "source")
    assert (found["count"].certainty, found["count"].held) == ("known", "keyed state")
    assert (found["count"].name, found["count"].uid) == ("total", "u")
    assert (found["count"].rare_name, found["words"].rare_name) == (True, False)
    assert len(found["count"].keys) == 1
    assert found["words"].keys == ()


def test_a_name_of_two_operators_is_not_rare() -> None:
    twice = [one | ({"name": "same"} if one["id"] in {"words", "count"} else {}) for one in COUNT]

    found = features(program(twice))

    assert [one.rare_name for one in found.values()] == [False] * 4


def test_a_captured_operator_has_its_class_and_its_function() -> None:
    found = features(captured(STEPS, {**AGGREGATIONS, "m": "Job$$Lambda$14"}))

    assert found["Map"].kind == "StreamMap"
    assert not found["Map"].typed
    assert (found["Map"].function, found["Map"].enclosing) == (None, "Job")
    assert (found["Map"].own_function, found["Keyed Aggregation"].own_function) == (None, None)
    assert found["Keyed Aggregation"].function is not None
    own = features(captured(STEPS, kinds("m")))["Map"]
    assert own.own_function == own.function == "Job$M"


def test_the_number_of_a_plan_node_is_no_part_of_a_sql_operators_name() -> None:
    one = next(each for each in cases("sql_upgrades") if each["name"] == "same")
    found = features(one["documents"][0])

    assert {one.name for one in found.values()} >= {"GroupAggregate"}
    assert not [one.name for one in found.values() if one.name.endswith("]")]


@for_each(
    ("now", "same"),
    [
        ({}, True),
        ({"role": "source"}, False),
        ({"function": "Job$Other"}, False),
        ({"function": None}, True),
        ({"kind": "StreamFilter"}, False),
        ({"kind": "map", "typed": True}, True),
        ({"kind": None, "name": "Other"}, True),
        ({"kind": None, "name": "Other", "id": "0" * 32}, False),
    ],
)
def test_one_kind_has_the_same_class_inputs_and_function(now: dict[str, Any], same: bool) -> None:  # noqa: FBT001
    one, other = pair(**now)

    assert same_kind(one, other) is same_kind(other, one) is same


def test_state_that_is_possible_may_be_any() -> None:
    known, other = pair(certainty="known", held="keyed state")

    assert known.certainty == "possible"
    assert same_state(known, other)
    assert not same_state(other, other._replace(held="read position"))
    assert not same_state(other, other._replace(certainty="none", held="no state"))


@for_each(
    ("now", "less"),
    [
        ({"enclosing": "Other"}, True),
        ({"types": ((), "INT")}, False),
        ({"uid": "x"}, False),
        ({"keys": ("0 HASH k",)}, True),
        ({"name": "Renamed"}, True),
        ({"description": "x"}, False),
    ],
)
def test_a_feature_counts_where_both_know_it(now: dict[str, Any], less: bool) -> None:  # noqa: FBT001
    one, other = pair(**now)
    one, other = (each._replace(enclosing=each.enclosing or "Job") for each in (one, other))

    same, found = similarity(one, one), similarity(one, other)

    assert same is not None
    assert found is not None
    assert (found < same) is less


def test_operators_of_other_kinds_are_not_alike() -> None:
    one, other = pair(role="source")

    assert similarity(one, other) is None


def test_a_function_of_the_program_weighs_more_than_one_of_flink() -> None:
    one, _ = pair()
    flinks = one._replace(function="org.apache.flink.Function")

    own_score, flinks_score = similarity(one, one), similarity(flinks, flinks)

    assert own_score is not None
    assert flinks_score is not None
    assert own_score > flinks_score
