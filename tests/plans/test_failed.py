"""The plan of a program that does not start, since its release removed API that it uses."""

from explorer.comparison.baseline import Baseline
from explorer.documents import as_document
from explorer.model.api_use import ApiUse
from explorer.plans.failed import FailedProgram, failed_plan
from explorer.plans.record import SECTIONS
from tests.many_cases import for_each
from tests.plans.plans import COUNT, program

_DATA_SET = ApiUse(owner="org/apache/flink/api/java/DataSet", users=("Job",))


def failed(release: str = "2.2", *uses: ApiUse) -> FailedProgram:
    return FailedProgram(read_from="new.jar", release=release, error="It fails.", api_uses=uses)


def baseline(release: str) -> Baseline:
    return Baseline(name="old.yaml", document=as_document(program(COUNT, release)))


def test_the_removed_api_stands_below_the_failure() -> None:
    plan = failed_plan(failed("2.2", _DATA_SET), baseline("1.20"))

    assert plan is not None
    assert plan.exit_code() == 1
    failure, removed = plan.section("release").changes
    assert (failure.sentence, failure.severity) == ("It fails.", "error")
    assert (removed.subject, removed.before) == ("DataSet", "in Flink 1.20")
    assert removed.after == "removed in Flink 2.0"


def test_the_other_sections_are_not_computed() -> None:
    plan = failed_plan(failed("2.2", _DATA_SET))

    assert plan is not None
    assert plan.old is None
    assert {one.name: one.sentence for one in plan.sections if one.name != "release"} == (
        dict.fromkeys([name for name in SECTIONS if name != "release"], "Not computed.")
    )


@for_each(
    ("program", "old"),
    [
        (failed("2.2"), None),
        (failed("1.20", _DATA_SET), None),
        (failed("2.2", _DATA_SET), "2.0"),
        (failed("2.2", ApiUse(owner="java/util/List", users=("Job",))), None),
    ],
)
def test_a_failure_without_removed_api_has_no_plan(program: FailedProgram, old: str | None) -> None:
    assert failed_plan(program, baseline(old) if old else None) is None
