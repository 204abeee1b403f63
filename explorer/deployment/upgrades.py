"""How the Kubernetes operator replaces a job: which state it restores, and with which pods.

Mirrors ``AbstractJobReconciler.getJobUpgrade`` for a job that runs.
"""

from typing import Final, Literal

from explorer.deployment.kubernetes_operator import (
    CHECKPOINTS,
    JOB_MANAGERS,
    SAVEPOINTS,
    OperatorJob,
    is_available,
    set_option,
)
from explorer.deployment.operator_rules import refused_change
from explorer.deployment.slots import TASK_MANAGERS
from explorer.model.frozen import FrozenRecord

Weight = Literal["note", "warning", "unchecked"]
StateOrigin = Literal["savepoint", "native savepoint", "checkpoint", "high availability"]
"""What the new job restores; high availability: its metadata, which names a checkpoint."""


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
    origin: StateOrigin | None = None
    """None: the new job restores nothing, or what the caller names."""
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
    effect, origin = _effect(new, old, first=first, given_savepoint=given_savepoint)
    effects = [effect]
    if new.job.state == "suspended":
        sentence = "state is suspended: the operator stops the job and starts no new one."
        old_text = old.job.state if old else None
        effects.append(
            StateEffect(before=old_text, after="suspended", sentence=sentence, weight="warning")
        )
    return Upgrade(
        new=new,
        old=old,
        refusals=(*new.refusals, *changed),
        effects=tuple(effects),
        origin=origin,
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
) -> tuple[StateEffect, StateOrigin | None]:
    path = new.job.initial_savepoint_path
    mode, old_text = new.job.upgrade_mode, old.job.upgrade_mode if old else None
    if path and (first or _is_redeployed(new, old)):
        when = "The first deployment" if first else "The changed savepointRedeployNonce"
        sentence = f"{when} restores the savepoint {path}."
        if given_savepoint:
            return StateEffect(before=old_text, after=mode, sentence=sentence), None
        sentence += " It was not read: give it with --savepoint PATH."
        return StateEffect(before=old_text, after=mode, sentence=sentence, weight="unchecked"), None
    if first:
        sentence = "The job starts without state."
        return StateEffect(before=old_text, after=mode, sentence=sentence), None
    sentence, weight, origin = _of_mode(new, old, given_savepoint=given_savepoint)
    if path:
        sentence += " initialSavepointPath is not read again while its redeploy nonce stays."
    return StateEffect(before=old_text, after=mode, sentence=sentence, weight=weight), origin


def _of_mode(
    new: OperatorJob, old: OperatorJob | None, *, given_savepoint: bool
) -> tuple[str, Weight, StateOrigin | None]:
    """Describe what the upgrade of a running job restores."""
    if new.job.upgrade_mode == "stateless":
        if given_savepoint:
            return _SAVEPOINT_BY_HAND, "warning", None
        sentence = "upgradeMode stateless: the new job starts without the old one's state."
        return sentence, "note", None
    if new.job.upgrade_mode == "savepoint" or (old is not None and old.release != new.release):
        return _of_stopped_job(new, old)
    # The operator starts a session job from the path of its checkpoint.
    is_session_job = new.resource.kind == "FlinkSessionJob"
    if is_available(new.options) and (old is None or is_available(old.options)):
        return _LAST_STATE, "note", "checkpoint" if is_session_job else "high availability"
    return _LAST_STATE_BY_CANCEL, "warning", "checkpoint"


def _of_stopped_job(new: OperatorJob, old: OperatorJob | None) -> tuple[str, Weight, StateOrigin]:
    """Describe what an upgrade restores for which the job is stopped or cancelled."""
    place = set_option(new.options, *SAVEPOINTS)
    # The running job writes the savepoint, with its own configuration.
    native = set_option((old or new).own_options, _SAVEPOINT_FORMAT).upper() == "NATIVE"
    savepoint: StateOrigin = "native savepoint" if native else "savepoint"
    if new.job.upgrade_mode == "savepoint":
        place = place or "the savepoint directory"
        sentence = f"The operator stops the job with a {savepoint} in {place} and restores it."
        return sentence, "note", savepoint
    if place:
        return _VERSION_CHANGE.format(place=place), "note", savepoint
    place = set_option(new.options, *CHECKPOINTS)
    return _VERSION_CHANGE_BY_CANCEL.format(place=place), "note", "checkpoint"


_SAVEPOINT_FORMAT: Final = "kubernetes.operator.savepoint.format.type"
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
