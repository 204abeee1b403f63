"""Rehearses a restore: the ID verdict first, then what Flink's own classes do with the state."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from explorer.capture.program_files import existing_path
from explorer.comparison.baseline import Baseline
from explorer.documents import load_document
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.locations import local_path
from explorer.model.rehearsal import Rehearsal
from explorer.rehearsal.found_keys import judge_keys
from explorer.rehearsal.jobs import rehearse_jobs
from explorer.rehearsal.opaque_state import judge_kryo, opaque_operators
from explorer.rehearsal.requests import (
    Failure,
    GivenRecord,
    JobFacts,
    RehearsalAnswer,
    Request,
    given_records,
)
from explorer.rehearsal.saved_files import lost_data, state_files
from explorer.rehearsal.uncovered import unchecked_sentences
from explorer.rehearsal.verdicts import (
    backend_name,
    failure_text,
    operator_verdicts,
    overall_verdict,
)
from explorer.sandbox.launching import SandboxRequest
from explorer.savepoints import FlinkVerdict, Savepoint, flink_verdict, load_savepoint
from explorer.wording import first_listed, quoted, spelled, with_full_stop


class RehearsalError(ExplorerError):
    """A rehearsal that gave no answer: bad arguments, no sandbox, a program without a job."""


MEMORY: Final = 3 << 30
"""Bytes that the rehearsal's processes may allocate each; Java's heap gets half of them."""
DISK: Final = 4 << 30
"""Bytes that the rehearsal's folder may hold."""
_NO_JOB: Final = (
    "No operator was rehearsed: no job of the program has an operator ID of the savepoint."
)
_ONLY_OPEN: Final = "--only-open leaves it out"
_NO_SANDBOX: Final = "that is done only within the whole sandbox"
_NO_OPTIONS: Final[Mapping[str, object]] = {}


def rehearse(
    savepoint: str | Path,
    target: str | Path,
    *,
    args: Sequence[str] = (),
    flink_lib: str | Path | None = None,
    main_class: str | None = None,
    classpath: Sequence[str | Path] = (),
    configuration: Mapping[str, object] = _NO_OPTIONS,
    timeout: float = 60,
    with_network: bool = False,
    without_sandbox: bool = False,
    allow_read: Sequence[str | Path] = (),
    python: str | Path | None = None,
    allow_non_restored: bool = False,
    old_flink_version: str | None = None,
    only_open: bool = False,
    records: str | Path | None = None,
) -> Rehearsal:
    """Restore a savepoint into a program's operators, without sources and sinks.

    ``savepoint``: a local folder or its ``_metadata`` file; it is only read. ``target``, ``args``,
    ``flink_lib``, ``main_class``, ``classpath``, ``configuration`` and ``python``: the program, as
    for ``explorer.capture``. ``timeout``: seconds for all of it. ``with_network``: leave the
    network reachable; ``without_sandbox``: run the program as any other process;
    ``allow_read``: further files and folders that the program can read. Without one of the first
    them the platform must offer Linux namespaces. ``old_flink_version``: the release that wrote
    the savepoint; default: those that write its format. ``only_open``: use no restored state; it is
    used only within the whole sandbox. ``records``: a file of JSON lines with an ``operator`` (uid,
    name or ID) and a ``record`` to use its state with.

    Raises ``RehearsalError`` where there is no answer, ``SavepointError`` for an unreadable
    savepoint and ``CaptureError`` for arguments that name no program.
    """
    started = time.monotonic()
    saved = load_savepoint(savepoint)
    path = Path(local_path(savepoint))
    folder = (path if path.is_dir() else path.parent).resolve()
    request = Request(
        savepoint=str(folder),
        operator_ids=tuple(state.operator_id for state in saved.operators),
        stateful_ids=tuple(state.operator_id for state in saved.operators if state.has_state),
        only_open=only_open,
        records=tuple(given_records(records)),
        target=_absolute_target(str(target), main_class),
        args=tuple(args),
        flink_lib=None if flink_lib is None else str(Path(flink_lib).absolute()),
        main_class=main_class,
        classpath=tuple(str(existing_path(path)) for path in classpath),
        configuration={key: spelled(value) for key, value in configuration.items()},
        python=None if python is None else str(python),
        timeout=timeout,
        sandbox=SandboxRequest(
            network=with_network,
            disabled=without_sandbox,
            required=not with_network,
            memory_bytes=MEMORY,
            disk_bytes=DISK,
            readable=(folder, *state_files(saved), *map(existing_path, allow_read)),
        ),
    )
    answer = rehearse_jobs(request, started)
    if not answer.documents:
        raise RehearsalError(answer.error or "the program has no job")
    _check_operators(request.records, answer.job)
    ids = _judge_ids(saved, answer, allow_non_restored=allow_non_restored)
    old = Baseline(name=path.name, savepoint=saved, flink_version=old_flink_version)
    rehearsal = _rehearsal(saved, request, answer, ids, old.releases(answer.flink_version))
    seconds = round(time.monotonic() - started, 1)
    return msgspec.structs.replace(rehearsal, seconds=seconds, target=str(target))


