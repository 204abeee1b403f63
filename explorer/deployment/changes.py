"""What does a changed job ask of its cluster that the deployed one did not?"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from explorer.deployment.deploying import Deployment
from explorer.wording import counted


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One number before and after; None where a release or a job has no such number."""

    what: str
    before: int | None
    after: int | None

    @property
    def changed(self) -> bool:
        """Whether it is another one now."""
        return self.before != self.after


class DeploymentChanges(msgspec.Struct, frozen=True, kw_only=True):
    """Two deployments side by side."""

    sentence: str
    """What it comes to: task managers to add or to free, buffers that lack."""
    figures: tuple[Figure, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made


def deployment_changes(before: Deployment, after: Deployment) -> DeploymentChanges:
    """What ``after`` asks for beside ``before``: slots, memory, buffers, channels.

    Both are deployed with options of their own; where those are the same, only the job differs.
    """
    figures = (
        Figure(what=what, before=read(before), after=read(after)) for what, read in _FIGURES.items()
    )
    return DeploymentChanges(sentence=_sentence(before, after), figures=tuple(figures))


def _sentence(before: Deployment, after: Deployment) -> str:
    more = after.task_managers - before.task_managers
    if more > 0:
        said = f"It needs {counted(more, 'more task manager', 'more task managers')}"
    elif more < 0:
        said = f"It needs {counted(-more, 'task manager')} less"
    else:
        said = "It needs as many task managers as before"
    if after.refusal and not before.refusal:
        return f"{said}, and its network buffers no longer suffice."
    if before.refusal and not after.refusal:
        return f"{said}, and its network buffers suffice now."
    return f"{said}."


def _memory(one: Deployment) -> int | None:
    return one.task_manager.total_process * one.task_managers if one.task_manager else None


_FIGURES: Final[Mapping[str, Callable[[Deployment], int | None]]] = {
    "slots": lambda one: one.slots,
    "task managers": lambda one: one.task_managers,
    "memory of all task managers, bytes": _memory,
    "managed memory of a slot, bytes": lambda one: (
        one.task_manager.managed_by_slot if one.task_manager else None
    ),
    "channels": lambda one: one.local + one.remote if one.placement else None,
    "channels over the network": lambda one: one.remote if one.placement else None,
    "network buffers required in a task manager, at most": lambda one: (
        one.network.required if one.network else None
    ),
    "network buffers of a task manager": lambda one: (
        one.network.options.buffers if one.network else None
    ),
}
"""By what it counts, each number of a deployment."""
