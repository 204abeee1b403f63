"""The process of one rehearsal: confines itself, runs the program to its job, rehearses that.

Started as ``python -m explorer.rehearsal.worker FOLDER``; reads the request there and writes the
answer there. It is the one process in which foreign code runs.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from explorer.rehearsal.requests import ANSWER, REQUEST, RehearsalAnswer, Request
from explorer.rehearsal.sandbox import confine


def main(folder: Path) -> None:
    """Answer the request in the folder."""
    started = time.monotonic()
    request = msgspec.json.decode((folder / REQUEST).read_bytes(), type=Request)
    answer = _answer(request, folder, started)
    (folder / ANSWER).write_bytes(msgspec.json.encode(answer))


def _answer(request: Request, folder: Path, started: float) -> RehearsalAnswer:
    try:
        sandbox = confine(
            folder,
            network=request.network,
            memory_bytes=request.memory_bytes,
            disk_bytes=request.disk_bytes,
        )
    except OSError as error:
        return RehearsalAnswer(no_sandbox=error.strerror or str(error))
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    # Loaded after the process is confined: before, it must not start a thread.
    from explorer.rehearsal.jobs import rehearse_jobs

    return rehearse_jobs(request, folder, sandbox, started)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
