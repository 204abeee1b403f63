"""Another partitioner on one edge, and on no other."""

import pytest

from explorer import compile_graph
from explorer.documents import check_pipeline, load_document
from explorer.edits.edge_partitioners import TYPES, set_partitioner
from explorer.errors import EditError, ExplorerError
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline
from tests.edits.pipelines import pipeline, shared_partition, wiring
from tests.golden_files import cases


@pytest.fixture
def shared() -> Pipeline:
    return shared_partition()


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


def test_a_partition_without_readers_is_dropped() -> None:
    document = pipeline(
        {"id": "a", "type": "legacy_source"},
        {"id": "r", "type": "rebalance", "inputs": ["a"]},
        {"id": "z", "type": "sink", "inputs": ["r"]},
    )

    assert len(set_partitioner(document, "a", "z", None).transformations) == 2


def test_a_keyed_operator_still_has_its_key_by() -> None:
    document = pipeline(
        {"id": "a", "type": "legacy_source"},
        {"id": "k", "type": "key_by", "inputs": ["a"]},
        {"id": "r", "type": "reduce", "inputs": ["k"]},
    )

    with pytest.raises(EditError, match="needs the key_by"):
        set_partitioner(document, "a", "r", "REBALANCE")


@pytest.mark.law
def test_any_edge_of_any_golden_pipeline_accepts_any_partitioner() -> None:
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


def test_a_partitioner_that_flink_does_not_have_is_refused(shared: Pipeline) -> None:
    with pytest.raises(EditError, match=r"no partitioner 'NEAREST'; choose one of .*REBALANCE"):
        set_partitioner(shared, "a", "x", "NEAREST")


def test_operators_without_an_edge_are_named(shared: Pipeline) -> None:
    with pytest.raises(EditError, match="there is no edge from 'b' to 'x'"):
        set_partitioner(shared, "b", "x", "REBALANCE")


def test_new_transformations_stand_right_before_the_reader(shared: Pipeline) -> None:
    changed = set_partitioner(shared, "a", "y", "RESCALE")

    assert [one.id for one in changed.transformations] == [
        "a",
        "b",
        "r",
        "x",
        "rescale-y",
        "y",
        "u",
        "z",
    ]
    assert changed.transformation("rescale-y").inputs == ("a",)


def test_a_key_by_has_its_keys_and_another_partition_has_none() -> None:
    document = pipeline(
        {"id": "a", "type": "legacy_source"},
        {"id": "k", "type": "key_by", "inputs": ["a"], "keys": ["n"]},
        {"id": "z", "type": "sink", "inputs": ["k"]},
    )

    assert set_partitioner(document, "a", "z", "HASH") == document
    assert set_partitioner(document, "a", "z", "SHUFFLE").transformation("k").keys is None
