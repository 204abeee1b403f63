"""Nodes of transformations: names, strategies, parallelism, and the parts of a sink."""

from typing import Any

import pytest

from explorer.errors import FlinkRefusalError
from explorer.flink.passes.generation.nodes import (
    is_keyed,
    operator_of,
    parallelism,
    sink_part,
    without_ignored,
)
from explorer.flink.releases import release
from explorer.model.pipeline import Environment, Transformation
from tests.flink.passes.programs import NEW_SOURCE, SOURCE, compiled
from tests.many_cases import for_each

SINK = {
    "id": "o",
    "type": "sink_v2",
    "inputs": ["s"],
    "global_committer": True,
    "chaining_strategy": "NEVER",
    "co_location_group": "g",
    "slot_sharing_group": "a",
}
SELECTING: dict[str, Any] = {
    "id": "j",
    "type": "co_map",
    "inputs": ["s", "s"],
    "input_selectable": True,
}


@pytest.mark.parametrize("version", ["1.15", "1.18"])
def test_all_parts_inherit_the_strategy_and_none_the_co_location_group(version: str) -> None:
    """As Flink 1.15.4 and 1.18.1 print it."""
    parts = compiled(SOURCE, SINK, version=version).stream_graph.nodes[1:]

    assert [part.chaining_strategy for part in parts] == ["NEVER", "NEVER", "NEVER"]
    assert [part.co_location_group for part in parts] == [None, None, None]
    assert [part.slot_sharing_group for part in parts] == ["a", "a", "a"]


@pytest.mark.parametrize("version", ["1.19", "1.20", "2.3"])
def test_a_global_committer_declared_late_gets_nothing_from_the_sink(version: str) -> None:
    """As Flink 1.19.3, 1.20.5 and 2.3.0 print it."""
    parts = compiled(SOURCE, SINK, version=version).stream_graph.nodes[1:]

    assert [part.chaining_strategy for part in parts] == ["NEVER", "NEVER", "ALWAYS"]
    assert [part.co_location_group for part in parts] == ["g", "g", None]
    assert [part.slot_sharing_group for part in parts] == ["a", "a", "a"]


@pytest.mark.parametrize(("version", "parallelism"), [("1.18", 2), ("1.19", -1)])
def test_the_parallelism_of_a_sink_in_a_batch_job(version: str, parallelism: int) -> None:
    """As Flink 1.18.1 and 1.19.3 print it: the parts count as given theirs by the program."""
    sink = {"id": "o", "type": "sink_v2", "inputs": ["s"]}

    done = compiled(NEW_SOURCE, sink, version=version, parallelism=2, runtime_mode="BATCH")
    assert [vertex.parallelism for vertex in done.job_graph.vertices] == [parallelism]


@for_each(
    ("version", "strategy"),
    [("1.11", "NEVER"), ("1.12", "HEAD"), ("1.20", "HEAD"), ("2.3", "ALWAYS")],
)
def test_a_broadcast_connect_does_not_hear_of_a_strategy(version: str, strategy: str) -> None:
    """As Flink 1.11.4, 1.12.5, 1.20.5 and 2.3.0 print it."""
    connect = {"id": "b", "type": "broadcast_connect", "inputs": ["s", "t"]}
    other = SOURCE | {"id": "t"}

    done = compiled(SOURCE, other, connect | {"chaining_strategy": "NEVER"}, version=version)
    assert done.stream_graph.nodes[-1].chaining_strategy == strategy


@pytest.mark.parametrize("version", ["1.12", "1.20", "2.3"])
def test_one_keyed_input_is_enough_to_sort_in_batch_mode(version: str) -> None:
    """As Flink 1.12.5, 1.20.5 and 2.3.0 print it."""
    key = {"id": "k", "type": "key_by", "inputs": ["s"]}
    join = {"id": "j", "type": "co_map", "inputs": ["s", "k"]}

    done = compiled(NEW_SOURCE, key, join, version=version, runtime_mode="BATCH")
    (operator,) = done.job_graph.vertices[-1].operators
    assert done.stream_graph.nodes[-1].chaining_strategy == "HEAD"
    assert operator.managed_memory_fraction == 1.0


