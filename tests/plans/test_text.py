"""A plan for a terminal."""

from io import StringIO

import pytest

from explorer.plans.text import WIDTH, plan_text, print_plan
from tests.plans.plans import COUNT, FILTERED, hostile, planned, program


def test_text_has_100_columns_and_no_escapes() -> None:
    text = plan_text(hostile(), details=True)

    assert max(map(len, text.splitlines())) <= WIDTH
    assert "\x1b" not in text
    assert text.startswith("Do not deploy: ")


def test_a_line_has_the_mark_of_its_severity_and_its_fix() -> None:
    lines = plan_text(planned(program(COUNT), program(FILTERED))).splitlines()

    assert [line.split()[:2] for line in lines if line.startswith(" ✗")] == [["✗", "count"]]
    assert "Fix: .setUidHash" in " ".join(" ".join(lines).split())
    assert any(line.startswith("Fix: Give 'Flat Map'") for line in lines)


def test_unchanged_operators_are_counted_until_the_details_list_them() -> None:
    plan = planned(program(COUNT), {**program(COUNT), "name": "other words"})
    short, long = plan_text(plan), plan_text(plan, details=True)

    assert "3 unchanged lines: --details lists them" in short
    assert " ?  Flat Map" not in short
    assert "--details" not in long
    assert " ?  Flat Map" in long


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    def printed(variable: str, value: str) -> str:
        stream = Terminal()
        with monkeypatch.context() as context:
            context.setenv(variable, value)
            print_plan(hostile(), stream)
        return stream.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert printed("TERM", "xterm").startswith("\x1b[1;31mDo not deploy: ")
    assert "\x1b" not in printed("NO_COLOR", "1") + printed("TERM", "dumb")
