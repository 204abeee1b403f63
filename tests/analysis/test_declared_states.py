"""States that two documents declare themselves: equal work on equal columns is a checked type."""

from typing import Any

import pytest

from explorer import check_restore
from explorer.model.coverage import ASPECTS

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


@pytest.mark.parametrize(
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
