"""The StreamGraph after an edit of one operator, made from the graph before the edit."""

from typing import Any

import pytest

from explorer.documents import load_document
from explorer.edits.transformations import set_environment, set_field
from explorer.errors import FlinkRefusalError
from explorer.flink.compiler import compile_program
from explorer.flink.passes.generation import Generated, generate, regenerate
from explorer.flink.releases import release
from explorer.model.pipeline import Pipeline

LINE: dict[str, Any] = {
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "s", "type": "source"},
        {"id": "m", "type": "map", "inputs": ["s"]},
        {"id": "o", "type": "sink_v2", "inputs": ["m"]},
    ],
}
RELEASE = release("1.20")


def line(**environment: Any) -> Pipeline:
    values = {**LINE, "environment": LINE["environment"] | environment}
    loaded = load_document(values)
    assert isinstance(loaded, Pipeline)
    return loaded


def again(after: Pipeline, before: Pipeline) -> Generated | None:
    done = compile_program(before, RELEASE.version)
    return regenerate(after, RELEASE, before, done.stream_graph, done.settings)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "other"),
        ("uid", "u"),
        ("uid_hash", "0" * 32),
        ("chaining_strategy", "NEVER"),
        ("max_parallelism", 7),
        ("co_location_group", "g"),
    ],
)
def test_an_operators_own_fields_change_its_node_alone(field: str, value: Any) -> None:
    before = line()
    after = set_field(before, "m", field, value)

    found = again(after, before)

    assert found is not None
    assert found == generate(after, RELEASE)
    old = compile_program(before, "1.20").stream_graph
    changed = [now != then for now, then in zip(found.stream_graph.nodes, old.nodes, strict=True)]
    assert changed == [False, True, False]


@pytest.mark.parametrize(
    ("field", "value"), [("parallelism", 3), ("slot_sharing_group", "g"), ("buffer_timeout", 5)]
)
def test_a_field_that_reaches_other_nodes_needs_a_new_graph(field: str, value: Any) -> None:
    before = line()

    assert again(set_field(before, "m", field, value), before) is None


def test_another_environment_or_another_number_of_steps_needs_a_new_graph() -> None:
    before = line()
    shorter = load_document({**LINE, "transformations": LINE["transformations"][:2]})
    assert isinstance(shorter, Pipeline)

    assert again(set_environment(before, "parallelism", 3), before) is None
    assert again(shorter, before) is None
    assert again(before, before) is None


def test_a_writer_of_a_sink_is_made_in_another_place() -> None:
    before = line()

    assert again(set_field(before, "o", "name", "other"), before) is None


def test_a_node_that_flink_refuses_is_refused() -> None:
    before = line(auto_generate_uids=False)
    named = before
    for id in ("s", "m", "o"):
        named = set_field(named, id, "uid", id)

    with pytest.raises(FlinkRefusalError, match="no UID or hash has been assigned to operator Map"):
        again(set_field(named, "m", "uid", None), named)
