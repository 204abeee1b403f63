"""The plan of a program that does not start because the release removed API that it uses."""

from explorer.comparison.baseline import Baseline
from explorer.flink import releases
from explorer.flink.upgrades.changed_api import removed_api
from explorer.model.api_use import ApiUse
from explorer.model.frozen import FrozenRecord
from explorer.plans.api_rows import api_rows
from explorer.plans.plan_computation import failure_plan
from explorer.plans.record import Plan, PlanSide, notice


class FailedProgram(FrozenRecord, frozen=True, kw_only=True):
    """A program that failed before its job was known."""

    read_from: str
    release: str
    """The release on which it was started."""
    error: str
    api_uses: tuple[ApiUse, ...]
    """Uses in its classes of API that a release changed."""


def failed_plan(program: FailedProgram, baseline: Baseline | None = None) -> Plan | None:
    """``do_not_deploy`` with the removed API; None where the program uses none.

    ``baseline``: OLD, with the release since which the rows count; without one every release
    counts.
    """
    new = releases.release(program.release)
    named = baseline.release if baseline else None
    old = releases.release(named or releases.VERSIONS[0])
    if not any(removed_api(program.api_uses, old, new)):
        return None
    failure = notice(program.error, "error", after="fails")
    return failure_plan(
        "release",
        f"The program does not start on Flink {new.version}, which removed API that it uses.",
        (failure, *api_rows(program.api_uses, old, new)),
        new=PlanSide(read_from=program.read_from, release=new.version, job=None),
        baseline=baseline,
        checked="whether the program starts",
        because="the program does not start",
    )
