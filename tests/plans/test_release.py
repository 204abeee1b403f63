"""The section *Release*: API that a new release removed, where the program's classes are known."""

from functools import cache
from typing import Any

import pytest

from explorer.model.api_use import ApiUse
from explorer.plans import Plan
from tests.golden_files import cases
from tests.plans.plans import COUNT, planned, program

REMOVED = "removed API"


@cache
def captured() -> dict[str, Any]:
    """A program captured under 1.20."""
    return next(
        each["new"]
        for each in cases("schema_programs")
        if (each["case"], each["flink_version"]) == ("same", "1.20.5")
    )


def upgraded(old: str, new: str, **asked: Any) -> Plan:
    return planned({**captured(), "flink": old}, {**captured(), "flink": new}, **asked)


def subjects(plan: Plan) -> list[str]:
    return [one.subject for one in plan.section("release").changes]


def test_a_captured_document_does_not_show_which_api_its_program_uses() -> None:
    found = upgraded("1.20", "2.2")
    row = next(one for one in found.section("release").changes if one.subject == REMOVED)

    assert row.severity == "unchecked"
    assert row.sentence.startswith("Flink removed API after 1.20. Not checked: ")
    assert found.section("release").verdict == "unchecked"


@pytest.mark.parametrize("uses", [(), (ApiUse(owner="java.util.List", users=("Job",)),)])
def test_known_classes_that_use_no_removed_api_are_no_change(uses: tuple[ApiUse, ...]) -> None:
    assert REMOVED not in subjects(upgraded("1.20", "2.2", api_uses=uses))


def test_one_release_on_both_sides_removes_nothing() -> None:
    assert subjects(upgraded("1.20", "1.20")) == []


def test_a_pipeline_document_stands_for_no_classes() -> None:
    found = planned(program(COUNT, "1.20"), program(COUNT, "2.2"))

    assert REMOVED not in subjects(found)


def test_the_release_section_names_removed_options_and_changed_defaults() -> None:
    old = program(COUNT, flink="1.18")
    options = {"taskmanager.network.numberOfBuffers": "2048", "restart-strategy.type": "none"}
    new = program(COUNT, flink="2.2", configuration=options)

    rows = {one.subject: one for one in planned(old, new).section("release").changes}

    gone = rows["option taskmanager.network.numberOfBuffers"]
    assert (gone.severity, gone.after) == ("warning", "not read by Flink 2.2")
    assert rows["option restart-strategy.exponential-delay.max-backoff"].after == "60000 ms"
    assert "option restart-strategy.type" not in rows
