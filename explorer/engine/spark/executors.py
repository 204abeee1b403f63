"""Ships this package to executors, and checks that they can run a trial."""

import marshal
import re
import sys
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from typing import Any, Final

from explorer.engine.spark.failures import libraries_missing, reason_of, worker_of
from explorer.engine.spark.workers import NEEDED
from explorer.errors import TrialError

REGISTRATION: Final = 30.0
"""Seconds until a standalone cluster's first executor must have registered with the driver."""
PATIENCE: Final = 120.0
"""Seconds until a cluster must have run a first small job; pods and containers start slowly."""
_NO_PROGRAM: Final = re.compile(r'Cannot run program "([^"]*)"')
_OTHER_VERSION: Final = re.compile(r"different version: ?'?([\d.]+)")
_OTHER_PYTHON: Final = "name one of the workers' own with --conf spark.pyspark.python=PATH"


def ship_package(context: Any, folder: Path) -> None:
    """Ship this package to executors, which must have its libraries."""
    package = Path(__file__).resolve().parents[2]
    archive = folder / "explorer.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for file in sorted(package.rglob("*.py")):
            zipped.write(file, file.relative_to(package.parent))
        for file, code in _compiled_modules(package.name):
            zipped.writestr(str(file.relative_to(package.parent).with_suffix(".pyc")), code)
    context.addPyFile(str(archive))


def _compiled_modules(package: str) -> Iterator[tuple[Path, bytes]]:
    """Yield the file of each loaded module and its bytecode, which workers need not compile.

    Its header tells Python not to compare it with the source: the times in the archive are of this
    machine's time zone. Python of another version ignores the bytecode.
    """
    for name in sorted(sys.modules):
        spec = sys.modules[name].__spec__ if name.partition(".")[0] == package else None
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            loader = spec.loader
            data = Path(loader.path).read_bytes()
            header = MAGIC_NUMBER + (1).to_bytes(4, "little") + source_hash(data)
            yield Path(loader.path), header + marshal.dumps(loader.get_code(name))


def check_libraries(context: Any) -> None:
    """Raise ``TrialError`` that names an executor without a library of a subtask."""
    group, required, tasks = "explorer-libraries", NEEDED, context.defaultParallelism

    def lacking(_: Any) -> list[tuple[str, list[str]]]:
        # It is serialized by value and uses only Python: workers may have no libraries.
        from importlib.util import find_spec
        from socket import gethostname

        names = [name for name in required if find_spec(name) is None]
        return [(gethostname(), names)] if names else []

    context.setJobGroup(group, "look for libraries", interruptOnCancel=False)
    with _limit_time(context, group) as refusals:
        try:
            missing = context.parallelize(range(tasks), tasks).flatMap(lacking).collect()
        except Exception as error:  # noqa: BLE001 - whatever it is, no trial can run
            words = refusals[0] if refusals else _problem(context.master, str(error))
            raise TrialError(words) from None
    if missing:
        worker, libraries = missing[0]
        owner = f"the worker {worker!r} of {context.master!r}"
        raise TrialError(libraries_missing(owner, libraries, NEEDED))


@contextmanager
def _limit_time(context: Any, group: str) -> Iterator[list[str]]:
    """Cancel the group's jobs when the cluster is too slow; yield the list for the reason."""
    refusals: list[str] = []
    event = threading.Event()

    def watch() -> None:
        standalone = str(context.master).startswith("spark://")
        # The driver is in the map, too; containers of other clusters may start slowly.
        executors = context._jsc.sc().getExecutorMemoryStatus
        if not event.wait(REGISTRATION) and standalone and executors().size() == 1:
            refusals.append(
                f"no executor of {context.master!r} registered within {REGISTRATION:g} s; check "
                "that its workers are up, have free cores and memory, and reach this process at "
                f"{context.getConf().get('spark.driver.host')} (spark.driver.host)"
            )
        elif not event.wait(max(PATIENCE - REGISTRATION, 0)):
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
        event.set()


def check_paths(context: Any, paths: Mapping[str, str]) -> None:
    """Raise ``TrialError`` that names an executor which does not see one of the trial's files.

    ``paths`` maps a path to its name in a message.
    """
    asked, tasks = tuple(paths), context.defaultParallelism

    def unseen(_: Any) -> list[tuple[str, str]]:
        from pathlib import Path
        from socket import gethostname

        return [(gethostname(), path) for path in asked if not Path(path).exists()]

    value = context.parallelize(range(tasks), tasks).flatMap(unseen).collect()
    if value:
        worker, path = min(value)
        msg = (
            f"{paths[path]}: the worker {worker!r} of {context.master!r} does not see {path!r}; "
            "put it where every worker sees it at the same path, such as a shared folder"
        )
        raise TrialError(msg)


def _problem(master: str, text: str) -> str:
    name = worker_of(text)
    worker = f"the worker {name!r} of {master!r}" if name else f"a worker of {master!r}"
    if program := _NO_PROGRAM.search(text):
        return f"{worker} has no Python at {program[1]!r}; {_OTHER_PYTHON}"
    if version := _OTHER_VERSION.search(text):
        own = f"{sys.version_info.major}.{sys.version_info.minor}"
        return f"{worker} runs Python {version[1]} and this process {own}; {_OTHER_PYTHON}"
    return f"{worker} cannot run a trial: {reason_of(text)}"
