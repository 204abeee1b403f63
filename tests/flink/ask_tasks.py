"""Writes ``tasks.jsonl.gz``: what running tasks of real Flinks hold, and how they are called.

``python -m tests.flink.ask_tasks`` runs every job of ``task_jobs.py`` on a local cluster of every
release that .ci/flink has brought; a line holds the answers that releases share.
"""

import gzip
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.deployment.asking import answers
from tests.flink.task_jobs import JOBS, Asked, runs_on
from tests.golden_files import GOLDEN
from tests.quick_java import compile_java

PROGRAMS = Path(__file__).parent / "programs"
_FOR = re.compile(r"// (\d+\.\d+)?-(\d+\.\d+)?$")


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")[:2]))


def source_for(version: str, program: str) -> str:
    """A program without the lines that are for other releases."""
    kept = []
    for line in (PROGRAMS / f"{program}.java").read_text().splitlines():
        found = _FOR.search(line)
        first, last = found.groups() if found else (None, None)
        late = first is not None and _number(version) < _number(first)
        if not late and (last is None or _number(version) <= _number(last)):
            kept.append(line)
    return "\n".join(kept)


def compiled(version: str, folder: Path, program: str) -> Path:
    """Where a program's classes are, compiled against a release."""
    made = folder / version
    made.mkdir()
    source = made / f"{program}.java"
    source.write_text(source_for(version, program))
    compile_java([source], made, lib(version).glob("*.jar"))
    return made


def asked(version: str, folder: Path, jobs: Iterable[Asked]) -> list[Any]:
    """What a release answers for each job."""
    questions = [{"ask": one.ask, "pipeline": one.pipeline} for one in jobs]
    lines = [msgspec.json.encode(one).decode() for one in questions]
    made = compiled(version, folder, "AskTasks")
    return [msgspec.json.decode(one) for one in answers("AskTasks", lib(version), made, lines)]


PHASES: Final = {
    "build": ("setup",),
    "start": ("initializeState", "open"),
    "record": ("processElement",),
    "watermark": ("processWatermark",),
    "status": ("processWatermarkStatus",),
    "latency marker": ("processLatencyMarker",),
    "checkpoint": ("prepareSnapshotPreBarrier", "broadcastEvent", "snapshotState"),
    "complete": ("notifyCheckpointComplete",),
    "end": ("endInput", "finish", "close", "dispose"),
}
"""Calls that follow one another in an order of their own; which phase meets which is chance."""


def in_phases(reported: Mapping[str, Any]) -> dict[str, Any]:
    """By task and phase, the calls in their order; a refusal as it is."""
    if "refused" in reported:
        return dict(reported)
    return {
        task: {
            phase: found
            for phase, names in PHASES.items()
            if (found := [call for call in calls if call[1] in names])
        }
        for task, calls in reported.items()
    }


def answered(version: str, folder: Path, names: str = "") -> dict[str, Any]:
    """By name of a job, what a release answers; raises where a job failed.

    ``names``: how the names of the jobs begin.
    """
    jobs = [one for one in JOBS if one.name.startswith(names) and runs_on(one, version)]
    found = list(zip(jobs, asked(version, folder, jobs), strict=True))
    failed = [
        f"{version} {job.name}: {reported['failed']}"
        for job, reported in found
        if "failed" in reported
    ]
    if failed:
        raise SystemExit("\n".join(failed))
    return {
        job.name: reported if job.ask == "inside" else in_phases(reported)
        for job, reported in found
    }


def _write(found: Mapping[str, Mapping[str, Any]]) -> None:
    """``found``: by release and job what was answered."""
    lines = []
    for job in JOBS:
        same: dict[bytes, list[str]] = {}
        for version, reported in found.items():
            if job.name in reported:
                same.setdefault(msgspec.json.encode(reported[job.name]), []).append(version)
        flink = [{"versions": at, "told": msgspec.Raw(text)} for text, at in same.items()]
        lines.append({"name": job.name, "ask": job.ask, "pipeline": job.pipeline, "flink": flink})
    text = b"".join(msgspec.json.encode(one) + b"\n" for one in lines)
    (GOLDEN / "tasks.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        _write(
            {one.rpartition(".")[0]: answered(one, Path(made)) for one in sys.argv[1:] or RELEASES}
        )
