"""Edits of all operators at once."""

from explorer import compile_graph, edits
from explorer.documents import check_pipeline
from tests.edits.pipelines import pipeline

LINE = pipeline(
    {"id": "a", "type": "source"},
    {"id": "m", "type": "map", "inputs": ["a"], "uid": "m", "parallelism": 3},
    {"id": "k", "type": "key_by", "inputs": ["m"]},
    {"id": "r", "type": "reduce", "inputs": ["k"]},
    {"id": "z", "type": "sink", "inputs": ["r"]},
)


def test_all_run_with_as_many_subtasks() -> None:
    fixed = pipeline(
        {"id": "a", "type": "legacy_source", "parallel": False, "parallelism": 1},
        {"id": "m", "type": "map", "inputs": ["a"], "parallelism": 3},
        {"id": "z", "type": "sink", "inputs": ["m"]},
    )
    graph = compile_graph(edits.set_parallelism_of_all(fixed, 5)).stream_graph

    assert [node.parallelism for node in graph.nodes] == [1, 5, 5]


def test_uids_are_given_where_there_are_none_and_are_all_different() -> None:
    taken = edits.set_field(LINE, "a", "uid", "r")
    after = edits.give_uids(taken, ["r", "m", "z"])

    check_pipeline(after)
    uids = {one.id: one.uid for one in after.transformations if one.uid}
    assert uids == {"a": "r", "m": "m", "r": "r-2", "z": "z"}


def test_the_parallelism_of_all_is_the_jobs() -> None:
    after = edits.set_parallelism_of_all(LINE, 5)

    assert after.environment.parallelism == 5
    assert {one.parallelism for one in after.transformations} == {None}


def test_a_transformation_that_is_not_named_gets_no_uid() -> None:
    assert edits.give_uids(LINE, []) == LINE
    assert edits.give_uids(LINE, ["a", "nobody"]).transformation("z").uid is None


def test_uids_that_were_given_just_now_are_in_use() -> None:
    two = edits.set_field(LINE, "m", "uid", "z")

    uids = [one.uid for one in edits.give_uids(two, ["z", "r"]).transformations]
    assert uids == [None, "z", None, "r", "z-2"]