def test_an_operator_that_selects_its_inputs_once_had_a_task_of_its_own() -> None:
    """As Flink 1.9.3 prints it, which takes checkpoints of it, too."""
    done = compiled(SOURCE, SELECTING, version="1.9", checkpoint_interval=500)

    assert done.stream_graph.nodes[-1].vertex_class == "TwoInputSelectableStreamTask"
    assert [edge.type_number for edge in done.stream_graph.edges] == [1, 2]


@pytest.mark.parametrize("version", ["1.12", "2.3"])
def test_an_operator_that_selects_its_inputs_cannot_sort_them(version: str) -> None:
    """In the words of Flink 1.12.5 and 2.3.0."""
    key = {"id": "k", "type": "key_by", "inputs": ["s"]}
    join = SELECTING | {"inputs": ["k", "k"]}
    message = "Batch state backend and sorting inputs are not supported in graphs with an InputSel"

    with pytest.raises(FlinkRefusalError, match=message):
        compiled(NEW_SOURCE, key, join, version=version, runtime_mode="BATCH")


def step(type_: str = "map", *inputs: str, id: str = "x", **fields: Any) -> Transformation:
    return Transformation(id=id, type=type_, inputs=inputs or ("s",), **fields)


@for_each(
    ("type_", "name", "node_name"),
    [
        ("map", None, "Map"),
        ("map", "Own", "Own"),
        ("sink", None, "Sink: Print to Std. Out"),
        ("source", "Own", "Source: Own"),
    ],
)
def test_a_node_has_the_programs_name_behind_the_prefix_of_its_type(
    type_: str, name: str | None, node_name: str
) -> None:
    found = operator_of(step(type_, name=name), release("1.20"), keyed_inputs=(False,))

    assert found.node_name == node_name
    assert name is None or found.name == name


@pytest.mark.parametrize(("keyed", "name"), [(True, "KeyedProcess"), (False, "Process")])
def test_the_default_name_may_tell_a_keyed_input(keyed: bool, name: str) -> None:  # noqa: FBT001
    type_ = "keyed_process" if keyed else "process"
    found = operator_of(step(type_), release("1.20"), keyed_inputs=(keyed,))

    assert found.name == name


@for_each(
    ("part", "committer", "uid", "attempts"),
    [
        ("Writer", False, "u", True),
        ("Writer", True, "u", False),
        ("Committer", True, "Sink Committer: u", False),
        ("Global Committer", True, "Sink u Global Committer", True),
    ],
)
def test_each_part_of_a_sink_derives_its_uid_from_the_sinks(
    part: str,
    committer: bool,  # noqa: FBT001
    uid: str,
    attempts: bool,  # noqa: FBT001
) -> None:
    sink = step("sink_v2", uid="u", committer=committer, chaining_strategy="HEAD")

    found = sink_part(sink, part, release("1.20"))

    assert (found.uid, found.concurrent_attempts) == (uid, attempts)
    assert found.strategy == ("ALWAYS" if part == "Global Committer" else "HEAD")
    assert found.yielding == (part == "Writer")


@for_each(
    ("type_", "inputs", "keyed"),
    [
        ("co_map", (False, True), True),
        ("co_map", (False, False), False),
        ("reduce", (True,), True),
        ("map", (True,), True),
        ("multiple_input", (True,), False),
        ("window_all", (False,), True),
    ],
)
def test_an_operator_is_keyed_by_its_inputs_or_by_a_key_of_its_own(
    type_: str,
    inputs: tuple[bool, ...],
    keyed: bool,  # noqa: FBT001
) -> None:
    assert is_keyed(step(type_, *("s" for _ in inputs)), inputs) is keyed


