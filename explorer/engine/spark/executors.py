"""Checks before a trial that executors on other hosts can run it; ships this package to them."""

import re
import sys
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from explorer.engine.spark.failures import libraries_missing, reason_of, worker_of
from explorer.engine.spark.workers import NEEDED
from explorer.errors import TrialError

REGISTRATION: Final = 30.0
"""Seconds in which a standalone cluster's first executor must have registered with the driver."""
PATIENCE: Final = 120.0
"""Seconds in which a cluster must have run a first small job; pods and containers start slowly."""
_NO_PROGRAM: Final = re.compile(r'Cannot run program "([^"]*)"')
_OTHER_VERSION: Final = re.compile(r"different version: ?'?([\d.]+)")
_OTHER_PYTHON: Final = "name one of the workers' own with --conf spark.pyspark.python=PATH"


def ship_package(context: Any, folder: Path) -> None:
    """Ship this package to executors that may not have it; they must have its libraries."""
    package = Path(__file__).resolve().parents[2]
    archive = folder / "explorer.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for file in sorted(package.rglob("*.py")):
            zipped.write(file, file.relative_to(package.parent))
    context.addPyFile(str(archive))


def check_libraries(context: Any) -> None:
    """Ask executors for the libraries of a subtask; raises ``TrialError`` that names the worker."""
    group = "explorer-libraries"
    context.setJobGroup(group, "look for libraries", interruptOnCancel=False)
    with _limited(context, group) as refusals:
        try:
            missing = _missing(context)
        except Exception as error:  # noqa: BLE001 - whatever it is, no trial can run
            words = refusals[0] if refusals else _problem(context.master, str(error))
            raise TrialError(words) from None
    if missing:
        worker, libraries = next(iter(missing.items()))
        who = f"the worker {worker!r} of {context.master!r}"
        raise TrialError(libraries_missing(who, libraries, NEEDED))


@contextmanager
def _limited(context: Any, group: str) -> Iterator[list[str]]:
    """Cancel the group's jobs when the cluster is too slow; give the reason, if there is one."""
    refusals: list[str] = []
    done = threading.Event()

    def watch() -> None:
        if not done.wait(REGISTRATION) and _executors(context) == 0:
            refusals.append(
                f"no executor of {context.master!r} registered within {REGISTRATION:g} s; check "
                "that its workers are up, have free cores and memory, and reach this process at "
                f"{context.getConf().get('spark.driver.host')} (spark.driver.host)"
            )
        elif not done.wait(max(PATIENCE - REGISTRATION, 0)):
            refusals.append(
                f"no executor of {context.master!r} took a task within {PATIENCE:g} s; check that "
                "its workers are up and have free cores and memory"
            )
        if refusals:
            context.cancelJobGroup(group)

    threading.Thread(target=watch, name="executors", daemon=True).start()
    try:
        yield refusals
    finally:
        done.set()


def _executors(context: Any) -> int:
    """How many executors are registered; any number counts where containers start slowly."""
    if not str(context.master).startswith("spark://"):
        return 1
    return int(context._jsc.sc().getExecutorMemoryStatus().size()) - 1  # the driver is in it


def _missing(context: Any) -> dict[str, list[str]]:
    """Libraries that executors do not find, by the worker's host name."""
    needed, tasks = NEEDED, context.defaultParallelism

    def lacking(_: Any) -> list[tuple[str, list[str]]]:
        # It travels by value and uses nothing but Python: there may be nothing else.
        from importlib.util import find_spec
        from socket import gethostname

        names = [name for name in needed if find_spec(name) is None]
        return [(gethostname(), names)] if names else []

    return dict(context.parallelize(range(tasks), tasks).flatMap(lacking).collect())


def check_paths(context: Any, paths: Mapping[str, str]) -> None:
    """Ask executors whether they see the trial's files; raises ``TrialError`` that names one.

    ``paths``: by path, the words that name it in a message.
    """
    asked, tasks = tuple(paths), context.defaultParallelism

    def unseen(_: Any) -> list[tuple[str, str]]:
        from pathlib import Path
        from socket import gethostname

        return [(gethostname(), path) for path in asked if not Path(path).exists()]

    found = context.parallelize(range(tasks), tasks).flatMap(unseen).collect()
    if found:
        worker, path = min(found)
        msg = (
            f"{paths[path]}: the worker {worker!r} of {context.master!r} does not see {path!r}; "
            "put it where every worker sees it at the same path, such as a shared folder"
        )
        raise TrialError(msg)


def _problem(master: str, text: str) -> str:
    """Why a worker could not run the small job, with the worker's name."""
    name = worker_of(text)
    worker = f"the worker {name!r} of {master!r}" if name else f"a worker of {master!r}"
    if program := _NO_PROGRAM.search(text):
        return f"{worker} has no Python at {program[1]!r}; {_OTHER_PYTHON}"
    if version := _OTHER_VERSION.search(text):
        own = f"{sys.version_info.major}.{sys.version_info.minor}"
        return f"{worker} runs Python {version[1]} and this process {own}; {_OTHER_PYTHON}"
    return f"{worker} cannot run a trial: {reason_of(text)}"
