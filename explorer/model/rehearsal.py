"""The result of a rehearsed restore: one verdict per operator and state, and one for the whole."""

from typing import Any, Final, Literal

import msgspec

from explorer.model.coverage import Weight
from explorer.model.frozen import FormerRelease

OperatorVerdict = Literal[
    "restored",
    "migrated",
    "opened_not_used",
    "refused",
    "could_not_open",
    "not_asked_for",
    "not_rehearsed",
    "data_missing",
]
"""``migrated``: restored after Flink's schema migration. ``opened_not_used``: opened, and what the
content means to the new program was not decided. ``refused``: a call of a state backend, or the
use of restored state, failed. ``could_not_open``: the program's own code failed.
``not_asked_for``: the operator opened without asking for a state that the savepoint has.
``not_rehearsed``: a source, a sink, or an operator without an answer. ``data_missing``: a file of
the savepoint is not there."""

OPENED: Final = frozenset({"restored", "migrated"})
"""The verdicts of operators and states that Flink restored."""
Verdict = Literal["restored", "refused", "incomplete"]
END_SENTENCES: Final = {
    "source": "a source: its own state is not rehearsed",
    "sink": "a sink, or downstream of one: its own state is not rehearsed",
}
"""Why an end of the program was not rehearsed; such an operator does not decide on the verdict."""


class Sandbox(msgspec.Struct, frozen=True, kw_only=True):
    """What is enforced while foreign code runs."""

    network: bool
    """Whether the network can be reached."""
    writes: str
    """``own folder`` or ``anywhere``."""
    memory_bytes: int
    """What each process may allocate; 0: no limit."""
    disk_bytes: int
    gaps: tuple[str, ...] = ()
    """What the program can do for lack of a part of the sandbox on this machine, a phrase each."""

    @property
    def is_whole(self) -> bool:
        """Whether the network cannot be reached and no part of the sandbox is missing."""
        return not self.network and not self.gaps


class RehearsedState(msgspec.Struct, frozen=True, kw_only=True):
    """One state of an operator that the savepoint holds."""

    name: str
    verdict: OperatorVerdict
    entries_read: int | None = None
    """How many entries the new serializers read; None: the state was not read."""
    keys: int | None = None
    """How many keys the state backend has for the state; None: they were not counted."""
    keys_found: int | None = None
    """How many of them the new task finds; None: all, since it has as many key groups."""
    error: str | None = None
    """Flink's sentence."""


class RehearsedOperator(msgspec.Struct, frozen=True, kw_only=True):
    """One operator of the new program."""

    operator_id: str | None
    name: str
    uid: str | None
    verdict: OperatorVerdict
    states: tuple[RehearsedState, ...] = ()
    new_states: tuple[str, ...] = ()
    """States that the operator asked for and that the savepoint does not hold."""
    error: str | None = None
    """The exception's class and message; or why the operator was not rehearsed."""
    caused_by_sandbox: bool = False
    """Whether the failure may come from the missing network or the read-only file system here."""
    remark: str | None = None
    """What was not tried of it, in a sentence."""
    records: int = 0
    """Records that the restored state was used with."""
    timers: int = 0
    """Timers that fired."""
    checkpoint: bool = False
    """Whether the used state was written to a checkpoint."""

    @property
    def weight(self) -> Weight:
        """What this operator means for the verdict on the job."""
        if self.verdict in {"refused", "data_missing"}:
            return "refused"
        if self.verdict == "could_not_open":
            return "unchecked" if self.caused_by_sandbox else "refused"
        is_end = self.verdict == "not_rehearsed" and self.error in END_SENTENCES.values()
        return "note" if is_end or self.verdict in OPENED else "unchecked"


class Rehearsal(FormerRelease, msgspec.Struct, frozen=True, kw_only=True):
    """What Flink did when it restored the savepoint into the program's operators."""

    verdict: Verdict
    flink_version: str
    """The version of Flink that restored, with its patch level."""
    backend: str | None
    """``hashmap``, ``rocksdb``, ``forst`` or a class name; None: no operator was rehearsed."""
    seconds: float
    savepoint: str
    target: str
    old_releases: tuple[str, ...] = ()
    """The releases that the savepoint may be of, oldest first."""
    error: str | None = None
    """Flink's sentence where it refuses the operator IDs or parallelisms; None: it accepts them."""
    operators: tuple[RehearsedOperator, ...] = ()
    """In the order of the program's nodes."""
    sandbox: Sandbox | None = None
    unchecked: tuple[str, ...] = ()
    """What the rehearsal does not cover, a sentence each."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        members: dict[str, Any] = msgspec.to_builtins(self)
        return {**members, "flink": self.flink_version}
