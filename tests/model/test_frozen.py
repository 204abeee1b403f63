"""A compilation is immutable: neither its records nor their members can be edited."""

import copy
import pickle
from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given

from explorer import compile_graph
from explorer.documents import document_values, load_document
from explorer.edits import set_environment, set_node_field
from explorer.flink.passes.generation.taggers import Tagger
from explorer.model.document import StreamGraphDocument
from explorer.model.frozen import FrozenDict
from explorer.model.pipeline import Pipeline
from tests.strategies import pipelines


def held(value: object) -> Iterator[Any]:
    """The value and all that it holds, however deep."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        yield here
        if isinstance(here, msgspec.Struct):
            waiting += msgspec.structs.astuple(here)
        elif isinstance(here, Mapping):
            waiting += [*here.keys(), *here.values()]
        elif isinstance(here, tuple | frozenset):
            waiting += here


def editable(value: object) -> list[object]:
    """What of it can be edited, found by trying."""
    found: list[object] = []
    for each in held(value):
        try:
            if isinstance(each, msgspec.Struct):
                setattr(each, each.__struct_fields__[0], getattr(each, each.__struct_fields__[0]))
            elif isinstance(each, Mapping):
                cast("dict[object, object]", each)[next(iter(each), 0)] = 0
            elif not isinstance(each, list | set | bytearray):
                continue
        except (AttributeError, TypeError):
            continue
        found.append(each)
    return found


@given(pipelines(iterations=True))
def test_no_record_of_a_compilation_can_be_edited(pipeline: Pipeline) -> None:
    done = compile_graph(pipeline, trace=True)

    assert editable(done) == []
    assert editable(done.execution_graph) == []
    assert editable(done.decisions) == []
    assert editable(done.view) == []


def test_no_record_can_be_edited_that_comes_out_of_a_document_or_an_edit() -> None:
    pipeline = load_document(
        {
            "environment": {
                "configuration": {"a": "b"},
                "artifacts": {"c": "d"},
                "slot_sharing_groups": {
                    "default": {"cpu": 1, "heap_mb": 1, "external": {"gpu": 1}}
                },
            },
            "transformations": [
                {"id": "a", "type": "source"},
                {"id": "b", "type": "map", "inputs": ["a"], "select": {"n": "1"}},
            ],
        }
    )
    assert isinstance(pipeline, Pipeline)
    graph = load_document(document_values(StreamGraphDocument(stream_graph=_graph(pipeline))))
    assert isinstance(graph, StreamGraphDocument)
    edited = set_node_field(graph, graph.stream_graph.nodes[0].id, "uid", "mine")

    for document in (pipeline, set_environment(pipeline, "parallelism", 2), graph, edited):
        assert editable(document) == []
        assert editable(compile_graph(document)) == []


def _graph(pipeline: Pipeline) -> Any:
    return compile_graph(pipeline).stream_graph


def test_every_edit_of_a_mapping_is_refused() -> None:
    frozen = FrozenDict({"a": 1})
    ways: list[Any] = [
        lambda: frozen.__setitem__("b", 2),
        lambda: frozen.__delitem__("a"),
        lambda: frozen.__ior__({"b": 2}),
        lambda: frozen.setdefault("b", 2),
        lambda: frozen.update(b=2),
        lambda: frozen.pop("a"),
        frozen.popitem,
        frozen.clear,
        lambda: setattr(frozen, "b", 2),
    ]
    for way in ways:
        with pytest.raises((TypeError, AttributeError)):
            way()

    assert frozen == {"a": 1}
    assert frozen | {"b": 2} == {"a": 1, "b": 2}


def test_a_record_that_extends_another_freezes_what_that_holds() -> None:
    tagger = Tagger(id="a", type="map", select={"n": "1"}, of="join", tags=1)

    assert editable(tagger) == []


def test_a_frozen_mapping_is_written_and_copied_as_any_other() -> None:
    frozen = FrozenDict({"a": 1})

    assert msgspec.json.encode(frozen) == b'{"a":1}'
    pickled = pickle.loads(pickle.dumps(frozen))  # noqa: S301 - written just here
    for same in (pickled, copy.deepcopy(frozen)):
        assert same == frozen
        assert type(same) is FrozenDict
