"""A verdict joined with a real rehearsal, against what real clusters did.

``rehearsals.jsonl.gz`` is what ``rehearse`` printed for the programs of ``schemas.jsonl.gz`` on
1.20.5 with HashMap.
"""

import base64
from functools import cache
from typing import Final

import pytest
from msgspec.json import encode
from msgspec.structs import replace

from explorer import check_restore
from explorer.documents.rehearsals import parse_rehearsal
from explorer.model.rehearsal import Rehearsal
from explorer.restore.rehearsed_verdicts import RehearsalReportError, with_rehearsal
from explorer.restore.restored import RestoreVerdict
from tests.golden_files import cases

VERSION: Final = "1.20.5"
LATE: Final = {"lazy_int_long", "state_renamed"}
"""Programs that do not ask for the saved state when they open: it stays undecided."""
CODE: Final = {"open_fails", "kryo_class_renamed"}
"""Programs that fail in code of theirs, or before a state's name is known."""


@cache
def verdicts() -> dict[str, tuple[RestoreVerdict, Rehearsal]]:
    """Map cases to the static verdict and the rehearsal."""
    saved = {
        each["case"]: base64.b64decode(each["metadata"])
        for each in cases("schemas")
        if each["metadata"]
        and (each["flink_version"], each["backend"]) == (VERSION, "hashmap")
        and each["format"] == "canonical"
    }
    programs = {
        each["case"]: each["new"]
        for each in cases("schema_programs")
        if each["flink_version"] == VERSION
    }
    return {
        each["case"]: (
            check_restore(saved[each["case"]], programs[each["case"]], flink_version="1.20"),
            parse_rehearsal(encode(each["rehearsal"])),
        )
        for each in cases("rehearsals")
    }


def outcomes() -> dict[str, str]:
    return {
        each["case"]: each["outcome"]
        for each in cases("schemas")
        if (each["flink_version"], each["backend"]) == (VERSION, "hashmap")
    }


def test_with_a_rehearsal_the_verdict_is_the_clusters() -> None:
    reported = outcomes()
    for case, (static, rehearsal) in verdicts().items():
        found = with_rehearsal(static, rehearsal)
        if case in LATE:
            assert (found.verdict, "state types" in found.unchecked) == ("restored", True)
        elif case in CODE:
            assert found.unchecked
        else:
            assert found.verdict == {"failed": "refused"}.get(reported[case], "restored"), case
        if found.verdict == "refused":
            assert reported[case] == "failed"


def test_state_that_a_rehearsal_restored_is_checked() -> None:
    static, rehearsal = verdicts()["pojo_field_added"]

    found = with_rehearsal(static, rehearsal)

    assert "state types" in static.unchecked
    assert "state types" in found.checked
    keep = next(one for one in found.operators if one.name == "Keep")
    assert keep.user_code == "rehearsed"
    state = next(one for one in keep.states if one.state == "v")
    assert state.verdict in {"compatible", "migrated"}
    assert "Flink 1.20.5 with hashmap restored it in a rehearsal" in state.sentence


@pytest.mark.parametrize("member", ["operator_id", "new_id"])
def test_an_operator_is_rehearsed_under_its_old_id_or_its_new_one(member: str) -> None:
    static, rehearsal = verdicts()["pojo_field_added"]
    operators = [
        replace(operator, **{member: "0" * 32}) if operator.name == "Keep" else operator
        for operator in static.operators
    ]

    verdict = with_rehearsal(replace(static, operators=tuple(operators)), rehearsal)

    keep = next(operator for operator in verdict.operators if operator.name == "Keep")
    assert keep.user_code == "rehearsed"


def test_no_verdict_is_greener_than_the_rehearsal() -> None:
    at_least = {"restored": {0, 1, 3}, "incomplete": {1, 3}, "refused": {1}}
    for case, (static, rehearsal) in verdicts().items():
        found = with_rehearsal(static, rehearsal)
        sentences = [one.sentence for one in found.restrictions]

        assert found.exit_code() in at_least[rehearsal.verdict], case
        for one in rehearsal.operators:
            assert any(f"'{one.name}'" in sentence for sentence in sentences), case


def test_code_that_cannot_open_refuses_with_its_exception() -> None:
    static, rehearsal = verdicts()["open_fails"]

    found = with_rehearsal(static, rehearsal)

    assert found.verdict == "refused"
    assert "java.net.ConnectException: Connection refused" in found.refusals[0]
    assert any("open() failed in the rehearsal of 'Keep'" in one.because for one in found.coverage)


def test_a_rehearsal_without_any_answer_leaves_the_verdict_open() -> None:
    static, rehearsal = verdicts()["same"]
    sentence = "No operator was rehearsed: the JVM ended."
    silent = replace(rehearsal, verdict="incomplete", operators=(), unchecked=(sentence,))

    found = with_rehearsal(static, silent)

    assert (found.exit_code(), found.assumptions[-1]) == (3, sentence)


def test_a_rehearsal_of_another_release_is_refused() -> None:
    static, rehearsal = verdicts()["same"]

    with pytest.raises(RehearsalReportError, match="rehearse with that release"):
        with_rehearsal(static, replace(rehearsal, flink_version="2.2.1"))
