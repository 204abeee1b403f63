"""Rules on the plan of captured SQL jobs: a job that each finds something in, and one without."""

import pytest

from explorer.analysis.checks import Finding
from explorer.analysis.checks.checking import check_document
from explorer.documents import load_document
from tests.golden_files import cases

RELEASES = ("1.20.5", "2.2.1")
SQL_PAIRS = {
    "SQ01": (("same", 0), ("compiled plan", 1), "GroupAggregate[5] has the generated ID"),
    "SQ02": (("uids", 0), ("compiled plan", 1), "The UID 5_group-aggregate of GroupAggregate[5]"),
    "SQ03": (("same", 0), ("ttl", 1), "holds one accumulator row by group key and never removes"),
    "SQ04": (("upsert sink", 1), ("upsert sink", 0), "SinkMaterializer[7] holds every row"),
}
"""By code the old (0) or new (1) script of a pair of golden upgrades: a bad one and a good one."""


def found(release: str, code: str, script: tuple[str, int]) -> list[Finding]:
    name, side = script
    known = {(one["flink"], one["name"]): one for one in cases("sql_upgrades")}
    findings = check_document(load_document(known[release, name]["documents"][side]))
    return [finding for finding in findings.findings if finding.code == code]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("code", SQL_PAIRS)
def test_a_sql_rule_finds_the_bad_script_alone(code: str, release: str) -> None:
    bad, good, message = SQL_PAIRS[code]

    assert message in found(release, code, bad)[0].message
    assert not found(release, code, good)
