"""Putting an operator into a stream, leading a stream to an operator, and copies."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import edits
from explorer.documents import check_pipeline
from explorer.documents.readers.pipelines import to_pipeline
from explorer.errors import EditError, ExplorerError
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline, Transformation
from tests.examples import examples
from tests.many_cases import for_each
from tests.strategies import pipelines


def pipeline(*transformations: dict[str, Any]) -> Pipeline:
    return to_pipeline({"transformations": list(transformations)}, limit=None)


LINE = pipeline(
    {"id": "a", "type": "source"},
    {"id": "m", "type": "map", "inputs": ["a"], "uid": "m", "parallelism": 3},
    {"id": "k", "type": "key_by", "inputs": ["m"]},
    {"id": "r", "type": "reduce", "inputs": ["k"]},
    {"id": "z", "type": "sink", "inputs": ["r"]},
    {"id": "b", "type": "source"},
    {"id": "y", "type": "sink", "inputs": ["b"]},
)


def inputs(document: Pipeline) -> dict[str, tuple[str, ...]]:
    return {one.id: one.inputs for one in document.transformations}


def test_an_operator_is_put_into_one_stream() -> None:
    new = Transformation(id="f", type="filter")
    after = edits.insert_between(LINE, "m", "k", new)

    check_pipeline(after)
    assert inputs(after) == {**inputs(LINE), "f": ("m",), "k": ("f",)}
    assert [one.id for one in after.transformations][:4] == ["a", "m", "f", "k"]
    with pytest.raises(EditError, match="'z' does not read 'a'; choose a stream that is there"):
        edits.insert_between(LINE, "a", "z", new)


def test_selected_columns_of_an_input_follow_the_operator_in_its_stream() -> None:
    several = {"id": "m", "type": "multiple_input", "inputs": ["a", "b"]}
    document = pipeline(
        {"id": "a", "type": "source", "rows": {"sequence": {"from": 1, "to": 9}}},
        {"id": "b", "type": "source", "rows": {"sequence": {"from": 1, "to": 9}}},
        {**several, "selects": {"b": {"n": "n"}, "a": {"n": "n + 1"}}},
        {"id": "z", "type": "sink", "inputs": ["m"]},
    )
    inserted = edits.insert_between(document, "a", "m", Transformation(id="f", type="filter"))
    dealt = edits.set_partitioner(document, "a", "m", "REBALANCE")

    for after, new in ((inserted, "f"), (dealt, "rebalance-m")):
        check_pipeline(after, document)
        assert after.transformation("m").selects == {"b": {"n": "n"}, new: {"n": "n + 1"}}


@examples(40)
@given(pipelines(), st.data())
def test_whatever_is_insertable_fits_into_any_stream(
    document: Pipeline, data: st.DataObject
) -> None:
    streams = [
        (source, one.id)
        for one in document.transformations
        for source in one.inputs
        if not KINDS[document.transformation(source).type].keyed_stream
    ]
    if not streams:
        return
    source, reader = data.draw(st.sampled_from(streams))
    new = Transformation(id="new one", type="map")
    after = edits.insert_between(document, source, reader, new)

    others = {id: read for id, read in inputs(after).items() if id not in {reader, "new one"}}
    assert others == {id: read for id, read in inputs(document).items() if id != reader}
    assert after.transformation("new one").inputs == (source,)
    assert (
        Counter(after.transformation(reader).inputs)["new one"]
        == Counter(document.transformation(reader).inputs)[source]
    )


def test_a_copy_reads_the_same_and_is_another_operator() -> None:
    after = edits.duplicate(LINE, "m")

    check_pipeline(after)
    copy = after.transformation("m-2")
    assert (copy.inputs, copy.uid, copy.parallelism) == (("a",), None, 3)
    assert inputs(after) == {**inputs(LINE), "m-2": ("a",)}
    written = edits.set_field(LINE, "z", "write", {"path": "out", "format": "csv"})
    check_pipeline(edits.duplicate(written, "z"))


def test_a_second_stream_comes_through_a_union_and_a_third_joins_it() -> None:
    one = edits.add_input(LINE, "b", "m")
    two = edits.add_input(edits.duplicate(one, "b"), "b-2", "m")

    check_pipeline(one)
    assert one.transformation("m").inputs == ("union",)
    assert one.transformation("union").inputs == ("a", "b")
    assert [each.id for each in one.transformations] == ["a", "b", "union", "m", "k", "r", "z", "y"]
    check_pipeline(two)
    assert two.transformation("union").inputs == ("a", "b", "b-2")


@for_each(
    ("source", "reader", "why"),
    [
        ("r", "m", "'r' comes from 'm': the streams would go in a circle"),
        ("z", "m", "'z' gives no stream: a sink is where one ends"),
        ("m", "a", "'a' takes no stream: a source is where one begins"),
        ("a", "m", "'m' reads 'a' already"),
        ("m", "m", "'m' comes from 'm': the streams would go in a circle"),
        ("nobody", "m", "there is no transformation 'nobody'"),
    ],
)
def test_an_impossible_connection_is_refused_in_a_sentence(
    source: str, reader: str, why: str
) -> None:
    with pytest.raises(EditError, match=why):
        edits.add_input(LINE, source, reader)


@examples(40)
@given(pipelines(), st.data())
def test_a_connected_pipeline_is_declared_in_a_legal_order(
    document: Pipeline, data: st.DataObject
) -> None:
    ids = [one.id for one in document.transformations]
    source, reader = data.draw(st.sampled_from(ids)), data.draw(st.sampled_from(ids))
    try:
        after = edits.add_input(document, source, reader)
    except ExplorerError:
        return
    declared: set[str] = set()
    for one in after.transformations:
        assert declared.issuperset(one.inputs)
        declared.add(one.id)
    assert declared >= set(ids)
