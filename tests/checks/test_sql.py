"""Rules on the plan of captured SQL jobs: a job that each finds something in, and one without."""

from typing import Any

import pytest

from explorer.checks import Finding
from explorer.checks.checking import check_document
from explorer.checks.table import BY_CODE
from explorer.documents import load_document
from tests.checks.sql_pairs import SQL_PAIRS, Name, script_called
from tests.golden_files import cases
from tests.many_cases import for_each

RELEASES = ("1.20.5", "2.2.1")


def document_of(release: str, name: Name) -> Any:
    """The document of a golden script."""
    file, key = ("sql_advice", name) if isinstance(name, str) else ("sql_upgrades", name[0])
    (line,) = (one for one in cases(file) if (one["flink"], one["name"]) == (release, key))
    return line["document"] if isinstance(name, str) else line["documents"][name[1]]


def found(release: str, code: str, name: Name) -> list[Finding]:
    findings = check_document(load_document(document_of(release, name)))
    return [finding for finding in findings.findings if finding.code == code]


@pytest.mark.slow
@for_each("release", RELEASES)
@for_each("code", SQL_PAIRS)
def test_a_sql_rule_finds_the_bad_script_alone(code: str, release: str) -> None:
    bad, good, message = SQL_PAIRS[code]

    assert message in found(release, code, bad)[0].message
    assert not found(release, code, good)


def test_an_option_that_removes_a_finding_is_in_its_record() -> None:
    (one,) = found("2.2.1", "SQ03", ("same", 0))
    assert one.options == {"table.exec.state.ttl": "1 d"}
    assert one.to_dict()["options"] == one.options
    assert one.option_fix == (
        "-D 'table.exec.state.ttl=1 d' (not tried: the program has to be captured with it)"
    )
    assert "table.exec.state.ttl" in script_called(SQL_PAIRS["SQ03"].good)


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_nothing_is_advised_that_sql_cannot_write(release: str) -> None:
    """A remedy by a call of the DataStream API is not shown for a SQL script."""
    known = {one["name"]: one for one in cases("sql_upgrades") if one["flink"] == release}
    for case in known.values():
        for document in case["documents"]:
            findings = check_document(load_document(document)).findings
            assert not [one.code for one in findings if BY_CODE[one.code].by_api]
            without_plan = {key: value for key, value in document.items() if key != "sql_plan"}
            assert {one.code for one in check_document(load_document(without_plan)).findings} & {
                "ST01",
                "ST02",
                "RL01",
            }
