"""Verdicts from what a rehearsal's JVM observed.

Where an exception arose decides, in a state backend's call or in user code, not its class.
"""

import re
from collections.abc import Container, Iterator, Sequence
from typing import Final

from explorer.model.rehearsal import (
    END_SENTENCES,
    OPENED,
    OperatorVerdict,
    RehearsedOperator,
    RehearsedState,
    Verdict,
)
from explorer.rehearsal.requests import Failure, JobFacts, RehearsalOperator, Usage
from explorer.rehearsal.usage_verdicts import reader_verdict, usage_verdict
from explorer.sandbox.refusals import FILE_WORDS, NETWORK_WORDS
from explorer.wording import cut

_RESTORING_PHASES: Final = frozenset({"keyed state", "operator state"})
"""A backend restores all states of its operator at once, and names none."""
_BACKEND_PHASES: Final = _RESTORING_PHASES | {"state", "entry"}
_LOST_FILES: Final = frozenset(
    {"java.io.FileNotFoundException", "java.nio.file.NoSuchFileException"}
)
_MIGRATION: Final = "org.apache.flink.util.StateMigrationException"
_IDENTITY: Final = re.compile(r"@[0-9a-f]{5,8}\b")
"""The identity hash in the default text of a Java object, which differs from run to run."""
_LONGEST: Final = 600
"""Characters of an exception that are repeated."""
_FLINK_AND_JAVA: Final = ("org.apache.flink.", "java.", "javax.", "jdk.", "sun.", "com.sun.")
_REFUSED: Final = (*NETWORK_WORDS, *FILE_WORDS)
_NOT_HERE: Final = (*_LOST_FILES, "java.nio.file.AccessDeniedException")
"""Exceptions of user code that looks for a file which only the cluster may have."""
_TIMERS: Final = "_timer_state/"
"""How the names of Flink's own states for timers begin."""
_LATE: Final = "the time was over before the operator had opened: --timeout SECONDS gives more"
_CANCELLED: Final = "its task was cancelled before the operator had opened"
_UNSEEN: Final = "its state backend does not show which states it restored"
_BACKENDS: Final = {"RocksDB": "rocksdb", "HashMap": "hashmap", "ForSt": "forst"}


def backend_name(class_name: str) -> str:
    """The name of a state backend in Flink's options.

    >>> backend_name("org.apache.flink.runtime.state.hashmap.HashMapStateBackend")
    'hashmap'
    """
    simple = class_name.rpartition(".")[2]
    return next((name for part, name in _BACKENDS.items() if part in simple), simple)


def failure_text(failure: Failure) -> str:
    """Flink's own sentence: the migration exception, else the innermost cause."""
    causes = failure.causes
    if not causes:
        return "the task failed without an exception"
    chosen = next((cause for cause in causes if cause.kind == _MIGRATION), causes[-1])
    return cut(_IDENTITY.sub("", chosen.text), _LONGEST)


def operator_verdicts(
    job: JobFacts,
    lost_data: dict[str, str],
    saved_names: dict[str, tuple[str, ...]],
    opaque: Container[str] = (),
) -> tuple[RehearsedOperator, ...]:
    """Return one verdict per operator, in the order of the program's nodes.

    ``lost_data``: by operator ID, a sentence about the savepoint's missing files; ``saved_names``:
    by operator ID, the names of its states as far as the metadata has them; ``opaque``: the IDs of
    operators with serializers that do not show what their state means.
    """
    return tuple(
        _operator(operator, job, lost_data.get(id), saved_names.get(id, ()), is_opaque=id in opaque)
        for operator in job.operators
        for id in [operator.operator_id or ""]
    )


