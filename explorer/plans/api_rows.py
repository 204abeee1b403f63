"""Rows of the section *Release* about Flink's API that NEW's classes use and a release changed."""

from collections.abc import Iterator, Sequence

from explorer.flink.releases import Release
from explorer.flink.upgrades.changed_api import deprecated_api, removed_api
from explorer.model.api_use import ApiChange, ApiUse, method_name
from explorer.plans.record import PlanChange
from explorer.wording import counted, first_listed

_NAMES = 3


def api_rows(uses: Sequence[ApiUse], old: Release, new: Release) -> Iterator[PlanChange]:
    """A row for each removed class and member, and one for all that are deprecated.

    These are changes after OLD's release, up to NEW's. A removed member fails where its code runs,
    which was not checked: the row is unchecked.
    """
    removed = [*removed_api(uses, old, new)]
    classes = {use.owner for use, _ in removed if not use.member}
    for use, change in removed:
        if not use.member or use.owner not in classes:
            yield _describe_removed_api(use, change, old, new)
    deprecated_uses = [use for use, _ in deprecated_api(uses, old, new)]
    if deprecated_uses:
        names = first_listed([use.name for use in deprecated_uses], _NAMES)
        yield PlanChange(
            subject="deprecated API",
            before=None,
            after=counted(len(deprecated_uses), "use"),
            sentence=f"Flink deprecated {names} since {old.version}: a later release may remove "
            "them.",
        )


def _describe_removed_api(use: ApiUse, change: ApiChange, old: Release, new: Release) -> PlanChange:
    return PlanChange(
        subject=use.name,
        before=f"in Flink {old.version}",
        after=f"removed in Flink {change.release}",
        sentence=f"{_effect(use, new)} Not checked: whether the job uses this code.",
        severity="unchecked",
        fix=_fix(use, change),
    )


def _effect(use: ApiUse, new: Release) -> str:
    users = first_listed(use.users, _NAMES)
    if use.overrides:
        return f"Overridden in {users}: Flink {new.version} never calls it."
    error = "NoSuchMethodError" if "(" in use.member else "NoSuchFieldError"
    error = error if use.member else "NoClassDefFoundError"
    return f"Used in {users}: {error} where this code runs."


def _fix(use: ApiUse, change: ApiChange) -> str | None:
    """The class or member that replaces it, where the name states it."""
    if not change.replacement:
        return None
    if not use.member:
        return f"Use {change.replacement.replace('/', '.').replace('$', '.')}"
    if "(" not in change.replacement:
        return f"Use {change.replacement.partition(':')[0]}"
    method = method_name(change.replacement)
    if method == method_name(use.member):  # a parameter's class moved, which has its own row
        return None
    return f"{'Override' if use.overrides else 'Use'} {method}"
