"""Suggested fixes are made, compiled and checked again."""

from explorer.documents import load_document
from explorer.explain.suggested_fixes import Attempt, FixOutcome, try_proposal
from explorer.flink.compiler import compile_program
from explorer.model.changes import to_set
from explorer.model.pipeline import Pipeline

DOCUMENT = {
    "transformations": [
        {"id": "s", "type": "legacy_source"},
        {"id": "o", "type": "sink", "inputs": ["s"], "parallelism": 2},
    ]
}


def pipeline() -> Pipeline:
    document = load_document(DOCUMENT)
    assert isinstance(document, Pipeline)
    return document


def counted(attempt: Attempt) -> FixOutcome:
    done = attempt.compilation
    if done is None:
        return FixOutcome(solved=False, effect=attempt.refusal)
    vertices = len(done.job_graph.vertices)
    return FixOutcome(solved=vertices == 1, effect=f"{vertices} tasks")


def test_a_change_is_compiled_before_it_is_suggested() -> None:
    proposal = to_set("o", "parallelism", 1, "Set parallelism of o to 1")
    before = compile_program(pipeline(), "1.20")
    fix = try_proposal(
        pipeline(), proposal, code="CH09", check=counted, flink_version="1.20", before=before
    )

    assert fix is not None
    assert (fix.code, fix.label) == ("CH09", proposal.label)
    assert (fix.solved, fix.effect) == (True, "1 tasks")
    assert len(compile_program(fix.pipeline, "1.20").job_graph.vertices) == 1


def test_a_change_that_changes_nothing_is_not_suggested() -> None:
    same = to_set("o", "parallelism", 2, "Set parallelism of o to 2")

    assert try_proposal(pipeline(), same, code="CH09", check=counted) is None


def test_a_change_that_the_check_rejects_is_not_suggested() -> None:
    proposal = to_set("o", "parallelism", 1, "Set parallelism of o to 1")

    assert try_proposal(pipeline(), proposal, code="CH09", check=lambda _: None) is None
