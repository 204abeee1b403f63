"""Makes a savepoint with files of its own: `python -m tests.rehearsal.ask_missing OLD.jar FOLDER`.

A real 1.20.5 session cluster runs the program; with a threshold of 0 bytes nothing is put into the
metadata. The folder `same-1.20.5-hashmap-files` of `tests/golden/rehearsals.tar.xz` is its answer.
"""

import sys
import tempfile
import time
from pathlib import Path

from tests.rest.session_cluster import session_cluster


def main(jar: Path, folder: Path) -> None:
    """Run the program for some seconds and stop it with a savepoint."""
    with tempfile.TemporaryDirectory() as own, session_cluster("1.20.5", Path(own)) as cluster:
        options = {
            "state.backend.type": "hashmap",
            "execution.checkpointing.storage": "filesystem",
            "execution.checkpointing.dir": (Path(own) / "checkpoints").as_uri(),
            "execution.checkpointing.data-inline-threshold": "0",
        }
        job = cluster.submit(jar, "", options)
        time.sleep(3)
        print(cluster.cancel_with_savepoint(job, folder))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]).absolute())
