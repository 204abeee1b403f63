"""Turns failures of Spark and Java into one sentence."""

import re
from collections.abc import Sequence
from typing import Final

from explorer.engine import plan
from explorer.engine.spark.workers import NEEDED
from explorer.engine.task.deployment import failure_in
from explorer.engine.task.frames import FramesLostError
from explorer.errors import ExplorerError, TrialError
from explorer.model.run_figures import TaskFigures
from explorer.wording import listed

_RESULT_TOO_LARGE: Final = "spark.driver.maxResultSize"
_WORKER_DIED: Final = re.compile(
    r"Python worker exited unexpectedly|python worker.*crash", re.IGNORECASE
)
_FILES_LOST: Final = re.compile(
    r"TaskResultLost|FileNotFoundException|NoSuchFileException|No such file or directory"
    r"|FAILED_RENAME_TEMP_FILE"
)
_LOST_TASK: Final = re.compile(r"Lost task \S+ in stage \S+ \(TID \d+\) \((\S+) executor [^)]*\)")
_NO_LIBRARY: Final = re.compile(r"ModuleNotFoundError: No module named '(\w+)")
_REASON: Final = re.compile(
    r"^(?:: |Caused by: |Exception in thread \S+ )?(?:[\w.$]*\.)?(\w+(?:Error|Exception)): ?(.+)$",
    re.MULTILINE,
)
_SHOWN: Final = 300


class EngineError(TrialError):
    """A failure of Spark itself; the next trial starts another engine."""


def java_ended(progress: tuple[TaskFigures, ...]) -> EngineError:
    """Make the error for a JVM that ended."""
    return EngineError(
        f"Spark's Java process ended in the middle of {_busy(progress)}, perhaps for lack of "
        "memory; start the trial again, or keep fewer rows"
    )


def explain_failure(
    error: BaseException, job: plan.Job, trial: str, progress: tuple[TaskFigures, ...]
) -> ExplorerError:
    """Turn an error that ended a run of ``trial`` into an error with a remedy."""
    text = str(error)
    failure = failure_in(text, trial)
    if isinstance(failure, ExplorerError):
        return failure
    if isinstance(failure, str):
        return TrialError(failure)
    if isinstance(failure or error, FramesLostError) or _FILES_LOST.search(text):
        return EngineError(
            f"Spark lost files of its own in the middle of {_busy(progress)}: something removed "
            "them from the folder of temporary files; start the trial again"
        )
    return _of_spark(text, job, progress)


def _of_spark(text: str, job: plan.Job, progress: tuple[TaskFigures, ...]) -> TrialError:
    """Make the error that Spark's text describes."""
    if _RESULT_TOO_LARGE in text:
        return TrialError(
            "The sinks hold more rows than fit into one answer; keep fewer of them with a limit, "
            "or run without collecting"
        )
    if (library := _NO_LIBRARY.search(text)) and (worker := worker_of(text)):
        return TrialError(libraries_missing(f"the worker {worker!r}", [library[1]], NEEDED))
    if _WORKER_DIED.search(text):
        return TrialError(
            f"A Python worker ended in the middle of {_busy(progress)}; "
            "it may have run out of memory, or a file that it read may be damaged"
        )
    return EngineError(f"Spark ended the trial of {job.name!r}: {reason_of(text)}")


def worker_of(text: str) -> str | None:
    """The host of the executor that lost a task, from the text of Spark's error."""
    result = _LOST_TASK.search(text)
    return None if result is None else result[1]


def libraries_missing(worker: str, libraries: Sequence[str], required: Sequence[str]) -> str:
    """Message for a worker without libraries; ``required``: all libraries of a subtask."""
    return (
        f"{worker} lacks {listed(libraries)}: a trial needs {listed(required)} in the Python of "
        "every worker; install them there, or ship an environment with spark.archives"
    )


def _busy(progress: tuple[TaskFigures, ...]) -> str:
    names = [repr(vertex.name) for vertex in progress if vertex.state == "running"]
    return " or ".join(names) or "the run"


def reason_of(text: str) -> str:
    """The innermost exception's message, without the stack."""
    values = _REASON.findall(text)
    name, words = values[-1] if values else ("", text.partition("\n")[0])
    return (f"{name}: {words}" if name else words)[:_SHOWN]
