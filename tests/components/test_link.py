"""The whole state in the address: it comes back as it was, and nothing in it is trusted."""

import base64
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from components.session.link import LONGEST, from_link, to_link
from components.session.work import Work, edited, opened
from explorer import compile_graph
from explorer.documents import load_document, parse_document, samples
from explorer.edits.history import History
from explorer.errors import ExplorerError
from explorer.lookup.identity import Identity
from explorer.model.pipeline import Pipeline
from tests.many_cases import for_each
from tests.strategies import pipelines


def packed(state: object) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(state).encode())).decode()


@pytest.mark.slow
@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.key)
def test_every_sample_fits_a_link_with_an_edit(sample: object) -> None:
    from explorer.documents import Sample

    assert isinstance(sample, Sample)
    document = load_document(sample.path)
    work = opened(document, sample.key)
    changed = edited(work, document.under("1.15"), "n1")
    text = to_link(changed)

    assert text is not None
    assert len(text) <= LONGEST
    back = from_link(text)
    assert back == replace(changed, history=History())


def test_an_uploaded_lesson_travels_in_the_link() -> None:
    sample = next(item for item in samples() if item.lesson is not None)
    work = replace(opened(load_document(sample.path), "mine.yaml"), lesson=sample.lesson)
    text = to_link(work)

    assert text is not None
    assert from_link(text).lesson == sample.lesson
    with pytest.raises(ExplorerError, match="a lesson is a mapping"):
        from_link(packed({"document": {"transformations": []}, "lesson": 1}))


@given(pipelines(max_size=6, compiles=False), st.sampled_from((None, "n1", "t:a")))
def test_a_link_brings_back_the_same_state(pipeline: Pipeline, selection: str | None) -> None:
    work = Work(document=pipeline, opened=pipeline, origin="a.yaml", selection=selection)
    text = to_link(work)

    if text is not None:
        assert from_link(text) == work
        assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_a_stream_graph_comes_back_too() -> None:
    sink = {"id": "o", "type": "sink", "inputs": ["a"]}
    compiled = compile_graph({"transformations": [{"id": "a", "type": "source"}, sink]})
    document = parse_document(json.dumps({"stream_graph": compiled.to_dict()["stream_graph"]}))
    text = to_link(opened(document, "g.json"))

    assert text is not None
    assert from_link(text).document == document


IDENTITIES = st.frozensets(
    st.tuples(st.text(max_size=5) | st.integers(0, 9), st.integers(0, 3)), max_size=4
)


@given(
    st.none() | st.booleans(),
    IDENTITIES,
    IDENTITIES,
    st.tuples(st.integers(-1, 9), st.integers(-1, 9)),
)
def test_a_link_brings_back_what_is_shown(
    folded: bool | None,  # noqa: FBT001
    folds: frozenset[Identity],
    alone: frozenset[Identity],
    walk: tuple[int, int],
) -> None:
    work = replace(
        opened(load_document(samples()[0].path), ""),
        folded=folded,
        folds=folds,
        alone=alone,
        reach=walk,
    )
    text = to_link(work)

    assert text is not None
    assert from_link(text) == work


def test_of_too_much_that_is_shown_alone_a_link_shows_all() -> None:
    work = opened(load_document(samples()[0].path), "")
    many = frozenset((f"{turn * 7919:x}", turn % 3) for turn in range(3000))
    text = to_link(replace(work, alone=many))

    assert text is not None
    assert from_link(text) == work


@for_each("shown", [5, {"folded": 1}, {"alone": [["a"]]}, {"alone": "a"}, {"walk": [-2, 0]}])
def test_the_shown_parts_of_a_link_must_be_as_the_page_writes_them(shown: object) -> None:
    document = {"transformations": [{"id": "a", "type": "source"}]}
    with pytest.raises(ExplorerError, match="damaged"):
        from_link(packed({"document": document, "shown": shown}))


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda b: b.decode("latin-1")))
def test_nonsense_is_refused_and_nothing_else_happens(text: str) -> None:
    with pytest.raises(ExplorerError):
        from_link(text)


@for_each(
    "state",
    [
        [],
        {},
        {"document": None},
        {"document": {"transformations": [{"id": "a", "type": "x"}]}},
        {"document": {"transformations": []}, "opened": 5},
        {"document": "__import__('os')"},
    ],
)
def test_a_link_that_holds_no_document_is_refused(state: object) -> None:
    with pytest.raises(ExplorerError):
        from_link(packed(state))


def test_other_members_of_a_link_are_not_believed() -> None:
    found = from_link(
        packed({"document": {"transformations": []}, "origin": 3, "selection": ["n1"], "past": 9})
    )

    assert (found.origin, found.selection, found.history.past) == ("", None, ())


@pytest.mark.slow
def test_a_link_that_unpacks_without_end_is_refused() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b"[" * 50_000_000)).decode()

    with pytest.raises(ExplorerError, match="damaged"):
        from_link(bomb)


def test_a_state_that_does_not_fit_makes_no_link() -> None:
    many = [{"id": f"{n * n * 104729:x}", "type": "source"} for n in range(1, 1500)]
    document = parse_document(json.dumps({"transformations": many}))

    assert to_link(opened(document, "")) is None
