"""Can executors elsewhere run a trial? They are given this package and asked for the rest."""

import threading
import zipfile
from pathlib import Path
from typing import Any, Final

from explorer.errors import TrialError
from explorer.spark_workers import NEEDED
from explorer.wording import listed

PATIENCE: Final = 120.0
"""Seconds in which a cluster must have run a first small job."""


def ship_package(context: Any, folder: Path) -> None:
    """Give this package to executors that may not have it; its libraries must be there."""
    package = Path(__file__).resolve().parents[1]
    archive = folder / "explorer.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for file in sorted(package.rglob("*.py")):
            zipped.write(file, file.relative_to(package.parent))
    context.addPyFile(str(archive))


def check_libraries(context: Any) -> None:
    """Ask executors for the libraries that a subtask needs; raises ``TrialError``."""
    group = "explorer-libraries"
    context.setJobGroup(group, "look for libraries", interruptOnCancel=False)
    late = threading.Event()

    def give_up() -> None:
        late.set()
        context.cancelJobGroup(group)

    timer = threading.Timer(PATIENCE, give_up)
    timer.daemon = True
    timer.start()
    try:
        missing = _missing(context)
    except Exception:
        if not late.is_set():
            raise
        msg = (
            f"no executor of {context.master!r} took a task within {PATIENCE:g} s; "
            "look whether its workers are up and have cores and memory that are free"
        )
        raise TrialError(msg) from None
    finally:
        timer.cancel()
    if missing:
        msg = (
            f"executors of {context.master!r} lack {listed(missing)}: a trial needs "
            f"{listed(NEEDED)} in the Python of every worker; install them there"
        )
        raise TrialError(msg)


def _missing(context: Any) -> list[str]:
    """Libraries that some executor does not find."""
    needed, tasks = NEEDED, context.defaultParallelism

    def lacking(_: Any) -> list[str]:
        # It travels by value and knows nothing but Python: there may be nothing else.
        from importlib.util import find_spec

        return [name for name in needed if find_spec(name) is None]

    return sorted(set(context.parallelize(range(tasks), tasks).flatMap(lacking).collect()))
