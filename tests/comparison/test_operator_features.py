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


def bare(**known: Any) -> Features:
    """An operator of which nothing is known that a program may leave unknown, but for this."""
    unknown = dict.fromkeys(("function", "enclosing", "description", "uid"))
    return pair(**unknown, types=((), None))[1]._replace(**known)


@for_each(
    ("field", "unknown", "known", "other"),
    [
        ("enclosing", None, "Job", "Other"),
        ("description", None, "d", "e"),
        ("types", ((), None), (("INT",), None), (("LONG",), None)),
        ("types", ((), None), ((), "INT"), ((), "LONG")),
        ("uid", None, "u", "v"),
        ("keys", (), ("0 HASH k",), ("0 HASH n",)),
        ("name", "none", "some", "other"),
    ],
)
@for_each("rare", [True, False])
def test_a_feature_counts_where_both_know_it(
    field: str,
    unknown: object,
    known: object,
    other: object,
    rare: bool,  # noqa: FBT001
) -> None:
    one, different, left_open = (
        bare(rare_name=rare, **{field: value}) for value in (known, other, unknown)
    )

    equal_score, different_score = similarity(one, one) or 0, similarity(one, different) or 0

    assert equal_score > different_score
    if field not in {"keys", "name"}:
        open_score = similarity(left_open, left_open) or 0
        assert similarity(one, left_open) == similarity(left_open, one) == open_score
        assert equal_score > open_score >= different_score


def test_a_name_weighs_more_where_it_is_rare_in_both_programs() -> None:
    def score(one: Features, other: Features) -> int:
        return similarity(one, other) or 0

    rare, common = bare(name="some", rare_name=True), bare(name="some", rare_name=False)
    rare_other, common_other = (one._replace(name="other") for one in (rare, common))

    assert score(rare, rare) > score(rare, common) == score(common, common)
    assert score(rare, rare_other) < score(rare, common_other) < score(common, common)


def test_operators_that_differ_in_more_than_they_share_are_not_alike() -> None:
    one = bare(name="some", rare_name=True, enclosing="Job", uid="u")
    renamed = one._replace(name="other")

    assert similarity(one, renamed._replace(uid=None, enclosing="Other")) == 1
    assert similarity(one, renamed._replace(uid="v", enclosing=None)) is None


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
