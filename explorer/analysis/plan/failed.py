"""The plan of a program that comes to no job, since the release removed API that it uses."""

from explorer.analysis.baseline import Baseline
from explorer.analysis.plan.api_rows import api_rows
from explorer.analysis.plan.plan_computation import old_side, only_section
from explorer.analysis.plan.record import Plan, PlanChange, PlanDocuments, PlanSide
from explorer.flink import releases
from explorer.flink.changed_api import removed_api
from explorer.model.api_use import ApiUse
from explorer.model.frozen import FrozenRecord


class FailedProgram(FrozenRecord, frozen=True, kw_only=True):
    """A program that failed before its job was known."""

    read_from: str
    """What it was read from."""
    release: str
    """The release on which it was started."""
    error: str
    api_uses: tuple[ApiUse, ...]
    """What its classes use of the API that releases changed."""


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
    failure = PlanChange(
        subject="the job", before=None, after="fails", sentence=program.error, severity="error"
    )
    rows = (failure, *api_rows(program.api_uses, old, new))
    sentence = f"The program does not start on Flink {new.version}, which removed API that it uses."
    return Plan(
        verdict="do_not_deploy",
        sentence=sentence,
        old=old_side(baseline) if baseline else None,
        new=PlanSide(read_from=program.read_from, release=new.version, job=None),
        sections=only_section("release", sentence, rows),
        checked=("whether the program starts",),
        unchecked=("everything else: the program does not start",),
        documents=PlanDocuments(old=baseline.document if baseline else None),
    )
