"""Verdicts on serializers: the first judge that knows an operator decides on it."""

from explorer.analysis.baseline import Baseline, compile_baseline
from explorer.analysis.declared_states import judge_documents
from explorer.analysis.restore import match_deployed
from explorer.analysis.serializer_verdicts import judge_serializers
from explorer.analysis.state_cases import StateCase
from explorer.analysis.state_types import JUDGES, state_verdicts
from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from tests.analysis.test_declared_states import program


def case(*, real: bool = False) -> StateCase:
    """A restore of a program that declares its work; ``real``: from a savepoint without it."""
    document = load_document(program())
    old = compile_baseline(Baseline(name="v1", document=document))
    if real:
        old = compile_baseline(Baseline(name="savepoint", savepoint=old.savepoint))
    new = compile_program(document)
    matches = match_deployed(old, document, new)
    takers = {id: one.node for id, one in matches.items() if one.node is not None}
    return StateCase(old, document, new, takers)


def reduced(of: StateCase) -> str:
    """The ID of the operator with keyed state."""
    return next(id for id, held in of.old.held.items() if held.what == "keyed state")


def test_documents_that_declare_their_work_decide_before_serializers() -> None:
    both = case()
    declared, serializers = judge_documents(both), judge_serializers(both)
    id = reduced(both)

    found = state_verdicts(both)

    assert (judge_documents, judge_serializers) == JUDGES
    assert {one.verdict for one in serializers[id]} == {"unknown"}
    assert {one.verdict for one in found[id]} == {"compatible"}
    assert found == {**serializers, **declared}


def test_operators_that_the_first_judge_does_not_know_get_the_verdicts_of_the_second() -> None:
    saved = case(real=True)

    assert judge_documents(saved) == {}
    assert state_verdicts(saved) == judge_serializers(saved)
    assert reduced(case()) in state_verdicts(saved)


def test_state_that_no_operator_restores_has_no_verdict() -> None:
    alone = case()._replace(takers={})

    assert state_verdicts(alone) == {}
