"""Writes ``scheduler_choices.jsonl.gz``: the scheduler that a release chooses for a job.

``python -m tests.deployment.ask_scheduler_choices`` asks every release from 1.13 on, the first one
with more than one scheduler.
"""

import gzip
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN

SCHEDULERS = (
    *("", "ng", "Ng", "default", "Default", "adaptive", "Adaptive", "adaptive-batch"),
    *("AdaptiveBatch", "adaptivebatch", "ADAPTIVE", "legacy", "reactive"),
)
MODES = ("", "reactive", "REACTIVE", "adaptive")
_ENTRY = "org.apache.flink"
CLUSTERS = {
    "standalone session": f"{_ENTRY}.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
    "standalone application": (
        f"{_ENTRY}.container.entrypoint.StandaloneApplicationClusterEntryPoint"
    ),
    "native session": f"{_ENTRY}.kubernetes.entrypoint.KubernetesSessionClusterEntrypoint",
    "native application": f"{_ENTRY}.kubernetes.entrypoint.KubernetesApplicationClusterEntrypoint",
}
"""The class that starts each kind of cluster."""


def questions() -> Iterator[tuple[str, dict[str, str]]]:
    """What is asked about, as the program reads it, and the options."""
    kinds = product(("STREAMING", "BATCH"), ("static", "dynamic"))
    for (job, graph), scheduler, mode in product(kinds, SCHEDULERS, MODES):
        if not (scheduler and mode) or (scheduler == "default" and mode == "reactive"):
            yield f"job {job} {graph}", _options(scheduler, mode)
    for name, mode, scheduler in product(CLUSTERS.values(), MODES[:2], ("", "adaptive")):
        yield f"cluster {name}", _options(scheduler, mode)


def _options(scheduler: str, mode: str) -> dict[str, str]:
    options = {"jobmanager.scheduler": scheduler, "scheduler-mode": mode}
    return {key: value for key, value in options.items() if value}


def asked(version: str, folder: Path) -> list[dict[str, Any]]:
    """The questions with the answers of a release."""
    jars, every = lib(version), list(questions())
    lines = (" ".join((about, *map("=".join, options.items()))) for about, options in every)
    program = "AskSchedulerChoices"
    reported = answers(program, jars, classes(program, folder, jars), lines)
    return [
        {"about": about, "options": options, "answer": answer}
        for (about, options), answer in zip(every, reported, strict=True)
    ]


if __name__ == "__main__":
    found: dict[str, dict[str, list[str]]] = {}
    with tempfile.TemporaryDirectory() as made:
        for version in RELEASES[4:]:
            for one in asked(version, Path(made)):
                answer = one.pop("answer")
                of = found.setdefault(msgspec.json.encode(one).decode(), {})
                of.setdefault(answer, []).append(version.rpartition(".")[0])
    text = b"".join(
        msgspec.json.encode(msgspec.json.decode(question) | {"answers": by_answer}) + b"\n"
        for question, by_answer in found.items()
    )
    (GOLDEN / "scheduler_choices.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))
