"""Captures the jobs of programs and clusters; a job of several is chosen by name or by number."""

import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import msgspec

from explorer.documents import as_document
from explorer.errors import ExplorerError
from explorer.locations import PROGRAM
from explorer.model.document import Document, StreamGraphDocument
from explorer.rest.addresses import is_address
from explorer.targets.target_options import TargetOptions
from explorer.wording import counted, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.capture.cached import CaptureOptions
    from explorer.capture.installation import Installation

_QUIET: Final = 1.0
"""Seconds after which a capture reports that it is running."""
Captured: TypeAlias = Mapping[str, Any]
"""A job as ``explorer.capture`` returns it."""


class ProgramFailedError(ExplorerError):
    """A program that submitted no job; ``path`` and ``settings`` say how it was started."""

    def __init__(self, message: str, path: str, settings: TargetOptions) -> None:
        super().__init__(message)
        self.path, self.settings = path, settings


class CapturedJob(NamedTuple):
    """A job as a document, and the Flink that captured it; None: a cluster reported the job."""

    document: Document
    flink: "Installation | None"
    release_assumed: bool
    """Whether that Flink's release is assumed, since nothing names it."""


def capture_job(target: str, options: TargetOptions) -> CapturedJob:
    """Capture the target's only job, or the chosen one; an unchanged program is cached."""
    from explorer.capture import CaptureError, capture
    from explorer.capture.cached import captured_program

    label, flink, is_assumed = options.shown or target, None, False
    try:
        if is_address(target):
            result = capture(target)
        else:
            with _announce_capture(label) as announce:
                result, flink, is_assumed = captured_program(
                    target, announce, capture_options(options)
                )
    except CaptureError as error:
        message = str(error).replace(target, label)
        raise ProgramFailedError(message, target, options) from None
    if options.job is not None:
        values = job_called(result, options.job)
    else:
        command = f"{PROGRAM} capture {label} --job NAME --out FILE"
        values = only_job(result, label, f"write one to a file with '{command}'")
    document = as_document(values)
    if flink is not None and isinstance(document, StreamGraphDocument):
        document = msgspec.structs.replace(document, code=_digest_code(target, options))
    return CapturedJob(document, flink, is_assumed)


def note_assumed_release(
    program: str, options: TargetOptions, captured: CapturedJob
) -> Iterator[str]:
    """A sentence where nothing names the release of a program, which is then an assumption."""
    is_named = options.otherwise is not None and options.otherwise_of is None
    if is_named or captured.flink is None or not captured.release_assumed:
        return
    jar_release, side = captured.flink.release, options.otherwise_of
    descriptors = "it holds no Maven descriptors of Flink, or of several releases"
    of_side = f", the release of {side}," if jar_release == options.otherwise else ""
    why = "a SQL script cannot" if program.lower().endswith(".sql") else descriptors
    yield (
        f"{quoted(options.shown or program, 200)} names no Flink release ({why}): "
        f"Flink {jar_release}{of_side} is assumed; "
        f"name the release with {'--from-flink' if side == 'NEW' else '--flink'} RELEASE."
    )


def capture_options(options: TargetOptions) -> "CaptureOptions":
    """The options of a capture."""
    from explorer.capture.cached import CaptureOptions

    return CaptureOptions(
        args=options.args,
        main_class=options.main_class,
        classpath=options.classpath,
        parallelism=options.parallelism,
        configuration={**options.base(options.release), **options.configuration},
        release=options.release,
        otherwise=options.otherwise,
        flink_lib=options.flink_lib,
        python=options.python,
        with_network=options.with_network,
        without_sandbox=options.without_sandbox,
        allow_read=options.allow_read,
    )


def job_called(documents: Sequence[Captured], job: str) -> Captured:
    """The job of that name; of several with one name, the one of that number, from 1 on.

    Raises ``ExplorerError`` where there is none.
    """
    named = [document for document in documents if document["name"] == job]
    if len(named) == 1:
        return named[0]
    if job.isdecimal() and 0 < int(job) <= len(documents):
        return documents[int(job) - 1]
    problem = "there is no job" if not named else "several jobs are named"
    jobs = _list_by_number(documents)
    msg = f"{problem} {quoted(job)}; the jobs are {jobs}: give a name or a number"
    raise ExplorerError(msg)


def only_job(documents: Sequence[Captured], program: str, otherwise: str) -> Captured:
    """The only job; raises ``ExplorerError`` where ``program`` has another number of jobs.

    ``otherwise``: what to do with several jobs, apart from ``--job``.
    """
    if len(documents) == 1:
        return documents[0]
    jobs = f": {_list_by_number(documents)}" if documents else ""
    msg = (
        f"{program} has {counted(len(documents), 'job')}{jobs}; pick one with --job NAME or "
        f"--job NUMBER, or {otherwise}"
    )
    raise ExplorerError(msg)


def _list_by_number(documents: Sequence[Captured]) -> str:
    return listed(
        [f"{at} {quoted(values['name'])}" for at, values in enumerate(documents, start=1)]
    )


def _digest_code(target: str, options: TargetOptions) -> str:
    """Return a digest of a program's files and of how it is started."""
    digest = sha256(json.dumps([options.main_class, options.args]).encode())
    for part in map(Path, (*target.split(os.pathsep), *options.classpath)):
        files = sorted(part.rglob("*")) if part.is_dir() else [part]
        for file in filter(Path.is_file, files):
            with file.open("rb") as content:
                digest.update(file_digest(content, "sha256").digest())
    return digest.hexdigest()


@contextmanager
def _announce_capture(target: str) -> "Iterator[Callable[[Installation], None]]":
    """Give a function that makes a slow capture report on standard error that it is running."""
    timers: list[threading.Timer] = []

    def announce(flink: "Installation") -> None:
        line = f"capturing {target} with Flink {flink.version} ...\n"
        timers.append(threading.Timer(_QUIET, sys.stderr.write, (line,)))
        timers[0].daemon = True
        timers[0].start()

    try:
        yield announce
    finally:
        for timer in timers:
            timer.cancel()
