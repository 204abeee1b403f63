"""Edits change what they were asked to change, and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer import compile_graph, edits
from explorer.documents import check_pipeline, load_document
from explorer.edits.edge_partitioners import TYPES, set_partitioner
from explorer.errors import EditError, ExplorerError
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline
from tests.golden_files import cases


def pipeline(*transformations: dict[str, Any]) -> Pipeline:
    document = load_document(
        {"environment": {"parallelism": 2}, "transformations": list(transformations)}
    )
    assert isinstance(document, Pipeline)
    return document


def wiring(document: Pipeline) -> list[tuple[str, str, str]]:
    graph = compile_graph(document, "1.20").stream_graph
    names = {node.id: str(node.transformation) for node in graph.nodes}
    return sorted((names[e.source], names[e.target], e.partitioner) for e in graph.edges)


@pytest.fixture
def shared() -> Pipeline:
    """A rebalance that two sinks read, and a union of it with another source."""
    return pipeline(
        {"id": "a", "type": "legacy_source"},
        {"id": "b", "type": "legacy_source"},
        {"id": "r", "type": "rebalance", "inputs": ["a"]},
        {"id": "x", "type": "sink", "inputs": ["r"]},
        {"id": "y", "type": "sink", "inputs": ["r"]},
        {"id": "u", "type": "union", "inputs": ["r", "b"]},
        {"id": "z", "type": "sink", "inputs": ["u"]},
    )


def test_a_shared_partition_changes_for_one_reader_only(shared: Pipeline) -> None:
    changed = set_partitioner(shared, "a", "x", "GLOBAL")

    check_pipeline(changed)
    assert ("a", "x", "GLOBAL") in wiring(changed)
    assert ("a", "y", "REBALANCE") in wiring(changed)
    assert ("a", "z", "REBALANCE") in wiring(changed)


def test_an_input_of_a_union_changes_alone(shared: Pipeline) -> None:
    changed = set_partitioner(shared, "b", "z", "SHUFFLE")

    assert ("b", "z", "SHUFFLE") in wiring(changed)
    assert ("a", "z", "REBALANCE") in wiring(changed)


def test_a_partition_behind_a_union_stays_for_the_other_input() -> None:
    document = pipeline(
        {"id": "a", "type": "legacy_source"},
        {"id": "b", "type": "legacy_source"},
        {"id": "u", "type": "union", "inputs": ["a", "b"]},
        {"id": "r", "type": "rescale", "inputs": ["u"]},
        {"id": "z", "type": "sink", "inputs": ["r"]},
    )

    changed = set_partitioner(document, "a", "z", None)

    assert wiring(changed) == [("a", "z", "FORWARD"), ("b", "z", "RESCALE")]


def test_a_partition_of_one_edge_is_changed_in_place() -> None:
    document = pipeline(
        {"id": "a", "type": "legacy_source"},
        {"id": "r", "type": "rebalance", "inputs": ["a"]},
        {"id": "z", "type": "sink", "inputs": ["r"]},
    )

    changed = set_partitioner(document, "a", "z", "BROADCAST")

    assert [(t.id, t.type) for t in changed.transformations] == [
        ("a", "legacy_source"),
        ("r", "broadcast"),
        ("z", "sink"),
    ]


def test_a_partition_nobody_reads_any_more_is_dropped() -> None:
    document = pipeline(
        {"id": "a", "type": "legacy_source"},
        {"id": "r", "type": "rebalance", "inputs": ["a"]},
        {"id": "z", "type": "sink", "inputs": ["r"]},
    )

    assert len(set_partitioner(document, "a", "z", None).transformations) == 2


def test_a_keyed_operator_keeps_its_key_by() -> None:
    document = pipeline(
        {"id": "a", "type": "legacy_source"},
        {"id": "k", "type": "key_by", "inputs": ["a"]},
        {"id": "r", "type": "reduce", "inputs": ["k"]},
    )

    with pytest.raises(EditError, match="needs the key_by"):
        set_partitioner(document, "a", "r", "REBALANCE")


@pytest.mark.law
def test_any_edge_of_any_golden_pipeline_takes_any_partitioner() -> None:
    """The edge has it then, and the other edges keep theirs."""
    tried = 0
    for case in list(cases("random"))[:60]:
        document = load_document(case["pipeline"])
        assert isinstance(document, Pipeline)
        try:
            graph = compile_graph(document, "1.20", iterations_before=0).stream_graph
        except ExplorerError:
            continue
        names = {node.id: str(node.transformation) for node in graph.nodes}
        before = wiring(document)
        pairs = [(names[e.source], names[e.target]) for e in graph.edges]
        for (source, target), partitioner in zip(pairs, list(TYPES) * len(pairs), strict=False):
            type_ = document.transformation(target).type
            if pairs.count((source, target)) > 1 or KINDS[type_].keyed or partitioner == "FORWARD":
                continue
            if type_ == "sink_v2" and source == target:
                continue
            changed = set_partitioner(document, source, target, partitioner)
            check_pipeline(changed)
            after = wiring(changed)
            tried += 1

            assert (source, target, partitioner) in after
            assert [e for e in after if e[:2] != (source, target)] == [
                e for e in before if e[:2] != (source, target)
            ]
    assert tried > 300


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


def test_a_field_can_be_set_and_taken_back(shared: Pipeline) -> None:
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
def test_what_is_refused_is_said_in_our_words_short_and_printable(
    shared: Pipeline, name: str
) -> None:
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
