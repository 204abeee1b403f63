"""What the compiler answers to a lesson's questions, beside what other rooms say of the same."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from explorer.analysis.compare import compare
from explorer.analysis.lessons import (
    FACTS,
    answer,
    chains_question,
    foreseen_changes,
    moved_ids_question,
)
from explorer.analysis.restore import check_restore
from explorer.deployment import deploy
from explorer.documents import load_document, samples
from explorer.drawing.graph_view import graph_view
from explorer.flink.compiler import compile_program
from explorer.model.lesson import Answer, PipelineChange, Question
from explorer.model.pipeline import Pipeline
from tests.strategies import pipelines

A_TO_E = next(one.path for one in samples() if one.key == "02-a-to-e")
HOURLY = next(one.path for one in samples() if one.key == "14-windows")
WIDER = PipelineChange(set={"C": {"parallelism": 3}})

TWICE = PipelineChange(set={"D": {"uid": "x"}, "E": {"uid": "x"}})


def asked(path: Path, fact: str, **about: Any) -> Answer:
    return answer(Question(fact=fact, **about), load_document(path))


@pytest.mark.parametrize(
    ("fact", "about", "right", "why"),
    [
        ("chained", {"edge": ("C", "D")}, ["no"], "CH04 fails. Needed: "),
        ("chained", {"edge": ("A", "B")}, ["yes"], "all 12 conditions hold"),
        ("chained", {"edge": ("B", "C"), "after": WIDER}, ["no"], "parallelism 2 and 3"),
        ("chains", {}, ["0", "1", "3"], "3 of 4 edges chain"),
        ("tasks", {}, ["2"], "Source: A -> B -> C"),
        ("subtasks", {}, ["4"], "2 of D -> Sink: E"),
        ("slots", {}, ["2"], "default 2"),
        ("channels", {"edge": ("C", "D")}, ["2"], "POINTWISE"),
        ("channels", {"edge": ("A", "B")}, ["0"], "a method call"),
        ("channels", {"edge": ("B", "C"), "after": WIDER}, ["6"], "ALL_TO_ALL"),
        ("ship_strategy", {"edge": ("B", "C"), "after": WIDER}, ["REBALANCE"], "2 and 3"),
        ("id", {"operator": "A", "after": WIDER}, ["kept"], "none of that changed"),
        ("id", {"operator": "B", "after": WIDER}, ["moved"], "it has 0 chained outputs, and had 1"),
        ("ids", {"after": WIDER}, ["2", "3", "4", "5"], "4 of 5 operators"),
        ("max_parallelism", {"operator": "C"}, ["128"], "derives it"),
        ("key_groups", {"operator": "C"}, ["64"], "0 to 63"),
        ("task_managers", {}, ["2"], "2 slots"),
        ("network_buffers", {}, ["suffice"], "requires 3 of"),
        ("refused", {}, ["accepted"], "2 tasks"),
        ("refused", {"after": TWICE}, ["refused"], "Hash collision"),
        ("result_type", {"edge": ("C", "D")}, ["PIPELINED_BOUNDED"], "STREAMING"),
        ("result_type", {"edge": ("A", "B")}, ["none"], "a method call"),
    ],
)
def test_the_compiler_answers_with_a_reason(
    fact: str, about: dict[str, Any], right: list[str], why: str
) -> None:
    found = asked(A_TO_E, fact, **about)

    assert list(found.right) == right
    assert why in found.reason
    assert {*found.right} <= {one.key for one in found.choices}


@pytest.mark.parametrize(
    ("fact", "right", "why"),
    [
        ("restores", ["drops"], "allowNonRestoredState"),
        ("state", ["lost"], "its keyed state finds no operator"),
        ("moved_key_groups", ["96"], "From 2 to 4 subtasks"),
    ],
)
def test_state_is_asked_of_the_restore(fact: str, right: list[str], why: str) -> None:
    about = {} if fact == "restores" else {"operator": "hourly"}
    wider = PipelineChange(set={"hourly": {"parallelism": 4}})
    found = asked(HOURLY, fact, after=wider, **about)

    assert list(found.right) == right
    assert why in found.reason


def test_a_number_stands_among_at_least_three() -> None:
    for fact in ("tasks", "slots", "subtasks", "task_managers"):
        assert len(asked(A_TO_E, fact).choices) >= 3


def test_of_the_drawn_only_what_is_asked_of_the_pipeline_as_it_is_has_to_be_hidden() -> None:
    assert asked(A_TO_E, "tasks").hides
    assert not asked(A_TO_E, "tasks", after=WIDER).hides
    assert not asked(A_TO_E, "slots").hides


@given(pipelines())
def test_what_chains_is_what_is_drawn_as_chained(pipeline: Pipeline) -> None:
    found = answer(Question(fact="chains"), pipeline)
    view = graph_view(compile_program(pipeline))

    assert found.right == tuple(str(edge.index) for edge in view.edges if edge.chained)
    assert found.score({edge.key for edge in found.choices if edge.key in found.right}) == (
        len(view.edges),
        len(view.edges),
    )


@given(pipelines())
def test_the_ids_that_move_are_those_that_a_comparison_finds(pipeline: Pipeline) -> None:
    before = compile_program(pipeline, trace=True)
    for change in foreseen_changes(pipeline)[:3]:
        found = moved_ids_question(before, change)
        after = compile_program(change.document, before.release.version)
        moved = {
            str(one.before.node)
            for one in compare(before, after).operators
            if one.before and one.verdict == "moved"
        }

        assert set(found.right) == moved
        assert set(found.reasons) == {one.key for one in found.choices}


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.key)
def test_facts_of_a_job_are_those_of_the_rooms_that_know_them(sample: Any) -> None:
    document = load_document(sample.path)
    done = compile_program(document)
    known = {
        "tasks": len(done.job_graph.vertices),
        "slots": deploy(document).slots,
        "subtasks": done.execution_graph.counts.subtasks,
    }

    assert {fact: int(asked(sample.path, fact).right[0]) for fact in known} == known


def test_a_restore_is_asked_from_the_baseline_where_there_is_one() -> None:
    sample = next(one.path for one in samples() if one.key == "19-harmless-deploy")
    document = load_document(sample)
    assert document.baseline is not None
    found = check_restore(load_document(document.baseline["document"]), document)

    assert asked(sample, "restores").reason.startswith(found.sentence)
    assert asked(sample, "restores").right == ("drops",)


def test_every_fact_is_asked_of_something_and_put_in_words() -> None:
    for name, fact in FACTS.items():
        assert fact.name == name
        assert fact.words.endswith("?")
        assert ("{source}" in fact.words) is (fact.takes == "edge")
        assert ("{operator}" in fact.words) is (fact.takes == "operator")


def test_chains_may_be_predicted_of_a_changed_strategy() -> None:
    document = load_document(A_TO_E)
    done = compile_program(document)
    changes = {one.label: one for one in foreseen_changes(document)}

    whole, changed = chains_question(done), chains_question(done, changes["Set D to NEVER"])
    assert whole.right_texts == ("Source: A → B", "B → C", "D → Sink: E")
    assert changed.question == "Set D to NEVER. Which edges will chain?"
    assert changed.right_texts == ("Source: A → B", "B → C")
    assert changed.hides
    assert changed.partitioners
