"""Writes ``batch_jobs.jsonl.gz`` and ``batch_buffers.jsonl.gz``: BATCH jobs on session clusters.

``python -m tests.rest.ask_batches [VERSION...]`` runs every program of ``Batches.java`` on clusters
of these versions. A line: ``case``, ``flink_version``, ``configuration``, the captured
``document``, and ``cluster``: vertices and edges as REST reported them at the end, in its order.
``batch_buffers``: some of the programs with less network memory on one task manager of four slots:
how the job ended, and Flink's sentence where it failed.
"""

import gzip
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import explorer
from tests.capture.flinks import jar, lib
from tests.golden_files import GOLDEN
from tests.rest.session_cluster import SessionCluster, session_cluster

VERSIONS: Final = ("2.0.2", "2.2.1", "2.3.0")
CASES: Final = (
    *("union", "side", "apart", "apart-late", "connect", "deep", "uids", "wide"),
    *("sql-group", "sql-same-hash", "sql-three", "sql-set", "sql-rank"),
)
BATCH: Final = {"execution.runtime-mode": "BATCH"}
SETTINGS: Final = (BATCH, {**BATCH, "parallelism.default": "2"})
NARROW: Final = ("14mb", "18mb", "40mb")
"""Network memory: 448, 576 and 1,280 buffers of 32 KiB."""
STARVED: Final = ("union", "wide", "sql-group")


def recorded(version: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Capture every program, and run it to its end."""
    program = jar("Batches", version, folder)
    with session_cluster(version, folder, network="512mb") as cluster:
        for case in CASES:
            for configuration in SETTINGS:
                (document,) = explorer.capture(
                    program, [case], flink_lib=lib(version), configuration=configuration
                )
                yield {
                    "case": case,
                    "flink_version": version,
                    "configuration": configuration,
                    "document": document,
                    "cluster": _ended(cluster, program, case, configuration),
                }


def _ended(
    cluster: SessionCluster, program: Path, case: str, configuration: Mapping[str, str]
) -> dict[str, Any]:
    job = cluster.run_to_end(program, case, configuration)
    if job["state"] != "FINISHED":
        msg = f"{cluster.version} {case}: {job['state']}"
        raise SystemExit(msg)
    plan = job["plan"]["nodes"]
    return {
        "vertices": [
            {member: vertex[member] for member in ("id", "name", "parallelism")}
            for vertex in job["vertices"]
        ],
        "edges": [
            {"target": node["id"], "source": one["id"], "ship_strategy": one["ship_strategy"]}
            for node in plan
            for one in node.get("inputs", ())
        ],
    }


def starved(version: str, folder: Path, network: str) -> Iterator[dict[str, Any]]:
    """How the programs end where a task manager has little network memory."""
    program = jar("Batches", version, folder)
    with session_cluster(version, folder, network=network) as cluster:
        for case in STARVED:
            (document,) = explorer.capture(
                program, [case], flink_lib=lib(version), configuration=BATCH
            )
            job = cluster.run_to_end(program, case, BATCH)
            said = json.dumps(cluster.ask(f"/jobs/{job['jid']}/exceptions"))
            found = re.search(r"Insufficient number of network buffers: .*?max'\.", said)
            yield {
                "case": case,
                "flink_version": version,
                "network": network,
                "document": document,
                "state": job["state"],
                "sentence": found and found[0],
            }


def _write(name: str, lines: Iterable[Mapping[str, Any]]) -> None:
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    (GOLDEN / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def main() -> None:
    """Write both files anew."""
    jobs: list[dict[str, Any]] = []
    for version in sys.argv[1:] or VERSIONS:
        with tempfile.TemporaryDirectory() as folder:
            jobs += recorded(version, Path(folder))
    _write("batch_jobs", jobs)
    buffers: list[dict[str, Any]] = []
    for network in NARROW:
        with tempfile.TemporaryDirectory() as folder:
            buffers += starved("2.2.1", Path(folder), network)
    _write("batch_buffers", buffers)


if __name__ == "__main__":
    main()
