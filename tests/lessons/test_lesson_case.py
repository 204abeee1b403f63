"""The subject of a question: its pipeline, the change, and the baseline."""

import pytest

from explorer.comparison.baseline import Baseline, baseline_values
from explorer.documents import load_document
from explorer.errors import DocumentError
from explorer.lessons.lesson_case import LessonCase, LessonProgram
from explorer.model.lesson import PipelineChange, Question
from explorer.savepoints import expected_savepoint
from tests.lessons.asked import A_TO_E, WIDER, case


def test_without_a_change_both_compilations_are_one() -> None:
    same, wider = case(A_TO_E), case(A_TO_E, after=WIDER)

    assert same.compilation is same.before
    assert same.changed is same.document
    assert len(wider.compilation.job_graph.vertices) == 3 > len(wider.before.job_graph.vertices)
    assert same.change_sentence == ""
    assert wider.change_sentence == "Set the parallelism of C to 3. "


def test_a_change_that_flink_refuses_is_an_error_at_its_place() -> None:
    twice = PipelineChange(set={"D": {"uid": "x"}, "E": {"uid": "x"}})

    with pytest.raises(DocumentError, match=r"ask\.after: Flink refuses this pipeline"):
        _ = case(A_TO_E, after=twice).compilation


def test_ids_are_compared_with_the_baseline_else_with_the_document_before() -> None:
    alone = case(A_TO_E, "ids", after=WIDER)
    older = Baseline(name="v1", document=load_document(A_TO_E).under("1.9"))
    document = load_document(A_TO_E).with_baseline(baseline_values(older))
    since = LessonCase(
        program=LessonProgram(document=document), question=Question(fact="ids"), path="ask"
    )

    assert alone.was is alone.before
    assert since.was.release.version == "1.9"
    assert since.base.name == "v1"
    with pytest.raises(DocumentError, match="ask: the pipeline holds no baseline"):
        _ = case(A_TO_E, "ids").base


def test_a_baseline_without_a_release_is_compiled_for_the_documents() -> None:
    older = Baseline(name="v1", document=load_document(A_TO_E))
    document = load_document(A_TO_E).under("1.9").with_baseline(baseline_values(older))
    since = LessonCase(
        program=LessonProgram(document=document), question=Question(fact="restores"), path="ask"
    )

    assert since.was.release.version == "1.9"
    assert {one.change for one in since.restored.operators} == {"kept"}


def test_a_savepoint_alone_has_no_program_to_compare_ids_with() -> None:
    whole = case(A_TO_E)
    savepoint = expected_savepoint(whole.before, whole.before.held_states)
    values = baseline_values(Baseline(name="sp", savepoint=savepoint))
    document = load_document(A_TO_E).with_baseline(values)
    since = LessonCase(
        program=LessonProgram(document=document), question=Question(fact="restores"), path="ask"
    )

    assert since.restored.error is None
    with pytest.raises(DocumentError, match="the baseline is a savepoint without its program"):
        _ = since.was


def test_an_edge_and_an_operator_are_those_of_the_changed_graph() -> None:
    found = case(A_TO_E, "chained", edge=("B", "D"), after=PipelineChange(delete="C"))

    assert found.edge == 1
    with pytest.raises(DocumentError, match=r"ask\.edge: "):
        _ = case(A_TO_E, "chained", edge=("B", "D")).edge
    with pytest.raises(DocumentError, match=r"ask\.operator: there is no operator 'Q'"):
        case(A_TO_E, "id", operator="Q").node(found.compilation.stream_graph)


def test_questions_of_a_lesson_share_what_they_compile() -> None:
    program = LessonProgram(document=load_document(A_TO_E))
    first, second, other = (
        LessonCase(program=program, question=Question(fact=fact, after=change), path="ask")
        for fact, change in (("tasks", WIDER), ("restores", WIDER), ("tasks", None))
    )

    assert first.compilation is second.compilation
    assert other.compilation is first.before is second.was
    assert first.restored is second.restored
    assert first.traced[1] is second.traced[1]
