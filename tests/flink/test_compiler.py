"""Compilations: what an earlier one spares, and what each says of itself."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.documents import load_document
from explorer.edits.edge_partitioners import set_partitioner
from explorer.edits.transformations import set_environment, set_field
from explorer.errors import ExplorerError, TooLargeError
from explorer.flink.compiler import (
    Compilation,
    NoStreamGraphError,
    as_reported,
    compile_program,
)
from explorer.flink.releases import LATEST
from explorer.model.pipeline import Pipeline
from explorer.model.steps import NodeHashed
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.strategies import RELEASES, pipelines

LINE: dict[str, Any] = {
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "s", "type": "source"},
        {"id": "a", "type": "map", "inputs": ["s"], "select": {"n": "n + 1"}},
        {"id": "b", "type": "filter", "inputs": ["a"], "parallelism": 1},
        {"id": "o", "type": "sink", "inputs": ["b"]},
    ],
}

CHANGES = st.sampled_from(
    (
        ("name", "other"),
        ("uid", "u-other"),
        ("parallelism", 3),
        ("max_parallelism", 77),
        ("chaining_strategy", "NEVER"),
        ("chaining_strategy", "HEAD"),
        ("slot_sharing_group", "other"),
        ("buffer_timeout", 7),
        ("uid_hash", "0123456789abcdef0123456789abcdef"),
        ("co_location_group", "together"),
        ("managed_memory_weight", 3),
    )
)
PARTITIONERS = st.sampled_from(("FORWARD", "REBALANCE", "RESCALE", "BROADCAST", None))
ENVIRONMENTS = st.sampled_from(
    (("chaining", False), ("parallelism", 3), ("max_parallelism", 9), ("runtime_mode", "BATCH"))
)
Outcome = Compilation | str


def outcome(pipeline: Pipeline, version: str, before: Compilation | None = None) -> Outcome:
    """The compilation, or the sentence with which it is refused."""
    try:
        return compiled(pipeline, version, before)
    except ExplorerError as error:
        return str(error)


def edited(pipeline: Pipeline, data: st.DataObject) -> Pipeline:
    """The pipeline after an edit of one field; unchanged where the edit is refused."""
    edit = data.draw(st.sampled_from(("field", "field", "field", "partitioner", "environment")))
    transformation = data.draw(st.sampled_from(pipeline.transformations))
    try:
        if edit == "field":
            return set_field(pipeline, transformation.id, *data.draw(CHANGES))
        if edit == "environment" or not transformation.inputs:
            return set_environment(pipeline, *data.draw(ENVIRONMENTS))
        source, partitioner = transformation.inputs[0], data.draw(PARTITIONERS)
        return set_partitioner(pipeline, source, transformation.id, partitioner)
    except ExplorerError:
        return pipeline


def line() -> Pipeline:
    loaded = load_document(LINE)
    assert isinstance(loaded, Pipeline)
    return loaded


def line_of(done: Compilation) -> Pipeline:
    assert done.pipeline is not None
    return done.pipeline


def compiled(
    pipeline: Pipeline, version: str = "1.20", before: Compilation | None = None
) -> Compilation:
    return compile_program(pipeline, version, iterations_before=0, previous=before)


def same(one: Compilation, other: Compilation, member: str) -> bool:
    return getattr(one, member) is getattr(other, member)


@settings(max_examples=200)
@given(
    st.booleans().flatmap(lambda loops: pipelines(iterations=loops)),
    st.sampled_from(RELEASES),
    st.data(),
)
def test_a_series_of_edits_gives_what_a_new_compilation_gives(
    pipeline: Pipeline, version: str, data: st.DataObject
) -> None:
    before: Compilation | None = None
    for _ in range(4):
        plain, again = outcome(pipeline, version), outcome(pipeline, version, before)
        assert again == plain
        if isinstance(plain, Compilation) and isinstance(again, Compilation):
            assert again.to_dict() == plain.to_dict()
            assert again.decisions == plain.decisions
            before = again
        pipeline = edited(pipeline, data)


@settings(max_examples=40)
@given(pipelines(), st.sampled_from(RELEASES), st.sampled_from(RELEASES))
def test_a_compilation_for_another_release_makes_no_difference(
    pipeline: Pipeline, then: str, now: str
) -> None:
    before = outcome(pipeline, then)
    if isinstance(before, Compilation):
        assert outcome(pipeline, now, before) == outcome(pipeline, now)


@settings(max_examples=40)
@given(pipelines(), pipelines())
def test_another_pipeline_before_makes_no_difference(one: Pipeline, other: Pipeline) -> None:
    try:
        plain, before = compiled(one), compiled(other)
    except ExplorerError:
        return

    assert compiled(one, before=before) == plain


def test_a_change_of_expressions_reuses_the_whole_compilation() -> None:
    before = compiled(line())
    after = compiled(set_field(line(), "a", "select", {"n": "n + 2"}), before=before)

    assert after.pipeline != before.pipeline
    assert after.stream_graph is before.stream_graph
    assert after.job_graph is before.job_graph


@for_each(
    ("field", "value", "kept"),
    [
        ("name", "other", {"hashes", "chains"}),
        ("max_parallelism", 77, {"hashes", "chains"}),
        ("uid", "u-other", {"chains"}),
        ("chaining_strategy", "NEVER", {"hashes"}),
        ("parallelism", 2, set()),
    ],
)
def test_hashing_and_chaining_run_again_where_they_must(
    field: str, value: Any, kept: set[str]
) -> None:
    before = compiled(line())
    changed = set_field(line(), "b", field, value)
    after = compiled(changed, before=before)

    assert {name for name in ("hashes", "chains") if same(before, after, name)} == kept
    assert after == compiled(changed)


def test_nothing_is_reused_from_another_release_or_for_a_trace() -> None:
    before = compiled(line())

    assert compiled(line(), "1.19", before).stream_graph is not before.stream_graph
    traced = compile_program(line(), "1.20", trace=True, previous=before)
    assert traced.steps
    assert replace(traced, steps=()) == before


def test_an_edit_of_one_operator_leaves_the_other_nodes_and_all_edges() -> None:
    before = compiled(line())
    after = compiled(set_field(line_of(before), "b", "chaining_strategy", "NEVER"), before=before)

    assert after.stream_graph.edges is before.stream_graph.edges
    nodes = zip(after.stream_graph.nodes, before.stream_graph.nodes, strict=True)
    assert [now is then for now, then in nodes] == [True, True, False, True]
    assert after.hashes is before.hashes


@pytest.mark.parametrize("partitioner", ["REBALANCE", "RESCALE", None])
def test_an_edit_of_the_parallelism_connects_the_operators_own_edges_again(
    partitioner: str | None,
) -> None:
    before = compiled(set_partitioner(line(), "b", "o", partitioner))
    edited = set_field(line_of(before), "b", "parallelism", 2)
    after = compiled(edited, before=before)

    edges = zip(after.stream_graph.edges, before.stream_graph.edges, strict=True)
    assert [edge is old for edge, old in edges] == [True, False, partitioner is not None]
    assert after.stream_graph.edges[2].partitioner == (partitioner or "FORWARD")
    assert after == compiled(edited)


def test_an_edit_that_makes_two_ids_collide_is_refused_as_ever() -> None:
    sources = [{"id": id, "type": "source"} for id in ("first", "second")]
    readers = [{"id": f"{one['id']} read", "type": "map", "inputs": [one["id"]]} for one in sources]
    # The bytes that the hasher puts in for the second source while nothing is chained to it.
    uid = "\x01\0\0\0"
    sinks = [{"id": "o", "type": "sink", "inputs": ["second read"], "uid": uid}]
    values = {"transformations": [*sources, *readers, *sinks]}
    pipeline = load_document(values)
    assert isinstance(pipeline, Pipeline)
    before = compiled(pipeline)
    after = set_field(pipeline, "second read", "chaining_strategy", "HEAD")

    refusal = outcome(after, "1.20", before)
    assert refusal == outcome(after, "1.20")
    assert "Hash collision" in str(refusal)


def test_chaining_turned_off_is_noticed() -> None:
    before = compiled(line())
    off = set_environment(line(), "chaining", value=False)

    assert compiled(off, before=before) == compiled(off)


def test_a_release_that_is_given_wins_over_the_documents() -> None:
    document = line().under("1.19")

    assert compile_program(document).release.version == "1.19"
    assert compile_program(document, "1.18").release.version == "1.18"
    assert compile_program(line()).release.version == LATEST


def test_steps_are_recorded_where_they_are_asked_for() -> None:
    assert compile_program(line()).steps == ()
    steps = compile_program(line(), trace=True).steps
    hashed = {step.node for step in steps if isinstance(step, NodeHashed)}
    assert hashed == set(compile_program(line()).hashes)


def test_slot_sharing_groups_of_one_name_are_counted() -> None:
    chosen = set_environment(line(), "runtime_mode", "BATCH")

    names = compile_program(chosen, "1.20").slot_sharing_groups
    assert list(names.values()) == ["default", "default #2", "default #3"]
    own = compile_program(set_field(line(), "b", "slot_sharing_group", "own"))
    assert list(own.slot_sharing_groups.values()) == ["default", "own"]


def test_a_batch_job_has_the_clients_translation_and_the_schedulers() -> None:
    batch = set_environment(line(), "runtime_mode", "BATCH")
    done, older = compile_program(batch, "2.2"), compile_program(batch, "1.20")

    assert (done.is_adaptive, older.is_adaptive) == (True, False)
    assert done.client is done.alternative
    assert (done.scheduled, older.scheduled) == (done, None)
    assert older.client is older
    members = done.to_dict()
    assert members["selected"] == "adaptive_job_graph"
    assert members["adaptive_job_graph"] is not None
    assert older.to_dict()["selected"] == "job_graph"


def test_ids_that_are_decided_at_run_time_are_those_of_another_order() -> None:
    batch = set_environment(line(), "runtime_mode", "BATCH")
    done = compile_program(batch, "2.2")

    assert done.decided_at_run_time == {}
    assert as_reported(done, {vertex.id for vertex in done.job_graph.vertices}) is None
    assert as_reported(compile_program(line(), "2.2"), {"0" * 32}) is None


def test_a_data_set_program_has_no_conditions() -> None:
    (program,) = (one for one in cases("data_set_programs") if one["flink"] == "1.20")
    done = compile_program(load_document(program))

    assert done.data_set is not None
    with pytest.raises(NoStreamGraphError, match="trace follows the rules of the DataStream API"):
        done.refuse_data_set("trace")
    compile_program(line()).refuse_data_set("trace")


def test_a_program_of_more_edges_than_are_allowed_is_refused() -> None:
    assert len(compile_program(line(), most_edges=3).stream_graph.edges) == 3
    with pytest.raises(TooLargeError, match="more than 2 edges"):
        compile_program(line(), most_edges=2)
    graph = {"stream_graph": compile_program(line()).to_dict()["stream_graph"]}
    with pytest.raises(TooLargeError, match="this graph has 3 edges; at most 2"):
        compile_program(load_document(graph), most_edges=2)


def test_decisions_are_the_chains_verdicts() -> None:
    done = compile_program(line())

    assert [one.chained for one in done.decisions] == list(done.chained)
    assert done.chained == (True, False, False)
    assert done.execution_vertex(done.stream_graph.nodes[2].id).name == "Filter"
