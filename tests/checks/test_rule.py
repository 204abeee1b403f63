"""Records of rules: their pages, their releases, and the places of what they find."""

import re

from msgspec.structs import replace

from explorer.checks.rule import CheckRule
from explorer.checks.table import CHECKS
from explorer.flink.releases import LATEST, VERSIONS
from tests.checks.findings import found
from tests.checks.pairs import LINE, PAIRS, SOURCE, changed, expecting, job, op
from tests.many_cases import for_each


@for_each("rule", CHECKS, lambda rule: rule.code)
def test_a_page_reports_the_fault_its_reason_and_the_fix(rule: CheckRule) -> None:
    assert re.fullmatch(r"[A-Z]{2}\d\d", rule.code)
    for text in (rule.title, rule.why, rule.todo):
        assert re.fullmatch(r"[A-Z0-9][^\n]+[^.]\.", text), text
    assert rule.title in rule.page
    assert rule.why in rule.page
    assert rule.todo in rule.page
    assert rule.severity in {"error", "warning", "note"}
    assert rule.releases != "no release"


def test_a_rule_names_its_releases() -> None:
    said = {rule.code: rule.releases for rule in CHECKS}

    assert said["ST01"] == "every release"
    assert said["OP07"] == "1.17 and later"
    assert said["RL01"] == "1.18 and later"
    assert said["CP03"] == "1.11 and later"


@for_each(
    ("versions", "words"),
    [
        (VERSIONS, "every release"),
        ((), "no release"),
        ((LATEST,), f"{LATEST} and later"),
        (VERSIONS[:3], f"up to {VERSIONS[2]}"),
        (VERSIONS[1:3], f"{VERSIONS[1]} to {VERSIONS[2]}"),
        (VERSIONS[1:2], VERSIONS[1]),
    ],
)
def test_a_range_of_releases_is_named_by_its_ends(versions: tuple[str, ...], words: str) -> None:
    rule = replace(CHECKS[0], applies=lambda release: release.version in versions)

    assert rule.releases == words


def test_a_finding_on_an_edge_stands_at_the_edges_target() -> None:
    (cut,) = found("ED04", changed(LINE, "m", chaining_strategy="HEAD"))

    assert (cut.about, cut.path, cut.edge) == (("s", "m"), "transformations[1]", 0)


def test_a_finding_on_two_operators_without_an_edge_has_both_ends() -> None:
    (apart,) = found("EX01", expecting(changed(LINE, "m", parallelism=2), chained=[["s", "out"]]))

    assert (apart.about, apart.path, apart.edge) == (("s", "out"), "expect.chained[0]", None)
    assert len(set(apart.nodes)) == 2


def test_operators_of_one_transformation_are_named_once() -> None:
    sink = op("out", "sink_v2", "s", committer=True, slot_sharing_group="own")

    (groups,) = found("SL01", job(SOURCE, sink))

    assert groups.about == ("out",)
    assert len(groups.nodes) == 2


def test_a_refusal_is_the_finding_of_the_rule_that_names_it() -> None:
    collision = PAIRS["ST04"].bad

    assert found("ST04", collision)
    assert not found("RF01", collision)
    assert not found("ST05", collision)
