"""The endings of a program that did not return, with a sentence for each."""

import re
from typing import Any, Final

import msgspec
from py4j.protocol import Py4JError, Py4JJavaError

from explorer.capture.failures import CaptureError, failure_sentence, own_exception
from explorer.capture.jvm.gateway import BrokenConnectionError
from explorer.capture.jvm.java_machine import JavaMachine
from explorer.capture.recording.later_jobs import later_jobs
from explorer.wording import first_listed, quoted

NO_JOB: Final = (
    "the program ended without a job: it did not call execute() on its environment, or it needs "
    "other arguments, which go after --"
)
NO_JOB_OF_SCRIPT: Final = (
    "the script has no statement that submits a job: it needs an INSERT, a query or an EXECUTE PLAN"
)
_TOO_LONG: Final = (
    "the program was stopped after {timeout:g} s, {when}: it waits for something, or needs more "
    "time, which --timeout SECONDS gives"
)
_LIMIT: Final = (
    "the program was stopped {when}: {limit}, the limit of its sandbox; --without-sandbox has none"
)
_BROKEN: Final = (
    "the program was stopped {when}: what its Java virtual machine answers cannot be read; it must "
    "leave the connection and the threads of py4j alone, and throw exceptions that can describe "
    "themselves"
)
_EXIT: Final = (
    "the program ended its Java virtual machine with exit code {code} {when}, as System.exit "
    "does{text}: fix it, or give it the arguments it needs after --"
)
_EMPTY: Final = (
    "; the jobs before it were recorded and not run, so that rows (executeAndCollect) and "
    "accumulators are empty: jobs that the program makes of them, or executes after this failure, "
    "are not captured"
)
_BELOW: Final = "; calls that execute jobs below it, in any branch: {calls}"
_NAMED: Final = 8
"""Calls behind a failure that are named."""
_POSITION: Final = re.compile(r"line (\d+), column (\d+)")
_FIX: Final = "fix the program, or give it the arguments it needs after --"


class CaptureProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a program has come."""

    flink_version: str
    """The version that it runs on."""
    jobs: int
    submits_late: bool = False
    """Whether jobs are submitted when ``main`` has returned, as up to 1.9."""
    statement: str = ""
    """The statement of a script that runs, as a message calls it."""
    begins: tuple[int, int] = (1, 1)
    """The line and the column of the script in which that statement begins."""
    loader: Any = None
    """The class loader of the program; None before its first job."""

    @property
    def when(self) -> str:
        """When the program ended, as in a message."""
        return f"after its job {self.jobs}" if self.jobs else "before it called execute()"

    @property
    def when_stopped(self) -> str:
        """When the program ended with a lost JVM, with the jobs that had not been submitted."""
        if self.submits_late and not self.jobs:
            return f"before its main() returned, which is when Flink {self.flink_version} submits"
        return self.when


def why_it_ended(machine: JavaMachine, error: Exception, progress: CaptureProgress) -> str:
    """Why the program ended early; empty where its end is no failure.

    Raises ``error`` where it is a mistake of ours.
    """
    if machine.timed_out:
        return _TOO_LONG.format(timeout=machine.timeout, when=progress.when_stopped)
    if isinstance(error, CaptureError):
        return str(error)
    if limit := machine.why_ended():
        return _LIMIT.format(limit=limit, when=progress.when_stopped)
    if isinstance(error, Py4JJavaError):
        try:
            return _thrown(error.java_exception, progress)
        except Py4JError:
            error = BrokenConnectionError()
    return _lost(machine, error, progress)


def _lost(machine: JavaMachine, error: Exception, progress: CaptureProgress) -> str:
    """Why the JVM gave no answer; raises ``error`` where it gave one."""
    code = machine.exit_code()
    if code is None:
        if not isinstance(error, BrokenConnectionError):
            raise error
        return _BROKEN.format(when=progress.when_stopped)
    if code == 0 and progress.jobs:
        return ""
    words = machine.last_line()
    text = f"; the last that it printed is {quoted(words)}" if words else ""
    return _EXIT.format(code=code, when=progress.when_stopped, text=text)


def _thrown(exception: Any, progress: CaptureProgress) -> str:
    """Why the program threw this exception, and what follows."""
    script = bool(progress.statement)
    empty = ""
    if progress.jobs and not script:
        calls = later_jobs(own_exception(exception), progress.loader)
        below = _BELOW.format(calls=first_listed(calls, _NAMED)) if calls else ""
        empty = f"{_EMPTY}{below}"
    failed = progress.statement if script else "the program"
    when = "" if script else f" {progress.when}"
    fix = "fix the script" if script else _FIX
    sentence = failure_sentence(
        progress.flink_version, exception, f"{failed} failed{when}", fix, place=not script
    )
    return _in_script(sentence, progress.begins) if script else f"{sentence}{empty}"


def _in_script(sentence: str, begins: tuple[int, int]) -> str:
    """The sentence with the parser's positions, which count from the statement, as the file's."""
    first, indented = begins

    def moved(match: re.Match[str]) -> str:
        line, column = int(match[1]), int(match[2])
        column += indented - 1 if line == 1 else 0
        return f"line {line + first - 1}, column {column}"

    return _POSITION.sub(moved, sentence)
