"""Checkpoints of real clusters: ``python -m tests.rest.ask_checkpoints`` writes the golden file.

A line a version: ``flink``; ``details``, the job as REST answered; ``checkpoints``, its statistics;
``checkpoint``, the details of the latest completed one.
"""

import gzip
import json
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from tests.capture.flinks import jar
from tests.golden_files import GOLDEN
from tests.patience import PATIENCE
from tests.rest.session_cluster import VERSIONS, SessionCluster, session_cluster

_OPTIONS: Final = {"execution.checkpointing.interval": "500ms"}


def recorded(version: str, folder: Path) -> dict[str, Any]:
    """Run the program on a cluster of that version until it has state in a checkpoint."""
    program = jar("Runs", version, folder)
    with session_cluster(version, folder, options=_OPTIONS) as cluster:
        job = cluster.submit(program, "live")
        checkpoints = _completed(cluster, job)
        id = checkpoints["latest"]["completed"]["id"]
        return {
            "flink": version,
            "details": cluster.ask(f"/jobs/{job}"),
            "checkpoints": checkpoints,
            "checkpoint": cluster.ask(f"/jobs/{job}/checkpoints/details/{id}"),
        }


def _completed(cluster: SessionCluster, job: str) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        checkpoints = cluster.ask(f"/jobs/{job}/checkpoints")
        if (checkpoints["latest"]["completed"] or {}).get("state_size"):
            return checkpoints
        time.sleep(0.2)
    raise AssertionError(job)


def main() -> None:
    """Write the file anew."""
    lines = []
    for version in VERSIONS:
        with tempfile.TemporaryDirectory() as folder:
            lines.append(json.dumps(recorded(version, Path(folder)), ensure_ascii=False))
    text = "".join(f"{line}\n" for line in lines)
    (GOLDEN / "running_checkpoints.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
