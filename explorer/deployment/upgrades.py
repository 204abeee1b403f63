"""How the Kubernetes operator replaces a job: which state it restores, and with which pods.

Mirrors ``AbstractJobReconciler.getJobUpgrade`` for a job that runs.
"""

from typing import Final, Literal

from explorer.deployment.kubernetes_operator import (
    CHECKPOINTS,
    JOB_MANAGERS,
    SAVEPOINTS,
    TASK_MANAGERS,
    OperatorJob,
    is_available,
    set_option,
)
from explorer.deployment.operator_rules import refused_change
from explorer.model.frozen import FrozenRecord

Weight = Literal["note", "warning", "unchecked"]


class StateEffect(FrozenRecord, frozen=True, kw_only=True):
    """One effect of an upgrade on state."""

    before: str | None
    """The upgrade mode of the old resource; None: not known."""
    after: str
    sentence: str
    weight: Weight = "note"


class Upgrade(FrozenRecord, frozen=True, kw_only=True):
    """The deployment of a job by the operator, in place of an old one or for the first time."""

    new: OperatorJob
    old: OperatorJob | None = None
    refusals: tuple[str, ...] = ()
    """The operator's sentences where it refuses the resource or the change."""
    effects: tuple[StateEffect, ...] = ()
    drops_state: bool = False
    """Whether the new job starts without the state of the old one."""
    notes: tuple[str, ...] = ()
    """What was assumed, unusual or not known, a sentence each."""


def operator_upgrade(
    new: OperatorJob,
    old: OperatorJob | None,
    notes: tuple[str, ...] = (),
    *,
    given_savepoint: bool = False,
    first: bool = False,
) -> Upgrade:
    """The upgrade from ``old`` to ``new``.

    Args:
        new: The new job.
        old: The old one; None: it is not known as a resource.
        notes: Sentences about the reading of the new resource.
        given_savepoint: Whether the caller names the savepoint that the new job starts from.
        first: Whether nothing is deployed yet.
    """
    changed = tuple(refused_change(old, new)) if old is not None else ()
    effects = [_effect(new, old, first=first, given_savepoint=given_savepoint)]
    if new.job.state == "suspended":
        sentence = "state is suspended: the operator stops the job and starts no new one."
        before = old.job.state if old else None
        effects.append(
            StateEffect(before=before, after="suspended", sentence=sentence, weight="warning")
        )
    return Upgrade(
        new=new,
        old=old,
        refusals=(*new.refusals, *changed),
        effects=tuple(effects),
        drops_state=not first
        and not given_savepoint
        and new.job.upgrade_mode == "stateless"
        and not _is_redeployed(new, old),
        notes=notes,
    )


def _is_redeployed(new: OperatorJob, old: OperatorJob | None) -> bool:
    """Whether a changed ``savepointRedeployNonce`` lets the operator read the savepoint path."""
    nonce = new.job.savepoint_redeploy_nonce
    return old is not None and nonce is not None and nonce != old.job.savepoint_redeploy_nonce


def _effect(
    new: OperatorJob, old: OperatorJob | None, *, first: bool, given_savepoint: bool
) -> StateEffect:
    path = new.job.initial_savepoint_path
    mode, before = new.job.upgrade_mode, old.job.upgrade_mode if old else None
    if path and (first or _is_redeployed(new, old)):
        when = "The first deployment" if first else "The changed savepointRedeployNonce"
        sentence = f"{when} restores the savepoint {path}."
        if given_savepoint:
            return StateEffect(before=before, after=mode, sentence=sentence)
        sentence += " It was not read: give it with --savepoint PATH."
        return StateEffect(before=before, after=mode, sentence=sentence, weight="unchecked")
    if first:
        return StateEffect(before=before, after=mode, sentence="The job starts without state.")
    sentence, weight = _of_mode(new, old, given_savepoint=given_savepoint)
    if path:
        sentence += " initialSavepointPath is not read again while its redeploy nonce stays."
    return StateEffect(before=before, after=mode, sentence=sentence, weight=weight)


def _of_mode(
    new: OperatorJob, old: OperatorJob | None, *, given_savepoint: bool
) -> tuple[str, Weight]:
    """Describe what the upgrade of a running job restores."""
    if new.job.upgrade_mode == "stateless":
        if given_savepoint:
            return _SAVEPOINT_BY_HAND, "warning"
        return "upgradeMode stateless: the new job starts without the old one's state.", "note"
    place = set_option(new.options, *SAVEPOINTS)
    if new.job.upgrade_mode == "savepoint":
        place = place or "the savepoint directory"
        return f"The operator stops the job with a savepoint in {place} and restores it.", "note"
    if old is not None and old.flink != new.flink:
        text = _VERSION_CHANGE if place else _VERSION_CHANGE_BY_CANCEL
        return text.format(place=place or set_option(new.options, *CHECKPOINTS)), "note"
    if is_available(new.options) and (old is None or is_available(old.options)):
        return _LAST_STATE, "note"
    return _LAST_STATE_BY_CANCEL, "warning"


_SAVEPOINT_BY_HAND: Final = (
    "upgradeMode stateless: the operator restores no savepoint; the verdict is that of a start "
    "from the given savepoint."
)
_VERSION_CHANGE: Final = (
    "flinkVersion changes: the operator takes a savepoint in {place} and restores it."
)
_VERSION_CHANGE_BY_CANCEL: Final = (
    "flinkVersion changes and no savepoint directory is set: the operator cancels the job and "
    "restores its last checkpoint in {place}."
)
_LAST_STATE: Final = (
    "The operator deletes the job's pods and restores its last checkpoint from the metadata of "
    "high availability."
)
_LAST_STATE_BY_CANCEL: Final = (
    "last-state without high availability: the operator cancels the job and restores its last "
    "checkpoint, which it can do only while the job manager answers."
)


def job_manager_pods(job: OperatorJob) -> int:
    """Pods of the job manager."""
    return int(job.options.get(JOB_MANAGERS, "1"))


def fixed_task_managers(job: OperatorJob) -> int | None:
    """Task managers of a standalone cluster; None: Flink requests them as slots are needed."""
    text = job.options.get(TASK_MANAGERS, "")
    return int(text) if text.isdecimal() else None
