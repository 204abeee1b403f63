"""A match is suggested where one operator alone fits a lost state, with the verdict behind it."""

from typing import Any

import pytest

from explorer.comparison.baseline import Baseline, compile_baseline
from explorer.documents import as_document
from explorer.flink.compiler import compile_program
from explorer.restore.bridge import pin_ids, verify
from explorer.restore.restore_text import bridge_text, restore_text
from explorer.restore.suggested_matches import SuggestedMatches, suggest_matches
from explorer.restore.verdict import RestoreVerdict, check_restore, restore
from explorer.savepoints import expected_savepoint
from tests.plans.plans import COUNT, FILTERED, RENAMED_NEW, RENAMED_OLD, program


def suggested(
    old: list[dict[str, Any]], new: list[dict[str, Any]]
) -> tuple[RestoreVerdict, SuggestedMatches | None]:
    document = as_document(program(new))
    compiled = compile_program(document)
    deployed = compile_baseline(Baseline(name="old.yaml", document=as_document(program(old))))
    verdict = restore(deployed, document, compiled)
    return verdict, suggest_matches(deployed, document, compiled, verdict)


def test_the_only_operator_of_the_kind_is_shown_with_its_pin_and_the_verdict() -> None:
    verdict, suggestion = suggested(RENAMED_OLD, RENAMED_NEW)

    assert verdict.verdict == "refused"
    assert suggestion is not None
    (match,) = suggestion.matches
    assert match.argument == f"--match {match.old.operator_id}=total"
    assert suggestion.then.verdict == "restored"
    text = restore_text(verdict, suggestion)
    assert "'count' of OLD may be 'total', the only new operator of its kind" in text
    assert f'  .setUidHash("{match.old.operator_id}")  // total' in text
    assert f"  Then: {suggestion.then.sentence}" in text
    assert "not checked" in suggestion.then.sentence


def test_a_savepoint_alone_suggests_the_operator_with_keyed_state() -> None:
    """It shows no program: only whether the lost state is keyed."""
    source = {"id": "s", "type": "source", "uid": "s"}
    key = {"id": "k", "type": "key_by", "inputs": ["s"], "keys": ["n"]}
    reduce = {"id": "r", "type": "reduce", "inputs": ["k"], "uid": "old", "name": "old"}
    sink = {"id": "o", "type": "sink", "inputs": ["r"], "uid": "o"}
    old = compile_program(as_document(program([source, key, reduce, sink])))
    savepoint = expected_savepoint(old, old.held_states)
    document = as_document(program([source, key, {**reduce, "uid": "new", "name": "new"}, sink]))
    compiled = compile_program(document)
    deployed = compile_baseline(Baseline(name="sp-1", savepoint=savepoint))
    verdict = restore(deployed, document, compiled)

    suggestion = suggest_matches(deployed, document, compiled, verdict)

    assert suggestion is not None
    assert [match.argument.partition("=")[2] for match in suggestion.matches] == ["r"]


def test_the_argument_as_printed_gives_the_verdict_that_was_printed() -> None:
    _, suggestion = suggested(RENAMED_OLD, RENAMED_NEW)

    assert suggestion is not None
    id, _, handle = suggestion.matches[0].argument.removeprefix("--match ").partition("=")
    chosen = check_restore(program(RENAMED_OLD), program(RENAMED_NEW), matches={id: handle})
    pinned = pin_ids(chosen, as_document(program(RENAMED_NEW))).document
    again = check_restore(program(RENAMED_OLD), pinned, matches={id: handle})
    assert again.sentence == suggestion.then.sentence


OTHER_KEY_GROUPS = [*RENAMED_NEW[:5], {**RENAMED_NEW[5], "max_parallelism": 64}, *RENAMED_NEW[6:]]
"""Flink refuses the old count's 128 key groups for it, whatever IDs the two have."""
_TWIN = {"id": "twin", "type": "reduce", "inputs": ["by"], "name": "twin", "uid": "twin"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (RENAMED_OLD, [*RENAMED_NEW, _TWIN]),
        (RENAMED_OLD, COUNT[:2]),
        (RENAMED_OLD, OTHER_KEY_GROUPS),
        (COUNT, FILTERED),
        (COUNT, COUNT),
    ],
    ids=["two candidates", "none", "refused", "moved and matched", "restored"],
)
def test_nothing_is_suggested_where_no_operator_alone_fits(
    old: list[dict[str, Any]], new: list[dict[str, Any]]
) -> None:
    assert suggested(old, new)[1] is None


def bridge_of(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> str:
    before_document, document = as_document(program(old)), as_document(program(new))
    before = check_restore(before_document, document)
    bridge = pin_ids(before, document)
    baseline = Baseline(name="old.yaml", document=before_document)
    return bridge_text(bridge, verify(baseline, before, bridge))


def test_a_bridge_without_a_pin_names_the_lost_state() -> None:
    named = [one if one["type"] == "key_by" else one | {"uid": one["id"]} for one in COUNT]
    removed = [*named[:2], named[4] | {"inputs": ["words"]}]

    text = bridge_of(named, removed)

    assert text.startswith(
        "No pin is given: no operator of NEW is known to take the lost state of 'count'.\n"
        "Against old.yaml (Flink 2.2): Flink 2.2 refuses"
    )
    assert bridge_of(named, named).startswith("No operator needs a pin.\nAgainst")
