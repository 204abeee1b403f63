"""What a rehearsal is asked to do, and what its JVM answers."""

from typing import Any

import msgspec

from explorer.model.rehearsal import Sandbox
from explorer.sandbox.launching import SandboxRequest


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One rehearsal; all paths are absolute."""

    savepoint: str
    """The folder that holds the metadata."""
    operator_ids: tuple[str, ...]
    """Those of the savepoint."""
    target: str
    args: tuple[str, ...]
    flink_lib: str | None
    main_class: str | None
    classpath: tuple[str, ...]
    configuration: dict[str, str]
    python: str | None
    timeout: float
    """Seconds for the program and the rehearsal."""
    sandbox: SandboxRequest


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """An exception that Flink or the program threw."""

    phase: str
    """``keyed state``, ``operator state``, ``state``, ``entry``: a call of a state backend;
    ``task``, ``job``, ``submission``, ``rehearsal``: elsewhere."""
    state: str | None = None
    causes: tuple["Cause", ...] = ()
    """The outermost first."""


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """One exception of a chain."""

    kind: str = msgspec.field(name="class")
    message: str | None = None
    frames: tuple[str, ...] = ()
    """``class.method``, the innermost first."""

    @property
    def text(self) -> str:
        """Class and message, in one line."""
        message = " ".join((self.message or "").split())
        return f"{self.kind}: {message}" if message else self.kind


class RehearsalOperator(msgspec.Struct, frozen=True, kw_only=True):
    """What one operator of the program did in the rehearsal."""

    node: int
    operator_id: str | None
    name: str
    uid: str | None
    role: str
    """``source``, ``sink`` or ``operator``."""
    task: str = "unknown"
    """``running``, ``failed`` or ``unknown``."""
    restored: tuple[str, ...] = ()
    """The states that its backends restored, by name."""
    asked: tuple[str, ...] = ()
    """Those that the operator asked for."""
    migrated: tuple[str, ...] = ()
    entries: dict[str, int] = {}
    """By state, the entries that were read."""
    failure: Failure | None = None


class JobFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What one job did in the rehearsal."""

    backend: str = ""
    """The backend's class."""
    operators: tuple[RehearsalOperator, ...] = ()
    timeout: bool = False
    """Whether the time was over before each operator had opened."""
    job_failure: Failure | None = None


class RehearsalAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    sandbox: Sandbox | None = None
    """What was enforced; None: nothing, or no program ran."""
    error: str = ""
    """Why there is no job, as one sentence."""
    flink: str = ""
    documents: tuple[dict[str, Any], ...] = ()
    """The jobs that the program submitted."""
    rehearsed: int | None = None
    """Which of them was rehearsed."""
    job: JobFacts | None = None