def _operator(
    facts: RehearsalOperator,
    job: JobFacts,
    lost: str | None,
    saved: tuple[str, ...],
    *,
    is_opaque: bool,
) -> RehearsedOperator:
    verdict, error = _decide(facts, job, lost, saved)
    usage, remark = facts.usage or Usage(ended=True), None
    if facts.usage is not None and facts.failure is None and verdict in OPENED | {"not_asked_for"}:
        text = failure_text(usage.failure) if usage.failure else ""
        opened = verdict
        verdict, reason = usage_verdict(usage, opened, text, is_opaque=is_opaque)
        error, remark = (error, reason) if verdict == opened else (reason, None)
    if facts.reader is not None and verdict in OPENED:
        verdict, error, remark = reader_verdict(facts.reader, verdict, failure_text)
    known = () if verdict in {"refused", "data_missing"} else facts.asked
    causes = facts.failure.causes if facts.failure is not None else ()
    return RehearsedOperator(
        operator_id=facts.operator_id,
        name=facts.name,
        uid=facts.uid,
        verdict=verdict,
        states=tuple(_states(facts, verdict, saved)),
        new_states=tuple(
            name for name in known if name not in facts.restored and not name.startswith(_TIMERS)
        ),
        error=error,
        caused_by_sandbox=verdict == "could_not_open"
        and any(
            cause.kind in _NOT_HERE or any(words in cause.text for words in _REFUSED)
            for cause in causes
        ),
        remark=remark,
        records=usage.records,
        timers=usage.timers,
        checkpoint=usage.checkpoint,
    )


def _decide(
    facts: RehearsalOperator, job: JobFacts, lost: str | None, saved: Sequence[str]
) -> tuple[OperatorVerdict, str | None]:
    if facts.role in END_SENTENCES:
        return "not_rehearsed", END_SENTENCES[facts.role]
    if facts.failure is not None:
        return _judge_failure(facts.failure, lost)
    if facts.task != "running":
        undecided = _LATE if job.timeout else _CANCELLED
        return "not_rehearsed", failure_text(job.job_failure) if job.job_failure else undecided
    if saved and not facts.restored:
        return "not_rehearsed", _UNSEEN
    if set(facts.restored) - set(facts.asked):
        return "not_asked_for", None
    return ("migrated" if facts.migrated else "restored"), None


def _judge_failure(failure: Failure, lost: str | None) -> tuple[OperatorVerdict, str]:
    text = failure_text(failure)
    restoring = failure.phase in _RESTORING_PHASES
    if restoring and any(cause.kind in _LOST_FILES for cause in failure.causes):
        return "data_missing", f"{text}; {lost}" if lost else text
    if failure.phase in _BACKEND_PHASES:
        return "refused", text
    # Outside a backend: user code, a Flink operator or the rehearsal's own cluster has thrown.
    frames = [frame for cause in failure.causes for frame in cause.frames]
    methods = {frame.rpartition(".")[2] for frame in frames}
    if any(not frame.startswith(_FLINK_AND_JAVA) for frame in frames):
        return "could_not_open", text
    if "initializeState" in methods:
        return "refused", text
    return ("could_not_open" if "open" in methods else "not_rehearsed"), text


def _states(
    facts: RehearsalOperator, verdict: OperatorVerdict, saved: tuple[str, ...]
) -> Iterator[RehearsedState]:
    failure = facts.failure
    for name in sorted({*facts.restored, *(saved if verdict != "restored" else ())}):
        yield RehearsedState(
            name=name,
            verdict=_state(facts, verdict, name),
            entries_read=facts.entries.get(name),
            keys=facts.usage.keys.get(name) if facts.usage else None,
            error=failure_text(failure) if failure and failure.state == name else None,
        )


def _state(facts: RehearsalOperator, verdict: OperatorVerdict, name: str) -> OperatorVerdict:
    failure = facts.failure
    if failure is not None and (failure.state == name or failure.phase in _RESTORING_PHASES):
        return verdict
    if name in facts.asked and name in facts.restored:
        return "migrated" if name in facts.migrated else "restored"
    if verdict == "opened_not_used":
        return "not_asked_for"
    if verdict in {"not_asked_for", "could_not_open"}:
        return verdict
    return "not_rehearsed" if verdict in {"restored", "migrated", "refused"} else verdict


def overall_verdict(refusal: str | None, operators: Sequence[RehearsedOperator]) -> Verdict:
    """Return ``refused`` where Flink would not start the job, ``restored`` if nothing is open.

    ``refusal``: Flink's sentence about IDs and parallelism; None: it accepts them. A failure that
    the sandbox may have caused leaves the verdict incomplete.
    """
    weights = {operator.weight for operator in operators}
    if refusal is not None or "refused" in weights:
        return "refused"
    return "incomplete" if "unchecked" in weights else "restored"
