"""What is taken over from an earlier compilation, and that it makes no difference."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.documents import load_document
from explorer.edits.transformations import set_environment, set_field
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.pipeline import Pipeline
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
    )
)


def line() -> Pipeline:
    loaded = load_document(LINE)
    assert isinstance(loaded, Pipeline)
    return loaded


def compiled(
    pipeline: Pipeline, version: str = "1.20", before: Compilation | None = None
) -> Compilation:
    return compile_program(pipeline, version, iterations_before=0, before=before)


def same(one: Compilation, other: Compilation, member: str) -> bool:
    return getattr(one, member) is getattr(other, member)


@settings(max_examples=150)
@given(pipelines(), st.sampled_from(RELEASES), st.sampled_from(RELEASES), CHANGES, st.data())
def test_what_was_before_makes_no_difference(
    pipeline: Pipeline, then: str, now: str, change: tuple[str, Any], data: st.DataObject
) -> None:
    one = data.draw(st.sampled_from(pipeline.transformations))
    now = data.draw(st.sampled_from((then, now)))
    try:
        changed = set_field(pipeline, one.id, *change)
        plain = compiled(changed, now)
        before = compiled(pipeline, then)
    except ExplorerError:
        return

    again = compiled(changed, now, before)

    assert again == plain
    assert again.to_dict() == plain.to_dict()
    assert again.decisions == plain.decisions


@settings(max_examples=40)
@given(pipelines(), pipelines())
def test_another_pipeline_before_makes_no_difference(one: Pipeline, other: Pipeline) -> None:
    try:
        plain, before = compiled(one), compiled(other)
    except ExplorerError:
        return

    assert compiled(one, before=before) == plain


def test_a_change_of_expressions_keeps_the_whole_compilation() -> None:
    before = compiled(line())
    after = compiled(set_field(line(), "a", "select", {"n": "n + 2"}), before=before)

    assert after.pipeline != before.pipeline
    assert after.stream_graph is before.stream_graph
    assert after.job_graph is before.job_graph


@pytest.mark.parametrize(
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


def test_nothing_is_kept_from_another_release_or_for_a_trace() -> None:
    before = compiled(line())

    assert compiled(line(), "1.19", before).stream_graph is not before.stream_graph
    traced = compile_program(line(), "1.20", trace=True, before=before)
    assert traced.steps
    assert replace(traced, steps=()) == before


def test_chaining_turned_off_is_seen() -> None:
    before = compiled(line())
    off = set_environment(line(), "chaining", value=False)

    assert compiled(off, before=before) == compiled(off)
