"""Reports of real clusters on a job: ``python -m tests.rest.record`` writes the golden file.

A line a version: ``flink``; ``captured``, the program's document with Flink's own JobGraph;
``running`` and ``cancelled``, the job's documents; ``details`` and ``plan``, as REST answered.
"""

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

import explorer
from tests.capture.flinks import jar, lib
from tests.golden_files import GOLDEN
from tests.rest.session_cluster import VERSIONS, flowing, session_cluster


def recorded(version: str, folder: Path) -> dict[str, Any]:
    """Run the program on a cluster of that version, and ask."""
    program = jar("Runs", version, folder)
    (captured,) = explorer.capture(program, ["live"], flink_lib=lib(version))
    with session_cluster(version, folder) as cluster:
        job = cluster.submit(program, "live")
        address = f"{cluster.address}/jobs/{job}"
        flowing(cluster)
        (running,) = explorer.capture(address)
        details, plan = cluster.ask(f"/jobs/{job}"), cluster.ask(f"/jobs/{job}/plan")
        cluster.cancel(job)
        (cancelled,) = explorer.capture(address)
    return {
        "flink": version,
        "captured": captured,
        "running": running,
        "cancelled": cancelled,
        "details": details,
        "plan": plan,
    }


def main() -> None:
    """Write the file anew."""
    lines = []
    for version in VERSIONS:
        with tempfile.TemporaryDirectory() as folder:
            lines.append(json.dumps(recorded(version, Path(folder)), ensure_ascii=False))
    text = "".join(f"{line}\n" for line in lines)
    (GOLDEN / "running_jobs.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
