"""Restore verdicts as text for a terminal: the sentence, then the evidence."""

from typing import Any

import pytest
from msgspec.structs import replace

from explorer import load_document
from explorer.comparison.baseline import Baseline
from explorer.flink.compiler import compile_program
from explorer.model.coverage import StateVerdict
from explorer.restore.bridge import pin_ids, verify
from explorer.restore.restore_text import (
    REHEARSE,
    bridge_text,
    coverage_lines,
    restore_text,
    state_text,
)
from explorer.restore.verdict import check_restore, restore
from tests.comparison.small_jobs import CLEANED, COUNT, program


def test_the_text_has_the_verdict_and_a_line_for_each_operator() -> None:
    old, new = load_document(program(COUNT)), load_document(program(CLEANED, parallelism=2))
    found = restore(Baseline(name="old.yaml", document=old), new, compile_program(new))

    said = restore_text(found)

    assert "Against old.yaml (Flink 2.2): Flink 2.2 refuses" in said
    assert "count: parallelism 1 → 2. 64 of 128 key groups get another subtask" in said

    assert "restores only with allowNonRestoredState" in said
    assert "! changed   known    count: its keyed state finds no operator" in said
    assert "×1 of at most 128 (derived)" in said


def test_unchecked_states_come_with_the_command_that_checks_them() -> None:
    found = check_restore(program(COUNT), {**program(COUNT), "name": "other words"})

    assert list(coverage_lines(found))[-1] == f"To check with Flink itself: {REHEARSE}"


def test_a_verdict_that_covers_everything_names_no_command() -> None:
    found = check_restore(program(COUNT), program(COUNT))
    covered = tuple(replace(one, checked=True) for one in found.coverage)

    assert list(coverage_lines(replace(found, coverage=covered))) == [
        "Checked: IDs, parallelism and maximum parallelism, key types, state types, release, "
        "user code"
    ]


def test_a_bridge_is_printed_in_java_and_in_python() -> None:
    new = load_document(program(CLEANED))
    old = Baseline(name="v1", document=load_document(program(COUNT)))
    before = check_restore(old, new)
    bridge = pin_ids(before, new)

    text = bridge_text(bridge, verify(old, before, bridge))

    (count,) = [one for one in before.operators if one.name == "count"]
    assert f'setUidHash("{count.operator_id}")' in text.partition("Python:")[0]
    assert f"{count.operator_id}" in text.partition("Python:")[2]
    assert "Then: Against v1 (Flink 2.2): IDs and parallelism match" in text


def state(**fields: object) -> StateVerdict:
    members = {
        "aspect": "state types",
        "state": "seen",
        "kind": "value",
        "verdict": "compatible",
        "sentence": "as it is.",
    }
    return StateVerdict(**(members | fields))  # type: ignore[arg-type]


def test_a_states_line_has_both_types_and_what_decides() -> None:
    assert state_text(state(before="INT", after="INT")) == "value seen of INT: as it is."
    assert state_text(state(before="INT", after="LONG", verdict="unknown")) == (
        "value seen of INT -> LONG: not checked: as it is."
    )
    refused = state(verdict="incompatible", rule="a LONG reads no INT", sentence="Flink's words")
    assert state_text(refused) == "value seen: refused: a LONG reads no INT"


def test_a_long_type_is_cut_and_control_characters_are_no_text() -> None:
    line = state_text(state(before="x" * 1000, sentence="a\x1b[31mb"))

    assert f"{'x' * 399}…: " in line
    assert "\x1b" not in line


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "No operator needs a pin."),
        ({"parallelism": 200}, "No pin is given: none changes this verdict."),
    ],
)
def test_a_bridge_without_pins_says_why(settings: dict[str, Any], sentence: str) -> None:
    new = load_document(program(COUNT, **settings))
    old = Baseline(name="v1", document=load_document(program(COUNT)))
    before = check_restore(old, new)
    bridge = pin_ids(before, new)

    assert bridge.pins == ()
    assert sentence in bridge_text(bridge, verify(old, before, bridge)).splitlines()
