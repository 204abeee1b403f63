"""``python -m explorer``: the command line.

Only syntax that Python 3.7 reads, so that an older Python is refused with a sentence too.
"""

import atexit
import gc
import os
import sys

INTERRUPTED = 130
"""Exit code after Ctrl-C, as of a process that SIGINT ends."""
USAGE = 2
"""``explorer.errors.USAGE``, which imports nothing here: it may not be loadable."""
ALLOCATIONS = 20_000
"""Objects after which the collector looks at the new ones: 700 by default, which a command reaches
a hundred times while its modules are imported, of which nothing is ever garbage."""
OLDEST = (3, 11)
"""The oldest Python that the explorer runs on, as pyproject.toml requires it."""


def run() -> int:
    """Run the command in ``sys.argv`` and return its exit code, with which the process ends."""
    codes = []  # type: list[int]
    atexit.register(_end_at_once, codes)
    code = _run()
    codes.append(code)
    return code


def _end_at_once(codes: "list[int]") -> None:
    """End the process without freeing its modules, a tenth of the time of most commands.

    Registered before all other exit handlers, so that it is the last one that Python calls. An
    unexpected exception leaves no code, and then Python ends as usual.
    """
    if codes:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(codes[0])


def _run() -> int:
    if sys.version_info < OLDEST:
        version = ".".join(map(str, sys.version_info[:2]))
        return _refuse(f"{sys.executable} is Python {version}, and 3.11 or newer is needed")
    gc.set_threshold(ALLOCATIONS)
    try:
        # Modules are imported here: Ctrl-C meanwhile prints no traceback either.
        from explorer.cli.main import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED
    except ModuleNotFoundError as error:
        from explorer.extras import BASE

        if error.name not in BASE:
            raise
        return _refuse(f"{sys.executable} lacks the library {error.name}")


def _refuse(problem: str) -> int:
    """Print why this Python cannot run the explorer, and which one can; return the exit code."""
    from pathlib import Path

    checkout = Path(__file__).resolve().parent.parent
    environment = checkout / ".venv" / "bin"
    remedy = "pip install streamgraph-explorer, in an environment of Python 3.11 or newer"
    if (checkout / "Makefile").is_file():
        result = "" if environment.is_dir() else f"make -C {checkout} environment && "
        remedy = f"run '{result}. {environment}/activate' first"
    sys.stderr.write(f"error: not installed in this Python: {problem}: {remedy}\n")
    return USAGE


if __name__ == "__main__":
    sys.exit(run())
