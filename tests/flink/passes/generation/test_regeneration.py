"""The StreamGraph after an edit of one operator, made from the graph before the edit."""

import re
from typing import Any

import pytest
from msgspec.structs import replace

from explorer.documents import load_document
from explorer.edits.edge_partitioners import set_partitioner
from explorer.edits.transformations import set_environment, set_field
from explorer.errors import FlinkRefusalError
from explorer.flink.compiler import compile_program
from explorer.flink.passes.generation import Generated, generate, regenerate
from explorer.flink.releases import release
from explorer.model.pipeline import Pipeline, Transformation
from tests.many_cases import for_each

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


def of_plain_sink() -> Pipeline:
    """The line with a sink that is one node, numbered in the order of declaration."""
    steps = LINE["transformations"]
    loaded = load_document({**LINE, "transformations": [*steps[:2], steps[2] | {"type": "sink"}]})
    assert isinstance(loaded, Pipeline)
    return loaded


def again(after: Pipeline, before: Pipeline) -> Generated | None:
    done = compile_program(before, RELEASE.version)
    return regenerate(after, RELEASE, before, done.stream_graph, done.settings)


@for_each(
    ("field", "value"),
    [
        ("name", "other"),
        ("uid", "u"),
        ("uid_hash", "0" * 32),
        ("chaining_strategy", "NEVER"),
        ("max_parallelism", 7),
        ("co_location_group", "g"),
        ("parallelism", 3),
        ("buffer_timeout", 5),
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


def test_a_field_that_reaches_other_nodes_needs_a_new_graph() -> None:
    before = line()
    transformations = before.transformations
    stamps = Transformation(id="t", type="timestamps", inputs=("m",))
    stamped = replace(before, transformations=(*transformations[:2], stamps, transformations[2]))

    assert again(set_field(before, "m", "slot_sharing_group", "g"), before) is None
    assert again(set_field(stamped, "m", "parallelism", 3), stamped) is None
    assert again(set_field(stamped, "m", "buffer_timeout", 5), stamped) is not None


@pytest.mark.parametrize("partitioner", ["RESCALE", "BROADCAST", "FORWARD"])
def test_another_type_of_a_partition_changes_its_edges_alone(partitioner: str) -> None:
    before = set_partitioner(line(), "m", "o", "REBALANCE")
    after = set_partitioner(before, "m", "o", partitioner)

    regenerated = again(after, before)

    assert regenerated is not None
    assert regenerated == generate(after, RELEASE)
    old = compile_program(before, RELEASE.version).stream_graph
    edges = zip(regenerated.stream_graph.edges, old.edges, strict=True)
    assert [edge != then for edge, then in edges] == [False, True]
    assert regenerated.stream_graph.nodes == old.nodes


@for_each("partitioner", ["REBALANCE", "RESCALE", "BROADCAST", "FORWARD"])
def test_a_new_partition_changes_one_edge_and_later_numbers(partitioner: str) -> None:
    before = of_plain_sink()
    for source, target in (("s", "m"), ("m", "o")):
        after = set_partitioner(before, source, target, partitioner)
        regenerated = again(after, before)
        assert regenerated is not None
        assert regenerated == generate(after, RELEASE)
        assert again(before, after) is None


def test_a_new_forward_between_two_parallelisms_is_refused() -> None:
    before = set_field(of_plain_sink(), "m", "parallelism", 3)
    after = set_partitioner(before, "m", "o", "FORWARD")

    with pytest.raises(FlinkRefusalError) as refusal:
        generate(after, RELEASE)
    with pytest.raises(FlinkRefusalError, match=re.escape(str(refusal.value))):
        again(after, before)


def test_a_new_partition_before_a_sink_with_parts_needs_a_new_graph() -> None:
    assert again(set_partitioner(line(), "s", "m", "RESCALE"), line()) is None


def test_a_partition_by_key_or_before_another_one_needs_a_new_graph() -> None:
    before = set_partitioner(line(), "m", "o", "REBALANCE")
    (partition,) = set(before.types) - {"source", "map", "sink_v2"}
    added = Transformation(id="p", type="shuffle", inputs=(before.transformations[2].id,))
    twice = replace(
        before,
        transformations=(
            *before.transformations[:3],
            added,
            replace(before.transformations[3], inputs=("p",)),
        ),
    )

    assert partition == "rebalance"
    for program, type in ((before, "key_by"), (twice, "rescale")):
        first = program.transformations[2]
        edited = replace(first, type=type, keys=("k",) if type == "key_by" else None)
        steps = (*program.transformations[:2], edited, *program.transformations[3:])
        assert again(replace(program, transformations=steps), program) is None


@pytest.mark.parametrize("reader", ["m", "o"])
def test_forward_between_two_parallelisms_is_refused(reader: str) -> None:
    before = set_partitioner(line(), line().transformation(reader).inputs[0], reader, "FORWARD")
    edited = set_field(before, "m", "parallelism", 3)

    with pytest.raises(FlinkRefusalError) as refusal:
        generate(edited, RELEASE)
    with pytest.raises(FlinkRefusalError, match=re.escape(str(refusal.value))):
        again(edited, before)


def test_another_environment_or_another_number_of_steps_needs_a_new_graph() -> None:
    before = line()
    shorter = load_document({**LINE, "transformations": LINE["transformations"][:2]})
    assert isinstance(shorter, Pipeline)

    assert again(set_environment(before, "parallelism", 3), before) is None
    assert again(shorter, before) is None
    assert again(before, before) is None


def test_a_parallelism_that_the_environment_has_reaches_the_node_of_a_cache() -> None:
    cache = {"id": "c", "type": "cache", "inputs": ["m"]}
    steps = [*LINE["transformations"][:2], cache, {"id": "o", "type": "sink", "inputs": ["c"]}]
    environment = {"parallelism": 2, "runtime_mode": "BATCH"}
    before = load_document({"environment": environment, "transformations": steps})
    assert isinstance(before, Pipeline)
    edited = set_field(before, "m", "parallelism", 2)

    nodes = generate(edited, RELEASE).stream_graph.nodes
    assert [node.parallelism_configured for node in nodes] == [False, True, True, False]
    assert again(edited, before) is None


def test_the_parallelism_of_a_feedback_that_no_operator_reads_needs_a_new_graph() -> None:
    loop = (
        {"id": "i", "type": "iterate", "inputs": ["s"]},
        {"id": "t", "type": "source"},
        {"id": "u", "type": "union", "inputs": ["t", "i"]},
        {"id": "c", "type": "close_iteration", "inputs": ["u"], "iteration": "i"},
        {"id": "p", "type": "sink", "inputs": ["t"]},
    )
    before = load_document({**LINE, "transformations": [*LINE["transformations"], *loop]})
    assert isinstance(before, Pipeline)
    edited = set_field(before, "t", "parallelism", 3)

    with pytest.raises(FlinkRefusalError, match="feedback stream must match"):
        generate(edited, RELEASE)
    assert again(edited, before) is None


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
