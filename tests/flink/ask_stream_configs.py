"""Writes ``stream_configs.jsonl.gz``: the StreamConfig of every operator in sixteen releases.

``python -m tests.flink.ask_stream_configs`` asks every release for the jobs of ``JOBS``.
"""

import gzip
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.deployment.asking import answers
from tests.flink.ask_tasks import compiled, source_for
from tests.flink.task_jobs import JOBS as TASK_JOBS
from tests.flink.task_jobs import Asked, runs_on
from tests.golden_files import GOLDEN
from tests.quick_java import compile_java

_BATCH: Final = Asked(
    "batch",
    "inside",
    {
        "name": "batch",
        "environment": {"runtime_mode": "BATCH"},
        "transformations": [
            {"id": "s", "type": "source", "name": "s"},
            {"id": "a", "type": "map", "inputs": ["s"], "name": "a"},
            {"id": "k", "type": "key_by", "inputs": ["a"]},
            {"id": "r", "type": "reduce", "inputs": ["k"], "name": "r"},
            {"id": "m", "type": "map", "inputs": ["r"], "name": "m"},
            {"id": "out", "type": "sink", "inputs": ["m"], "name": "out"},
        ],
    },
)
_WEIGHTS: Final = Asked(
    "weights",
    "inside",
    {
        "name": "weights",
        "transformations": [
            {"id": "s", "type": "legacy_source", "name": "s"},
            {"id": "a", "type": "map", "inputs": ["s"], "name": "a", "managed_memory_weight": 3},
            {"id": "even", "type": "rebalance", "inputs": ["a"]},
            {"id": "b", "type": "map", "inputs": ["even"], "name": "b", "managed_memory_weight": 1},
            {"id": "out", "type": "sink", "inputs": ["b"], "name": "out"},
        ],
    },
)
_SPEC: Final = {"cpu": 0.5, "heap_mb": 10}


def _with_resources(name: str, *having: str) -> Asked:
    """A job of which these operators have resources."""
    steps: list[dict[str, Any]] = [
        {"id": "s", "type": "legacy_source", "name": "s"},
        {"id": "a", "type": "map", "inputs": ["s"], "name": "a"},
        {"id": "out", "type": "sink", "inputs": ["a"], "name": "out"},
    ]
    steps = [step | ({"resources": _SPEC} if step["id"] in having else {}) for step in steps]
    return Asked(name, "inside", {"name": name, "transformations": steps})


JOBS: Final = (
    *(one for one in TASK_JOBS if "reused" not in one.name),
    *(_BATCH, _WEIGHTS),
    _with_resources("resources", "s", "a", "out"),
    _with_resources("resources of one operator", "s"),
)


def asked(version: str, folder: Path, jobs: tuple[Asked, ...]) -> list[Any]:
    """What a release answers for each job: by node, its configuration's keys and values."""
    made = compiled(version, folder, "AskTasks")
    source = made / "AskStreamConfigs.java"
    source.write_text(source_for(version, "AskStreamConfigs"))
    compile_java([source], made, [*lib(version).glob("*.jar"), made])
    lines = [msgspec.json.encode(one.pipeline).decode() for one in jobs]
    reported = [
        msgspec.json.decode(one) for one in answers("AskStreamConfigs", lib(version), made, lines)
    ]
    failed = [
        f"{version} {job.name}: {one}"
        for job, one in zip(jobs, reported, strict=True)
        if "failed" in one
    ]
    if failed:
        raise SystemExit("\n".join(failed))
    return reported


def _write(versions: tuple[str, ...]) -> None:
    found: dict[str, dict[bytes, list[str]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for version in versions:
            jobs = tuple(one for one in JOBS if runs_on(one, version))
            for job, reported in zip(jobs, asked(version, Path(folder), jobs), strict=True):
                by_answer = found.setdefault(job.name, {})
                by_answer.setdefault(msgspec.json.encode(reported), []).append(
                    version.rpartition(".")[0]
                )
    lines = [
        {
            "name": job.name,
            "pipeline": job.pipeline,
            "flink": [
                {"versions": at, "configs": msgspec.Raw(text)}
                for text, at in found[job.name].items()
            ],
        }
        for job in JOBS
    ]
    text = b"".join(msgspec.json.encode(one) + b"\n" for one in lines)
    (GOLDEN / "stream_configs.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))


if __name__ == "__main__":
    _write(tuple(sys.argv[1:]) or RELEASES)
