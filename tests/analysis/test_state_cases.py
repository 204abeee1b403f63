"""Verdicts on serializers: documents that declare an operator's work decide before serializers."""

from explorer.analysis.baseline import Baseline, compile_baseline
from explorer.analysis.declared_states import judge_documents
from explorer.analysis.restore import match_deployed, restore
from explorer.analysis.serializer_verdicts import judge_serializers
from explorer.analysis.state_cases import StateCase, StateVerdicts
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


def verdicts(of: StateCase) -> StateVerdicts:
    """The verdicts in the result of the restore, by operator ID."""
    operators = restore(of.old, of.document, of.new).operators
    return {one.operator_id: one.states for one in operators if one.operator_id and one.states}


def reduced(of: StateCase) -> str:
    """The ID of the operator with keyed state."""
    return next(id for id, held in of.old.held.items() if held.what == "keyed state")


def test_documents_that_declare_their_work_decide_before_serializers() -> None:
    both = case()
    declared, serializers = judge_documents(both), judge_serializers(both)
    id = reduced(both)

    found = verdicts(both)

    assert {one.verdict for one in serializers[id]} == {"unknown"}
    assert {one.verdict for one in found[id]} == {"compatible"}
    assert found == {id: one for id, one in {**serializers, **declared}.items() if one}


def test_operators_that_documents_do_not_declare_get_the_verdicts_of_serializers() -> None:
    saved = case(real=True)
    serializers = judge_serializers(saved)

    assert judge_documents(saved) == {}
    assert verdicts(saved) == {id: one for id, one in serializers.items() if one}
    assert reduced(case()) in verdicts(saved)


def test_state_that_no_operator_restores_has_no_verdict() -> None:
    alone = case()._replace(takers={})

    assert judge_serializers(alone) == judge_documents(alone) == {}