def _judge_ids(
    saved: Savepoint, answer: RehearsalAnswer, *, allow_non_restored: bool
) -> FlinkVerdict:
    """The job manager's verdict on the rehearsed job, or on the first one if none was."""
    compiled = compile_program(load_document(answer.documents[answer.rehearsed or 0]))
    backend = backend_name(answer.job.backend) if answer.job else None
    return flink_verdict(
        saved, compiled, allow_non_restored=allow_non_restored, backend=backend or None
    )


def _check_operators(records: Sequence[GivenRecord], job: JobFacts | None) -> None:
    """Raise ``RehearsalError`` where a record names no operator of the rehearsed job."""
    operators = job.operators if job else ()
    names = [
        name
        for rehearsal_operator in operators
        for name in (rehearsal_operator.uid or rehearsal_operator.name,)
    ]
    handles = {name for item in operators for name in (item.operator_id, item.uid, item.name)}
    for record in records:
        if operators and record.operator not in handles:
            msg = (
                f"--records names the operator {quoted(record.operator)}, which the program does "
                f"not have; its operators are {first_listed(list(map(quoted, names)), 20)}"
            )
            raise RehearsalError(msg)


def _absolute_target(target: str, main_class: str | None) -> str:
    """The target with absolute paths; a class path where a main class is named."""
    if main_class is None or os.pathsep in target:
        parts = [part for part in target.split(os.pathsep) if part]
        return os.pathsep.join(str(existing_path(part)) for part in parts)
    return str(existing_path(target))


def _rehearsal(
    saved: Savepoint,
    request: Request,
    answer: RehearsalAnswer,
    ids: FlinkVerdict,
    old_releases: tuple[str, ...],
) -> Rehearsal:
    job = answer.job or JobFacts()
    names = {state.operator_id: state.state_names for state in saved.operators}
    opaque = opaque_operators(saved)
    operators = operator_verdicts(job, lost_data(saved, Path(request.savepoint)), names, opaque)
    if answer.flink_version:
        operators = judge_kryo(saved, operators, old_releases, answer.flink_version)
    usages = {
        rehearsal_operator.operator_id or "": rehearsal_operator.usage
        for rehearsal_operator in job.operators
        if rehearsal_operator.usage
    }
    operators = judge_keys(operators, usages, ids)
    backend = backend_name(job.backend) if job.backend else None
    whole = overall_verdict(ids.error, operators)
    decided = answer.job is not None and job.job_failure is None
    unchecked = [*_about_job(answer, job.job_failure)]
    settings = f"{backend} and its changelog" if job.changelog else backend
    unchecked += unchecked_sentences(
        saved,
        operators,
        answer.flink_version,
        settings,
        answer.sandbox,
        _why_unused(request, answer),
    )
    return Rehearsal(
        verdict=whole if decided or whole == "refused" else "incomplete",
        flink_version=answer.flink_version,
        old_releases=old_releases,
        backend=backend,
        seconds=0.0,
        savepoint=saved.path,
        target=request.target,
        error=None if ids.error is None else f"{ids.exception}: {ids.error}",
        operators=operators,
        sandbox=answer.sandbox,
        unchecked=tuple(unchecked),
    )


def _why_unused(request: Request, answer: RehearsalAnswer) -> str:
    """Why no restored state was used; empty where it was, if a record could be made."""
    is_whole = answer.sandbox is not None and answer.sandbox.is_whole
    return _ONLY_OPEN if request.only_open else "" if is_whole else _NO_SANDBOX


def _about_job(answer: RehearsalAnswer, failure: Failure | None) -> Iterator[str]:
    """Why there is no answer for all operators; failures after the job."""
    if answer.rehearsed is None:
        yield _NO_JOB
    elif answer.job is None:
        warnings = (
            value for document in answer.documents for value in document.get("warnings", ())
        )
        yield f"No operator was rehearsed: {'; '.join(warnings) or 'the JVM ended'}."
    if failure is not None:
        yield with_full_stop(f"The rehearsal's job failed as a whole: {failure_text(failure)}")
    if answer.error:
        yield with_full_stop(f"The program failed after its job: {answer.error}")
