"""Every type of transformation can be added by what the list offers, and every result compiles."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.documents.readers.pipelines import to_pipeline
from explorer.edits.additions import Place, add, group_of, offers, places_at, propose
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.flink.kinds import KINDS
from explorer.flink.releases import LATEST, VERSIONS, release
from explorer.model.pipeline import Pipeline
from tests.examples import examples
from tests.strategies import pipelines

ROWS = {"values": [["a", 1]], "schema": "who STRING, n LONG"}


def pipeline(*transformations: dict[str, Any], flink: str | None = None) -> Pipeline:
    document = {"transformations": list(transformations)}
    return to_pipeline(document | ({"flink": flink} if flink else {}), limit=None)


ORDERS = pipeline(
    {"id": "orders", "type": "legacy_source", "rows": ROWS},
    {"id": "checked", "type": "process", "inputs": ["orders"], "side_outputs": {"bad": "n < 0"}},
    {"id": "out", "type": "sink", "inputs": ["checked"]},
    {"id": "rates", "type": "legacy_source"},
)
LOOP = (
    {"id": "numbers", "type": "legacy_source"},
    {"id": "loop", "type": "iterate", "inputs": ["numbers"]},
    {"id": "step", "type": "map", "inputs": ["loop"]},
    {"id": "again", "type": "close_iteration", "inputs": ["step"], "iteration": "loop"},
    {"id": "out", "type": "sink", "inputs": ["step"]},
)
SPLIT = ({"id": "even", "type": "split", "inputs": ["step"], "outputs": {"odd": "n % 2 = 1"}},)
PROGRAMS = (
    pipeline(flink=LATEST),
    replace(ORDERS, flink=LATEST),
    replace(ORDERS, flink="1.9"),
    pipeline(*LOOP, flink="1.20"),
    pipeline(*LOOP, *SPLIT, flink="1.11"),
)


def places(document: Pipeline) -> list[Place]:
    """Every place that the list, a card or an edge of a program may stand for."""
    ids = (None, *(transformation.id for transformation in document.transformations))
    return list(dict.fromkeys(place for id in ids for place in places_at(document, id)))


def changed(document: Pipeline, place: Place) -> Iterator[tuple[str, Pipeline]]:
    for type, addition in offers(document, place).items():
        assert addition.main.type == type
        yield type, add(document, place, addition)


@pytest.mark.law
def test_every_type_is_offered_on_a_release_that_has_it_and_compiles() -> None:
    offered = set[str]()
    for document in PROGRAMS:
        for place in places(document):
            for type, longer in changed(document, place):
                offered.add(type)
                if document.transformations:
                    compile_program(longer)
                exists = KINDS[type].exists
                assert exists is None or exists(release(document.flink or LATEST))

    assert offered == set(KINDS)


@examples(12)
@given(pipelines(max_size=5, iterations=True), st.sampled_from(VERSIONS), st.data())
def test_whatever_the_list_offers_compiles(
    document: Pipeline, version: str, data: st.DataObject
) -> None:
    try:
        compile_program(replace(document, flink=version))
    except ExplorerError:
        compile_program(document)
    else:
        document = replace(document, flink=version)
    place = data.draw(st.sampled_from(places(document)))

    for _, longer in changed(document, place):
        compile_program(longer)
        read = {t.id: t.inputs for t in longer.transformations}
        for transformation in document.transformations:
            if transformation.id != place.reader:
                assert read[transformation.id] == transformation.inputs


def test_key_tag_and_second_input_are_proposed_from_upstream() -> None:
    after = Place(source="checked")

    reduce = propose(ORDERS, Place(source="orders"), "reduce")
    assert reduce is not None
    assert [(part.type, part.keys) for part in reduce.transformations] == [
        ("key_by", ("who",)),
        ("reduce", None),
    ]
    side = propose(ORDERS, after, "side_output")
    assert side is not None
    assert side.main.tag == "bad"
    join = propose(ORDERS, after, "join")
    assert join is not None
    assert join.streams == ("checked", "rates")
    assert join.main.window is not None
    assert propose(ORDERS, after, "close_iteration") is None
    assert propose(PROGRAMS[3], Place(source="step"), "close_iteration") is not None
    assert propose(ORDERS, Place(source="orders"), "side_output") is None


@pytest.mark.parametrize(
    ("schema", "keys", "equal_to"),
    [
        ("n LONG, who STRING", ("who",), None),
        ("rate DOUBLE, name STRING", ("who",), ("name",)),
    ],
)
def test_two_inputs_are_joined_by_columns_of_one_type(
    schema: str, keys: tuple[str, ...], equal_to: tuple[str, ...] | None
) -> None:
    document = pipeline(
        {"id": "orders", "type": "legacy_source", "rows": ROWS},
        {"id": "rates", "type": "legacy_source", "rows": {"values": [], "schema": schema}},
    )

    for type in ("join", "co_group"):
        addition = propose(document, Place(source="orders"), type)
        assert addition is not None
        assert (addition.main.keys, addition.main.equal_to) == (keys, equal_to)
    addition = propose(document, Place(source="orders"), "interval_join")
    assert addition is not None
    assert [part.keys for part in addition.key_bys] == [keys, equal_to or keys]


def test_a_computed_column_is_a_key_by_its_name() -> None:
    computed = {"who": "lower(who)", "n": "n + 1"}
    document = pipeline(
        {"id": "orders", "type": "legacy_source", "rows": ROWS},
        {"id": "rates", "type": "legacy_source", "rows": ROWS | {"values": []}},
        {"id": "lower", "type": "map", "inputs": ["rates"], "select": computed},
    )

    addition = propose(document, Place(source="lower"), "join", "orders")
    assert addition is not None
    assert (addition.main.keys, addition.main.equal_to) == (("who",), None)


def test_an_addition_between_two_is_read_by_the_second_alone() -> None:
    place = Place(source="checked", reader="out")
    addition = propose(ORDERS, place, "join", "rates")
    assert addition is not None
    longer = add(ORDERS, place, addition)

    assert longer.transformation("out").inputs == (addition.id,)
    assert longer.transformation(addition.id).inputs == ("checked", "rates")
    order = [transformation.id for transformation in longer.transformations]
    assert order == ["orders", "checked", "rates", addition.id, "out"]


def test_a_sink_offers_the_places_before_it_and_an_empty_program_a_source() -> None:
    assert places_at(ORDERS, "out") == (Place(source="checked", reader="out"),)
    assert places_at(ORDERS, None) == (Place(source="rates"),)
    assert set(offers(PROGRAMS[0], Place())) == {"source", "legacy_source"}
    assert group_of(KINDS["window_all"]) == "windows"
    assert group_of(KINDS["keyed_co_process"]) == "two inputs"
