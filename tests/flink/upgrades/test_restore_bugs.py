"""The table of restore bugs, against what the jars of every patch level answered."""

from explorer.flink.upgrades.restore_bugs import BUGS_BY_ISSUE, RESTORE_BUGS, bug_sentences
from tests.golden_files import cases
from tests.many_cases import for_each

ANSWERS = {case["version"]: case["fixed"] for case in cases("restore_bugs")}


@for_each("issue", sorted({issue for fixed in ANSWERS.values() for issue in fixed}))
def test_each_patch_level_has_the_fixes_that_its_jars_show(issue: str) -> None:
    bug = BUGS_BY_ISSUE[issue]

    assert bug.asked == "the jars"
    assert {version: bug.level(version) == "fixed" for version in ANSWERS} == {
        version: fixed[issue] for version, fixed in ANSWERS.items()
    }
    firsts = {
        version
        for version, fixed in ANSWERS.items()
        if fixed[issue] and not ANSWERS.get(before(version), {}).get(issue)
    }
    assert set(bug.fixed) <= firsts


def before(version: str) -> str:
    """The patch level before a version."""
    *short, patch = version.split(".")
    return ".".join((*short, str(int(patch) - 1)))


def test_a_release_without_its_patch_level_may_have_a_bug() -> None:
    bug = BUGS_BY_ISSUE["FLINK-38267"]

    levels = [bug.level(one) for one in ("1.9", "1.19", "1.20", "1.20.2", "1.20.3", "2.2", "2.3")]
    assert levels == ["fixed", "affected", "unknown", "affected", "fixed", "fixed", "fixed"]
    assert "No patch level of Flink 1.19 has the fix, 1.20.3 has it" in bug.sentence("1.19.1")
    assert "Flink 1.20.2 has the bug, 1.20.3 has the fix (asked of the jars)" in bug.sentence(
        "1.20.2"
    )
    assert "1.20.3 has the fix, and 1.20 was named without its patch level" in bug.sentence("1.20")


def test_a_bug_that_no_jar_shows_is_known_by_its_issue() -> None:
    bug = BUGS_BY_ISSUE["FLINK-38483"]

    assert [bug.level(one) for one in ("2.0.1", "2.1.3", "2.2", "2.3")] == [
        *("fixed", "unknown", "unknown", "fixed")
    ]
    assert bug.sentence("2.1.1").endswith(
        "A patch level of Flink 2.1 has the fix (by Flink's issue)."
    )
    assert [one.issue for one in RESTORE_BUGS if one.level("2.3.0") == "affected"] == [
        *("FLINK-39513", "FLINK-39964", "FLINK-40113", "FLINK-40269")
    ]


def test_two_versions_are_compared() -> None:
    assert len(bug_sentences("1.9", "2.3")) == len(RESTORE_BUGS)
    affected = bug_sentences("1.20.2", "2.3.0", only_affected=True)
    (mixed,) = [one for one in affected if one.startswith("FLINK-38267")]
    assert "Flink 1.20.2 has it; Flink 2.3.0 does not have it. Fixed in 1.20.3" in mixed
    assert not any(one.startswith("FLINK-31963") for one in affected)
