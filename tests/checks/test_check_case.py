"""The case that rules look at: what is looked up in a document and its compilation."""

from collections.abc import Iterable

import msgspec
import pytest

from explorer.checks.check_case import CheckCase
from explorer.checks.lock import make_lock
from explorer.comparison.baseline import Baseline
from explorer.documents import load_document
from explorer.errors import FlinkRefusalError
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.releases import LATEST, release
from explorer.model.stream_graph import NodeId
from tests.checks.pairs import (
    BARE,
    COUNT,
    LINE,
    LOOP,
    PAIRS,
    SOURCE,
    WIDE,
    Document,
    changed,
    job,
    op,
)


def case(document: Document, flink: str = "1.20") -> CheckCase:
    loaded = load_document({**document, "flink": flink})
    return CheckCase(document=loaded, release=release(flink), compilation=compile_program(loaded))


def named(checked: CheckCase, nodes: Iterable[NodeId]) -> set[str]:
    return {checked.compiled.stream_graph.by_id[node].handle for node in nodes}


def test_a_place_is_one_of_the_transformations_or_of_the_stream_graph() -> None:
    whole = case(LINE)
    plan = load_document(
        {"flink": "1.20", "stream_graph": whole.compiled.to_dict()["stream_graph"]}
    )
    captured = CheckCase(document=plan, release=release("1.20"), compilation=compile_program(plan))
    node = whole.compiled.stream_graph.nodes[1]

    assert (whole.path(node), whole.path(node, "uid")) == (
        "transformations[1]",
        "transformations[1].uid",
    )
    assert captured.path(node, "uid") == "stream_graph.nodes[1].uid"


def test_a_field_without_a_setter_is_not_proposed() -> None:
    checked = case(LINE)
    _, operator, sink = checked.compiled.stream_graph.nodes

    assert checked.to_set(operator, "max_parallelism", 64, "label")
    assert not checked.to_set(sink, "max_parallelism", 64, "label")
    assert checked.to_set(sink, "max_parallelism", None, "label")


def test_order_matters_in_front_of_sinks_and_state_up_to_a_key_by() -> None:
    document = job(
        SOURCE,
        op("t", "timestamps", "s"),
        op("by", "key_by", "t", keys=["n"]),
        op("count", "reduce", "by"),
        op("u", "timestamps", "count"),
        op("out", "sink", "u"),
    )
    checked = case(document)

    assert named(checked, checked.order_matters) == {"s", "count", "u", "out"}
    assert named(checked, checked.keyed) == {"count"}


def test_an_operator_behind_a_filter_is_not_busy() -> None:
    document = job(SOURCE, op("f", "filter", "s"), op("m", "map", "f"), op("out", "sink", "s"))
    checked = case(document)

    assert named(checked, checked.busy) == {"s", "out"}


def test_the_partitioner_that_an_edge_was_given_is_the_last_on_its_route() -> None:
    document = job(SOURCE, op("a", "shuffle", "s"), op("b", "rescale", "a"), op("out", "sink", "b"))
    chosen, plain = case(document), case(WIDE)

    (edge,) = chosen.compiled.stream_graph.edges
    asked = chosen.asked_partitioner(edge)
    assert asked is not None
    assert asked.id == "b"
    assert plain.asked_partitioner(plain.compiled.stream_graph.edges[0]) is None


def test_the_next_release_is_compiled_or_refuses() -> None:
    assert "iterat" in str(case(LOOP, "1.20").upgraded)
    assert isinstance(case(LINE, "1.20").upgraded, Compilation)
    assert case(LINE, LATEST).next_release is None
    assert case(LINE, LATEST).upgraded is None


def test_a_saved_id_is_the_baselines_where_there_is_one() -> None:
    alone = case(changed(BARE, "count", uid="new"))
    baseline = Baseline(name="v1", document=load_document({**BARE, "flink": "1.20"}))
    since = msgspec.structs.replace(alone, baseline=baseline)
    nodes = {node.handle: node.id for node in alone.compiled.stream_graph.nodes}
    deployed = case(BARE).compiled

    assert alone.saved_ids[nodes["count"]] == alone.compiled.hashes[nodes["count"]]
    assert since.saved_ids[nodes["count"]] == deployed.hashes[nodes["count"]]


def test_a_rule_that_needs_a_compilation_or_a_lock_gets_none_that_is_not_there() -> None:
    refused = CheckCase(document=load_document(COUNT), release=release("1.20"))
    with pytest.raises(LookupError, match="compilation"):
        _ = refused.compiled
    with pytest.raises(LookupError, match="lock"):
        _ = refused.locks
    locked = msgspec.structs.replace(case(COUNT), lock=make_lock(case(BARE).compiled))
    assert locked.locks[0] != locked.locks[1]
    assert set(locked.locked_nodes) == {"s", "count", "out"}


def test_blamed_are_the_transformations_that_the_document_has() -> None:
    document = load_document({"flink": "1.20", **PAIRS["ST04"].bad})
    with pytest.raises(FlinkRefusalError) as refused:
        compile_program(document)

    known = CheckCase(document=document, release=release("1.20"), refusal=refused.value)

    assert known.blamed == ("s", "m")
    assert known.flink_message == refused.value.flink_message


def test_a_printed_plan_is_not_the_whole_program() -> None:
    graph = case(LINE).compiled.to_dict()["stream_graph"]
    bare = {"flink": "1.20", "stream_graph": graph}
    plan = load_document(bare)
    for node in graph["nodes"]:
        node["operator"] = {"class_name": "StreamMap"}
    captured = load_document(bare)

    whole = [
        CheckCase(
            document=one, release=release("1.20"), compilation=compile_program(one)
        ).is_complete
        for one in (plan, captured)
    ]
    assert whole == [False, True]