def test_timestamps_inherit_the_parallelism_of_their_input() -> None:
    by_id = {
        one.id: one
        for one in (
            Transformation(id="s", type="source", parallelism=3),
            step("timestamps", id="t"),
            step("timestamps", "t", id="u"),
            step("map", "u", id="m"),
        )
    }

    found = {id: parallelism(one, by_id, Environment(parallelism=2)) for id, one in by_id.items()}

    assert found == {"s": 3, "t": 3, "u": 3, "m": 2}


def test_fields_without_a_setter_are_removed() -> None:
    sink = without_ignored(step("sink", uid="u", max_parallelism=7))

    assert (sink.uid, sink.max_parallelism) == ("u", None)
    assert without_ignored(step(max_parallelism=7)).max_parallelism == 7


def test_operators_that_agree_have_nodes_that_differ_in_names_and_ids_alone() -> None:
    done = compiled(
        SOURCE,
        {"id": "a", "type": "map", "inputs": ["s"], "uid": "a"},
        {"id": "b", "type": "map", "inputs": ["a"], "name": "B", "uid_hash": "0" * 32},
        {"id": "c", "type": "map", "inputs": ["b"], "chaining_strategy": "HEAD"},
    )

    _, first, second, third = done.stream_graph.nodes
    assert (first.name, first.uid, first.uid_hash) == ("Map", "a", None)
    assert (second.name, second.uid, second.uid_hash) == ("B", None, "0" * 32)
    assert (first.transformation, second.transformation) == ("a", "b")
    strategies = [one.chaining_strategy for one in (first, second, third)]
    assert strategies == ["ALWAYS", "ALWAYS", "HEAD"]


@for_each(("own", "timeout"), [(None, 7), (0, 0), (5, 5), (-1, 7)])
def test_a_negative_buffer_timeout_of_an_operator_sets_none(own: int | None, timeout: int) -> None:
    operator = {"id": "m", "type": "map", "inputs": ["s"]}
    given = operator if own is None else operator | {"buffer_timeout": own}

    node = compiled(SOURCE, given, buffer_timeout=7).stream_graph.nodes[-1]

    assert node.buffer_timeout == timeout


@pytest.mark.parametrize(
    ("version", "selectable", "task"),
    [
        ("1.9", True, "TwoInputSelectableStreamTask"),
        ("1.9", False, "TwoInputStreamTask"),
        ("1.20", True, "TwoInputStreamTask"),
    ],
)
def test_a_task_of_its_own_is_for_what_selects_in_the_oldest_release(
    *, version: str, selectable: bool, task: str
) -> None:
    transformation = Transformation(
        id="j", type="co_map", inputs=("s", "s"), input_selectable=selectable
    )
    operator = operator_of(transformation, release(version), keyed_inputs=(False, False))

    assert operator.vertex_class == task


def test_sources_with_different_timestamps_have_nodes_with_different_event_times() -> None:
    stamps = {"timestamps": {"column": "t"}}
    idle = {"id": "i", "timestamps": {"column": "t", "idleness": 5_000}}

    nodes = compiled(NEW_SOURCE | stamps, NEW_SOURCE | idle, *_readers("s", "i")).stream_graph.nodes
    assert [node.event_time and node.event_time.idleness for node in nodes[:2]] == [None, 5_000]


def test_only_the_keyed_of_two_operators_with_keyed_inputs_sorts_in_batch_mode() -> None:
    keys = {"id": "k", "type": "key_by", "inputs": ["s"]}
    plain = {"id": "p", "type": "multiple_input", "inputs": ["k"]}
    keyed = plain | {"id": "q", "keyed": True}

    done = compiled(NEW_SOURCE, keys, plain, keyed, runtime_mode="BATCH")
    weights = [node.operator_memory_weight for node in done.stream_graph.nodes]
    assert weights == [None, None, done.release.keyed_batch_memory_weight]


def _readers(*sources: str) -> list[dict[str, Any]]:
    return [{"id": f"m-{id}", "type": "map", "inputs": [id]} for id in sources]
