"""What a rehearsal is asked to do, with the records of ``--records``, and what its JVM answers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from explorer.errors import ExplorerError
from explorer.model.rehearsal import Sandbox
from explorer.sandbox.launching import SandboxRequest


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One rehearsal; all paths are absolute."""

    savepoint: str
    """The folder that holds the metadata."""
    operator_ids: tuple[str, ...]
    """Those of the savepoint."""
    stateful_ids: tuple[str, ...]
    """Those with state."""
    only_open: bool
    """Whether no restored state is used."""
    records: tuple["GivenRecord", ...]
    """What to use it with; operators without a record get records by their types."""
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


class GivenRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record to use restored state with: a line of ``--records``."""

    operator: str
    """The operator's uid, name or ID."""
    record: Any
    input: int = 0


MAX_BYTES: Final = 10 << 20
_FORM: Final = '{"operator": "uid, name or ID", "record": ...}'


class RecordsError(ExplorerError):
    """A file of records that cannot be read."""


def given_records(path: str | Path | None) -> Iterator[GivenRecord]:
    """Yield the records of a file, in its order; none without a file.

    Raises ``RecordsError`` with the line of the first fault.
    """
    if path is None:
        return
    file = Path(path)
    if not file.is_file() or file.stat().st_size > MAX_BYTES:
        msg = f"{file} is no file of at most {MAX_BYTES >> 20} MB: --records takes JSON lines"
        raise RecordsError(msg)
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=GivenRecord)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            msg = f"{file}, line {number}: {error}; a line has the form {_FORM}"
            raise RecordsError(msg) from None


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


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator did with the state that it had restored."""

    ended: bool
    """Whether it was over before the time was."""
    keys: dict[str, int] = {}
    """By keyed state, the keys that the backend holds."""
    found_keys: dict[str, int] = {}
    """By keyed state, the keys that the new task finds, with another number of key groups."""
    written: int = 0
    """With how many key groups these states were saved."""
    missing_stages: tuple[str, ...] | None = None
    """Stages of saved partial matches that the new pattern does not have; None: no pattern."""
    given: bool = False
    """Whether the caller gave the records."""
    records: int = 0
    fed_keys: int = 0
    timers: int = 0
    windows: int = 0
    left_windows: int = 0
    """How many of the saved windows still have contents after their timers."""
    checkpoint: bool = False
    failure: Failure | None = None
    """``record``, ``timer``, ``checkpoint``: the step that failed; ``read``: the backend."""
    exact: bool = True
    """Whether the failed step had a record with the key that the program gives it."""
    control: str = "absent"
    """``passed`` or ``failed``: the same steps of a second operator without restored state."""


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """A source of which only the saved state was opened."""

    failure: Failure | None = None
    """Why the reader did not open its splits, which were read; None: it did."""


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
    usage: Usage | None = None
    reader: Reader | None = None
    """None: the operator is no source, or one that was not rehearsed."""


class JobFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What one job did in the rehearsal."""

    backend: str = ""
    """The backend's class."""
    changelog: bool = False
    """Whether the program enables the changelog."""
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
    flink_version: str = ""
    documents: tuple[dict[str, Any], ...] = ()
    """The jobs that the program submitted."""
    rehearsed: int | None = None
    """Which of them was rehearsed."""
    job: JobFacts | None = None
