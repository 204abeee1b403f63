"""Writes ``slots.jsonl.gz``: which subtasks share a slot, as real Flinks answer.

``python -m tests.deployment.ask_slots`` asks every release from 1.12 on; a question goes to all,
and a line holds the answers that releases share.
"""

import gzip
import random
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from explorer.flink.execution_graph import (
    ExecutionEdges,
    ExecutionGraph,
    ExecutionJobVertex,
    IntermediateResult,
)
from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN

LOCAL, BALANCED = (
    "LocalInputPreferredSlotSharingStrategy",
    "TaskBalancedPreferredSlotSharingStrategy",
)
COUNT = 120


def questions() -> list[dict[str, Any]]:
    """Random graphs, the same at every time."""
    drawn = random.Random("slots")  # noqa: S311 - it is to be the same again
    return [_question(drawn, number) for number in range(COUNT)]


def _question(drawn: random.Random, number: int) -> dict[str, Any]:
    size = drawn.randint(1, 8)
    widths = [drawn.choice((1, 2, 3, 4, 5, 7, 12)) for _ in range(size)]
    names = ("a", "b", "c")[: drawn.randint(1, 3)]
    groups = [drawn.choice(names) for _ in range(size)]
    located = [drawn.choice("xy") + group if drawn.random() < 0.2 else "-" for group in groups]
    edges = [
        (source, target, drawn.choice("AP"))
        for target in range(1, size)
        for source in sorted(drawn.sample(range(target), drawn.randint(0, min(2, target))))
    ]
    order = drawn.sample(range(size), size)  # A JobGraph lists its vertices in no such order.
    place = {old: new for new, old in enumerate(order)}
    return {
        "strategy": BALANCED if number % 4 == 0 else LOCAL,
        "vertices": [(widths[one], groups[one], located[one]) for one in order],
        "edges": [(place[source], place[target], how) for source, target, how in edges],
    }


def graph(question: dict[str, Any]) -> ExecutionGraph:
    """The execution graph of a question; each edge has a data set of its own."""
    widths = [width for width, _, _ in question["vertices"]]
    edges = question["edges"]
    return ExecutionGraph(
        vertices=tuple(
            ExecutionJobVertex(
                id=str(position),
                name=str(position),
                parallelism=width,
                max_parallelism=128,
                max_parallelism_derived=True,
                inputs=tuple(n for n, edge in enumerate(edges) if edge[1] == position),
                results=tuple(n for n, edge in enumerate(edges) if edge[0] == position),
            )
            for position, width in enumerate(widths)
        ),
        results=tuple(
            IntermediateResult(
                producer=source,
                number=n,
                result_type="PIPELINED_BOUNDED",
                partitions=widths[source],
                consumers=(n,),
            )
            for n, (source, _, _) in enumerate(edges)
        ),
        edges=tuple(
            ExecutionEdges(
                job_edge=n,
                source=source,
                target=target,
                input=0,
                result=n,
                producers=widths[source],
                consumers=widths[target],
                most_consumers=widths[target],
                pointwise=how == "P",
                broadcast=False,
                forward=False,
                dynamic=False,
                floats=False,
            )
            for n, (source, target, how) in enumerate(edges)
        ),
    )


def line(question: dict[str, Any]) -> str:
    """A question as the program reads it."""
    words = [question["strategy"]]
    words += [f"v{width}:{group}:{located}" for width, group, located in question["vertices"]]
    words += [
        f"e{one.source}:{one.target}:{'P' if one.pointwise else 'A'}{_read(one)}"
        for one in graph(question).edges
    ]
    return " ".join(words)


def _read(edge: ExecutionEdges) -> str:
    if not edge.pointwise:
        return ""
    consumers = range(edge.consumers)
    return ":" + "|".join(",".join(map(str, edge.consumed(one).partitions)) for one in consumers)


def asked(version: str, folder: Path) -> list[tuple[dict[str, Any], str]]:
    """The questions that a release knows the strategy of, each with its answer."""
    balances = version.startswith("2.")
    every = [one for one in questions() if balances or one["strategy"] == LOCAL]
    jars = lib(version)
    reported = answers("AskSlots", jars, classes("AskSlots", folder, jars), map(line, every))
    return list(zip(every, reported, strict=True))


if __name__ == "__main__":
    found: dict[str, dict[str, list[str]]] = {}
    with tempfile.TemporaryDirectory() as made:
        for version in RELEASES[3:]:
            for question, answer in asked(version, Path(made)):
                of = found.setdefault(msgspec.json.encode(question).decode(), {})
                of.setdefault(answer, []).append(version.rpartition(".")[0])
    lines = [
        msgspec.json.decode(question)
        | {
            "flink": [
                {"versions": versions, "slots": slots} for slots, versions in reported.items()
            ]
        }
        for question, reported in found.items()
    ]
    text = b"".join(msgspec.json.encode(one) + b"\n" for one in lines)
    (GOLDEN / "slots.jsonl.gz").write_bytes(gzip.compress(text, 9, mtime=0))
