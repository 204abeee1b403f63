"""A program with two-input operators, as its cluster reports it and as it is captured.

``python -m tests.rest.ask_two_inputs VERSION FOLDER`` starts a session cluster and writes
``tests/golden/two_inputs.jsonl.gz``: a line without and one with checkpoints.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import explorer
from tests.capture.flinks import jar, lib
from tests.golden_files import GOLDEN
from tests.rest.session_cluster import SessionCluster, session_cluster


def ask(cluster: SessionCluster, program: Path, arguments: str) -> dict[str, Any]:
    """The document of the running job, and the captured one of the same program."""
    job = cluster.submit(program, arguments)
    (running,) = explorer.capture(f"{cluster.address}/jobs/{job}")
    cluster.cancel(job)
    folder = lib(cluster.version)
    (captured,) = explorer.capture(program, arguments.split(), flink_lib=folder)
    return {"version": cluster.version, "running": running, "captured": captured}


def main() -> None:
    """Ask one cluster about both jobs."""
    version, folder = sys.argv[1], Path(sys.argv[2])
    program = jar("TwoInputs", version, folder)
    with session_cluster(version, folder) as cluster:
        lines = [json.dumps(ask(cluster, program, arguments)) for arguments in ("", "checkpoints")]
    target = GOLDEN / "two_inputs.jsonl.gz"
    target.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main()
