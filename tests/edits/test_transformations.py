"""Edits of transformations and of the environment change what they were asked to change."""

from collections.abc import Callable

import pytest

from explorer import compile_graph, edits
from explorer.documents import check_pipeline, load_document
from explorer.edits.transformations import set_checkpointing
from explorer.errors import EditError, ExplorerError
from explorer.model.pipeline import Pipeline
from tests.edits.pipelines import pipeline, shared_partition, wiring

LINE = pipeline(
    {"id": "a", "type": "source"},
    {"id": "m", "type": "map", "inputs": ["a"], "uid": "m", "parallelism": 3},
    {"id": "k", "type": "key_by", "inputs": ["m"]},
    {"id": "r", "type": "reduce", "inputs": ["k"]},
    {"id": "z", "type": "sink", "inputs": ["r"]},
)


@pytest.fixture
def shared() -> Pipeline:
    return shared_partition()


def test_a_deleted_transformation_is_bridged(shared: Pipeline) -> None:
    changed = edits.delete_transformation(shared, "r")

    assert ("a", "x", "FORWARD") in wiring(changed)


def test_a_source_with_readers_cannot_be_deleted(shared: Pipeline) -> None:
    with pytest.raises(EditError, match="'a' cannot be deleted while 'r' read from it"):
        edits.delete_transformation(shared, "a")


def test_readers_follow_a_new_id(shared: Pipeline) -> None:
    changed = edits.rename(shared, "r", "spread")

    assert changed.transformation("x").inputs == ("spread",)
    assert changed.transformation("u").inputs == ("spread", "b")


def test_a_field_can_be_set_and_removed(shared: Pipeline) -> None:
    changed = edits.set_field(shared, "x", "parallelism", 3)

    assert changed.transformation("x").parallelism == 3
    assert edits.set_field(changed, "x", "parallelism", None) == shared


def test_a_wrong_value_is_one_sentence(shared: Pipeline) -> None:
    with pytest.raises(EditError, match=r"'x': parallelism: must be a whole number, but is "):
        edits.set_field(shared, "x", "parallelism", "many")


def test_an_unknown_transformation_is_named(shared: Pipeline) -> None:
    with pytest.raises(EditError, match="there is no transformation 'w'"):
        edits.set_field(shared, "w", "uid", "x")


Attempt = Callable[[], object]
HOSTILE = ["x" * 60_000, "a\nb", "a` - at `$.b", "`", "\x1b[31mred", "\u202eturned", "\ud800"]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_a_refusal_is_in_our_words_short_and_printable(shared: Pipeline, name: str) -> None:
    graph = {"stream_graph": {"nodes": [{"id": 1, "chaining_strategy": name}], "edges": []}}
    attempts: list[Attempt] = [
        lambda: edits.set_field(shared, "x", name, 1),
        lambda: edits.set_field(shared, name, "name", "y"),
        lambda: edits.set_environment(shared, name, 1),
        lambda: edits.add_transformation(shared, {"id": "y", "type": "map", name: 1}),
        lambda: edits.rename(shared, name, "y"),
        lambda: load_document({"transformations": [], name: 1}),
        lambda: load_document(graph),
        lambda: compile_graph(shared).explain(name),
    ]
    for attempt in attempts:
        with pytest.raises(ExplorerError) as error:
            attempt()

        sentence = str(error.value)
        assert len(sentence) < 4_200
        assert "Object contains" not in sentence
        assert sentence.isprintable()


def test_a_select_by_input_follows_an_input_that_is_renamed() -> None:
    loaded = pipeline(
        {"id": "a", "type": "source"},
        {"id": "m", "type": "multiple_input", "inputs": ["a"], "selects": {"a": {"n": "n"}}},
    )

    renamed = edits.rename(loaded, "a", "b")
    check_pipeline(renamed)
    assert renamed.transformation("m").selects == {"b": {"n": "n"}}


def test_a_field_of_the_environment_is_set_and_removed(shared: Pipeline) -> None:
    changed = edits.set_environment(shared, "parallelism", 7)

    assert changed.environment.parallelism == 7
    assert edits.set_environment(changed, "parallelism", None).environment.parallelism == 1


def test_options_stay_in_order_and_a_new_one_comes_last(shared: Pipeline) -> None:
    both = edits.set_option(edits.set_option(shared, "a.b", 1), "c.d", 2)

    assert list(edits.set_option(both, "a.b", 3).environment.configuration) == ["c.d", "a.b"]
    assert edits.set_option(both, "c.d", None).environment.configuration == {"a.b": 1}


def test_removing_the_last_field_of_checkpointing_removes_all_of_it(shared: Pipeline) -> None:
    changed = set_checkpointing(shared, "unaligned", value=True)

    assert changed.environment.checkpointing.unaligned is True
    assert set_checkpointing(changed, "unaligned", None) == shared


def test_a_transformation_is_added_behind_another_or_at_the_end(shared: Pipeline) -> None:
    new = {"id": "m", "type": "map", "inputs": ["a"]}

    behind = edits.add_transformation(shared, new, after="b")
    assert [one.id for one in behind.transformations][:4] == ["a", "b", "m", "r"]
    assert edits.add_transformation(shared, new).transformations[-1].id == "m"
    with pytest.raises(EditError, match="there is a transformation 'x' already"):
        edits.add_transformation(shared, {**new, "id": "x"})


def test_an_id_that_another_has_is_no_new_one(shared: Pipeline) -> None:
    with pytest.raises(EditError, match="there is a transformation 'y' already"):
        edits.rename(shared, "x", "y")
    assert edits.rename(shared, "x", "x") == shared


def test_the_end_of_an_iteration_goes_with_it() -> None:
    loop = pipeline(
        {"id": "a", "type": "legacy_source"},
        {"id": "i", "type": "iterate", "inputs": ["a"]},
        {"id": "m", "type": "map", "inputs": ["i"]},
        {"id": "again", "type": "close_iteration", "inputs": ["m"], "iteration": "i"},
        {"id": "z", "type": "sink", "inputs": ["m"]},
    )

    assert edits.rename(loop, "i", "loop").transformation("again").iteration == "loop"
    left = edits.delete_transformation(loop, "i")
    assert [(one.id, one.inputs) for one in left.transformations] == [
        ("a", ()),
        ("m", ("a",)),
        ("z", ("m",)),
    ]


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
