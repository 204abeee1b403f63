"""Writes ``runs_operators.jsonl.gz``: what a real Flink 1.20 cluster does with more operators.

``python -m tests.engine.ask_operators [FAMILY...]`` runs each drawn pipeline twice on a local
cluster, and keeps what both have in common; without names it asks for all families anew.
"""

import gzip
import hashlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from explorer import compile_graph
from explorer.model.job_graph import JobGraph
from tests.capture.flinks import lib
from tests.deployment.asking import answers, classes
from tests.engine.drawn_operators import FAMILIES, questions
from tests.golden_files import GOLDEN, cases

VERSION, TIMES = "1.20.5", 2
SHOWN = 12
"""Up to so many rows a sink's rows are kept as they are, of more their hash."""
FILE = GOLDEN / "runs_operators.jsonl.gz"
PROGRAMS = Path(__file__).parent / "programs"


def ask(family: str, folder: Path) -> list[dict[str, Any]]:
    """The family's cases with what Flink made of them."""
    asked = questions(family)
    lines = [json.dumps({**one["pipeline"], "late": one["late"]}) for one in asked]
    made = classes("Operators", folder, lib(VERSION), PROGRAMS)
    runs = [
        [json.loads(answer) for answer in answers("Operators", lib(VERSION), made, lines)]
        for _ in range(TIMES)
    ]
    return [
        {"name": one["name"], "family": family, "pipeline": one["pipeline"], "flink": agreed(found)}
        for one, found in zip(asked, map(list, zip(*runs, strict=True)), strict=True)
    ]


def agreed(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """What all runs of a case have in common; where each record went may differ between them."""
    first, *others = runs
    vertices = []
    for at, vertex in enumerate(first["vertices"]):
        same = [run["vertices"][at] for run in others]
        vertices.append({k: v for k, v in vertex.items() if all(one[k] == v for one in same)})
    sinks = {}
    for name, rows in first["sinks"].items():
        assert all(len(run["sinks"][name]) == len(rows) for run in others), name
        free = all(run["sinks"][name] == rows for run in others)
        sinks[name] = {"rows": len(rows), "order_free": free, **(_row_digest(rows) if free else {})}
    alike = all(run.get("late_dropped") == first.get("late_dropped") for run in others)
    dropped = {"late_dropped": first["late_dropped"]} if "late_dropped" in first and alike else {}
    return {"version": "1.20", "vertices": vertices, "sinks": sinks, **dropped}


def without_chance(run: dict[str, Any]) -> dict[str, Any]:
    """The run without which subtask got how many where a round robin begins at a random channel."""
    dealt = _dealt(compile_graph(run["pipeline"], run["flink"]["version"]).job_graph)
    for vertex in run["flink"]["vertices"]:
        if vertex["id"] in dealt:
            vertex.pop("subtask_records_in", None)
    return run


def _dealt(graph: JobGraph) -> set[str]:
    """Where a round robin begins, and where its records are forwarded, also back to a head."""
    ends = {one.name: one.id for one in graph.vertices}
    back = [
        (id, ends[name.replace("IterationSink", "IterationSource")])
        for name, id in ends.items()
        if name.startswith("IterationSink")
    ]
    on = [(edge.source, edge.target) for edge in graph.edges if edge.ship_strategy == "FORWARD"]
    found = {edge.target for edge in graph.edges if edge.ship_strategy == "REBALANCE"}
    for _ in graph.vertices:
        found |= {target for source, target in (*on, *back) if source in found}
    return found


def _row_digest(rows: list[str]) -> dict[str, Any]:
    text = "".join(f"{row}\n" for row in rows)
    shown = {"sorted_rows": rows} if len(rows) <= SHOWN else {}
    return {**shown, "sha256_of_sorted_rows": hashlib.sha256(text.encode()).hexdigest()}


def main(families: list[str]) -> None:
    """Ask for the families, or for all, and keep the others as they are."""
    wanted = [one for one in families or list(FAMILIES) if one in FAMILIES]
    kept = list(cases("runs_operators")) if FILE.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        fresh = {family: ask(family, Path(folder)) for family in wanted}
    for family in FAMILIES:
        fresh.setdefault(family, [run for run in kept if run["family"] == family])
    lines = [
        json.dumps(without_chance(run), ensure_ascii=False) + "\n"
        for family in FAMILIES
        for run in fresh[family]
    ]
    FILE.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
