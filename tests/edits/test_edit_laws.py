"""What holds of an edit whatever the pipeline: it changes what it was asked to change."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer import compile_graph, edits
from explorer.documents import check_pipeline
from explorer.edits.edge_partitioners import set_partitioner
from explorer.edits.transformations import rename
from explorer.errors import ExplorerError
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.stream_graph import StreamGraph
from tests.examples import examples
from tests.strategies import pipelines

PARTITION_THEMSELVES = {"window_all", "interval_join", "broadcast_connect"}
"""Types with a call that partitions their input, however it was partitioned."""

Edge = tuple[str | None, str | None, str]


def edges_of(graph: StreamGraph) -> Counter[Edge]:
    """How often each edge occurs: the transformations at its ends, and its partitioner."""
    ids = {node.id: node.transformation for node in graph.nodes}
    return Counter((ids[one.source], ids[one.target], one.partitioner) for one in graph.edges)


@examples(60)
@given(
    pipelines(),
    st.data(),
    st.sampled_from(("REBALANCE", "RESCALE", "SHUFFLE", "BROADCAST", "GLOBAL", "HASH", None)),
)
def test_a_partitioner_changes_on_one_edge_and_on_no_other(
    pipeline: Pipeline, data: st.DataObject, partitioner: str | None
) -> None:
    graph = compile_graph(pipeline, "1.20").stream_graph
    before = edges_of(graph)
    if not before:
        return
    source, target, _ = data.draw(st.sampled_from(sorted(before, key=str)))
    assert source is not None
    assert target is not None
    try:
        changed = set_partitioner(pipeline, source, target, partitioner)
        check_pipeline(changed)
        after = edges_of(compile_graph(changed, "1.20").stream_graph)
    except ExplorerError:
        return

    assert sum(after.values()) == sum(before.values())
    assert all(edge[:2] == (source, target) for edge in (before - after) + (after - before))
    assert sum((after - before).values()) <= 1
    own = pipeline.transformation(target).type in PARTITION_THEMSELVES
    if partitioner is not None and not own:
        assert after[source, target, partitioner]


@examples(40)
@given(pipelines(), st.data())
def test_a_new_id_changes_no_hash(pipeline: Pipeline, data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(pipeline.transformations))
    renamed = rename(pipeline, one.id, "entirely new")
    check_pipeline(renamed)

    assert compile_graph(renamed, "1.20").hashes == compile_graph(pipeline, "1.20").hashes


def fault_of(pipeline: Pipeline, before: Pipeline | None) -> str:
    try:
        check_pipeline(pipeline, before)
    except ExplorerError as error:
        return str(error)
    return ""


VALUES = st.one_of(
    st.none(),
    st.integers(-1, 40_000),
    st.text(max_size=3),
    st.lists(st.text(max_size=3), max_size=2),
)


@st.composite
def edited(draw: st.DrawFn, before: Pipeline) -> Pipeline:
    """The pipeline after one edit, which may well have made it a bad one."""
    ids = [one.id for one in before.transformations]
    one, other = draw(st.sampled_from(ids)), draw(st.sampled_from(ids))
    fields = sorted(set(Transformation.__struct_fields__) - {"id", "type"})
    kind = draw(st.sampled_from(("field", "environment", "inputs", "delete", "rename", "type")))
    if kind == "field":
        return edits.set_field(before, one, draw(st.sampled_from(fields)), draw(VALUES))
    if kind == "environment":
        field = draw(st.sampled_from(("parallelism", "max_parallelism", "buffer_timeout")))
        return edits.set_environment(before, field, draw(st.integers(-1, 40_000)))
    if kind == "inputs":
        return edits.set_field(before, one, "inputs", [other])
    if kind == "delete":
        return edits.delete_transformation(before, one)
    if kind == "rename":
        return edits.rename(before, one, draw(st.sampled_from(("", "new", other))))
    changed = replace(before.transformation(one), type=before.transformation(other).type)
    return edits.replace_transformation(before, changed)


@examples(300)
@given(pipelines(), st.data())
def test_unedited_parts_need_not_be_computed_again(before: Pipeline, data: st.DataObject) -> None:
    try:
        after = data.draw(edited(before))
    except ExplorerError:
        return

    assert fault_of(after, before) == fault_of(after, None)
