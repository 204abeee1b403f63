"""A legal document with something broken in it is either legal still or refused in one line."""

import copy
import json
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from explorer import compile_graph
from explorer.documents import dump_json, dump_yaml, load_document, parse_document
from explorer.errors import ExplorerError
from explorer.model.pipeline import Pipeline
from tests.strategies import NAUGHTY, documents, pipelines

Result = TypeVar("Result")

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(-2, 40_000),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(NAUGHTY),
    st.sampled_from(("s", "map", "window", "id", "inputs", "rows", "\ud800")),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def broken(draw: st.DrawFn, legal: dict[str, Any]) -> dict[str, Any]:
    """The document with one value, anywhere in it, replaced, removed, added or doubled."""
    document: dict[str, Any] = copy.deepcopy(legal)
    here: Any = document
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return document
        key = draw(st.sampled_from(keys))
        inner = here[key]
        if not isinstance(inner, dict | list) or draw(st.integers(0, 2)) == 0:
            break
        here = inner
    how = draw(st.sampled_from(("replace", "remove", "add", "double")))
    if how == "replace":
        here[key] = draw(VALUES)
    elif how == "remove":
        del here[key]
    elif isinstance(here, dict):
        here[draw(st.text(max_size=6))] = draw(VALUES)
    else:
        here.append(copy.deepcopy(here[key]) if how == "double" else draw(VALUES))
    return document


def attempt(work: Callable[[], Result]) -> tuple[Result | None, str]:
    """What the work gives, or the one kind of error that it may raise, as text."""
    try:
        return work(), ""
    except ExplorerError as error:
        return None, str(error)


@settings.get_profile("mutations")
@given(st.data())
def test_a_mutated_pipeline_loads_or_is_refused_in_one_harmless_line(data: st.DataObject) -> None:
    document = data.draw(broken(data.draw(documents(max_size=6, compiles=False))))
    pipeline, refusal = attempt(lambda: load_document(document))

    assert refusal.isprintable()
    assert len(refusal) < 1_500
    if isinstance(pipeline, Pipeline):
        assert parse_document(dump_yaml(pipeline)) == pipeline
        attempt(lambda: compile_graph(pipeline, "1.20"))


@settings.get_profile("mutations")
@given(st.data())
def test_a_mutated_stream_graph_compiles_or_is_refused_in_one_line(data: st.DataObject) -> None:
    legal = compile_graph(data.draw(pipelines(max_size=5)), "1.20").to_dict()
    document = data.draw(broken({"stream_graph": json.loads(json.dumps(legal["stream_graph"]))}))
    loaded, refusal = attempt(lambda: load_document(document))

    assert refusal.isprintable()
    if loaded is not None:
        parse_document(dump_json(loaded))
        attempt(lambda: compile_graph(loaded, "1.20"))


@settings.get_profile("mutations")
@given(st.data())
def test_a_mutated_plan_compiles_or_is_refused_in_one_line(data: st.DataObject) -> None:
    legal = compile_graph(data.draw(pipelines(max_size=5)), "1.20").to_dict()["execution_plan"]
    document = data.draw(broken(json.loads(json.dumps(legal))))
    loaded, refusal = attempt(lambda: load_document(document))

    assert refusal.isprintable()
    if loaded is not None:
        attempt(lambda: compile_graph(loaded, "1.20"))


@settings.get_profile("mutations")
@given(
    st.one_of(st.text(), st.binary(), st.text("{}[]:,-&*!|>'\"%@`?#\n\t ab01\\")),
    st.sampled_from(("a.yaml", "a.json", "a")),
)
def test_any_text_at_all_loads_or_is_refused_in_one_line(content: str | bytes, name: str) -> None:
    _, refusal = attempt(lambda: parse_document(content, name=name))

    assert refusal.isprintable()
    assert len(refusal) < 1_000


@settings.get_profile("mutations")
@given(st.data())
def test_a_yaml_text_with_a_piece_cut_out_loads_or_is_refused_in_one_line(
    data: st.DataObject,
) -> None:
    text = dump_yaml(data.draw(pipelines(max_size=5, compiles=False)))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 10)))
    _, refusal = attempt(lambda: parse_document(text[:start] + text[end:], name="a.yaml"))

    assert refusal.isprintable()
