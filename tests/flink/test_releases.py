"""The record of a release is its own table: a row a behaviour, of which a release has one value."""

import inspect
import re
from itertools import pairwise

import msgspec

from explorer.flink.releases import SWITCHES, VERSIONS, Behaviour, Release, release
from explorer.flink.tasks.task_classes import TASK_SWITCHES, TaskClasses
from tests.many_cases import for_each

ROWS = {**SWITCHES, **TASK_SWITCHES}
FIELDS = {
    field.name: field for table in (Release, TaskClasses) for field in msgspec.structs.fields(table)
}


def test_every_field_but_the_version_is_a_row() -> None:
    assert [name for name in FIELDS if name != "version"] == list(ROWS)


@for_each("name", ROWS)
def test_a_row_has_a_sentence_and_values_of_its_type(name: str) -> None:
    row = ROWS[name]

    assert re.fullmatch(r"[A-Z][^\n]+[^.]\.", row.about)
    assert row.issue is None or re.fullmatch(r"FLINK-\d+", row.issue)
    for value in row.values.values():
        assert msgspec.convert(value, FIELDS[name].type) == value


def test_each_row_of_a_release_names_the_flink_class_that_it_mirrors() -> None:
    covered, unnamed = 0, []
    comment = ""
    for line in inspect.getsource(Release).splitlines():
        field = re.match(r"    (\w+): ", line)
        if line.startswith("    #"):
            comment += line
        elif field and field[1] in SWITCHES:
            more = re.search(r"as the (two|three)? ?rows? below", comment)
            covered = {"two": 2, "three": 3, None: 1}[more[1]] + 1 if more else covered
            if not covered and not re.search(r"``(com\.[\w.]+\.)?[A-Z]\w+", comment):
                unnamed.append(field[1])
            covered, comment = max(covered - 1, 0), ""

    assert not unnamed


@for_each("row", ROWS.values())
def test_a_row_begins_with_the_oldest_release_and_shows_changes_alone(row: Behaviour) -> None:
    known = list(row.values)

    assert known[0] == VERSIONS[0]
    assert len(known) > 1
    assert known == sorted(known, key=VERSIONS.index)
    assert all(one != other for one, other in pairwise(row.values.values()))


def test_a_planned_value_is_of_a_release_that_is_not_out_and_differs() -> None:
    planned = {name: row for name, row in ROWS.items() if row.planned}

    assert set(planned) == {"restored_maximum"}
    for name, row in planned.items():
        assert not set(row.planned) & set(VERSIONS)
        for value in row.planned.values():
            assert msgspec.convert(value, FIELDS[name].type) == value
            assert value not in row.values.values()


@for_each("version", VERSIONS)
def test_a_release_holds_the_newest_value_that_it_has_reached(version: str) -> None:
    made = release(version)
    for name, row in SWITCHES.items():
        reached = [old for old in row.values if VERSIONS.index(old) <= VERSIONS.index(version)]

        assert getattr(made, name) == row.values[reached[-1]]
