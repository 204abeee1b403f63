"""States that two documents declare themselves: equal work on equal columns is a checked type."""

from typing import Any

import pytest

from explorer import check_restore
from explorer.comparison.baseline import Baseline, compile_baseline
from explorer.comparison.baseline_matches import match_deployed
from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from explorer.model.coverage import ASPECTS
from explorer.restore.declared_states import judge_documents
from explorer.restore.serializer_verdicts import judge_serializers
from explorer.restore.verdict import restore
from tests.many_cases import for_each

SCHEMA = "carrier STRING, delay LONG"
ROWS = {"path": "flights.csv", "format": "csv", "schema": SCHEMA}
UNTYPED = {"path": "flights.csv", "format": "csv"}
SUM: list[dict[str, Any]] = [
    {"id": "flights", "type": "source", "rows": ROWS},
    {"id": "late", "type": "filter", "inputs": ["flights"], "where": "delay > 15"},
    {"id": "by", "type": "key_by", "inputs": ["late"], "keys": ["carrier"]},
    {"id": "sum", "type": "reduce", "inputs": ["by"], "aggregate": {"delay": "sum(delay)"}},
    {"id": "out", "type": "sink", "inputs": ["sum"]},
]


def program(id: str = "", **fields: Any) -> dict[str, Any]:
    changed = [one | fields if one["id"] == id else one for one in SUM]
    given = [{k: v for k, v in one.items() if v is not None} for one in changed]
    return {"flink": "2.2", "transformations": given}


def test_a_program_that_declares_all_its_work_is_checked_in_full() -> None:
    found = check_restore(program(), program("late", name="delayed"))

    assert found.checked == ASPECTS
    assert (found.unchecked, found.exit_code()) == ((), 0)
    assert found.sentence == "Flink 2.2 restores: 2 states found, 0 lost."


def test_a_program_without_state_is_checked_in_full() -> None:
    source = {"id": "flights", "type": "legacy_source", "rows": ROWS}
    old = {"transformations": [source, SUM[1], {**SUM[4], "inputs": ["late"]}]}

    found = check_restore(old, old)

    assert found.exit_code() == 0
    assert found.to_dict()["checked"] == list(ASPECTS)


@for_each(
    ("id", "fields", "unchecked"),
    [
        ("sum", {"aggregate": None}, ("key types", "state types", "user code")),
        ("sum", {"aggregate": {"delay": "max(delay)"}}, ("state types",)),
        ("by", {"keys": ["delay"]}, ("key types",)),
        ("flights", {"rows": ROWS | {"schema": "carrier LONG, delay LONG"}}, None),
        ("flights", {"rows": UNTYPED}, None),
    ],
)
def test_facts_that_documents_do_not_show_are_unchecked(
    id: str, fields: dict[str, Any], unchecked: tuple[str, ...] | None
) -> None:
    found = check_restore(program(), program(id, **fields))

    assert found.verdict == "restored"
    assert found.exit_code() == 3
    assert found.exit_code(accept_unchecked=True) == 0
    assert found.unchecked == (unchecked or ("key types", "state types"))
    assert "not checked" in found.sentence
    assert found.to_dict()["unchecked"] == list(found.unchecked)


@pytest.mark.parametrize("real", [False, True], ids=["document", "savepoint"])
def test_documents_decide_before_serializers_and_not_on_savepoints(
    real: bool,  # noqa: FBT001
) -> None:
    document = load_document(program())
    old = compile_baseline(Baseline(name="v1", document=document))
    count = next(id for id, held in old.held.items() if held.what == "keyed state")
    if real:
        old = compile_baseline(Baseline(name="savepoint", savepoint=old.savepoint))
    new = compile_program(document)
    matches = match_deployed(old, document, new)
    takers = {id: one.node for id, one in matches.items() if one.node is not None}
    declared = judge_documents(old, new, takers)
    serializers = judge_serializers(old, new, takers)

    operators = restore(old, document, new).operators
    found = {one.operator_id: one.states for one in operators if one.operator_id and one.states}

    assert found == {id: one for id, one in (serializers | declared).items() if one}
    assert {one.verdict for one in serializers[count]} == {"unknown"}
    assert {one.verdict for one in found[count]} == {"unknown" if real else "compatible"}
    assert (not declared) == real
    assert judge_documents(old, new, {}) == judge_serializers(old, new, {}) == {}
