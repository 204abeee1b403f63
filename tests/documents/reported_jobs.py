"""Jobs as a cluster reports their plans."""

import html
from typing import Any

from explorer.documents import JobGraphDocument, load_document

A, B, C = "a" * 32, "b" * 32, "c" * 32


def node(id: str, description: str = "Map", *inputs: dict[str, Any]) -> dict[str, Any]:
    return {"id": id, "parallelism": 2, "description": description, "inputs": list(inputs)}


def read(id: str, ship: str = "HASH", exchange: str = "pipelined_bounded") -> dict[str, Any]:
    return {"num": 0, "id": id, "ship_strategy": ship, "exchange": exchange}


def plan(*nodes: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"plan": {"jid": "1" * 32, "name": "job", "nodes": list(nodes), **members}}


def job(*nodes: dict[str, Any], **members: Any) -> JobGraphDocument:
    loaded = load_document(plan(*nodes, **members))
    assert isinstance(loaded, JobGraphDocument)
    return loaded


def answered(graph: dict[str, Any]) -> dict[str, Any]:
    """What ``/jobs/ID`` answers of a job graph that Flink printed; see ``JsonPlanGenerator``."""
    read: dict[str, list[dict[str, Any]]] = {vertex["id"]: [] for vertex in graph["vertices"]}
    for edge in sorted(graph["edges"], key=lambda edge: edge["input"]):
        exchange = edge["result_type"].lower()
        found = {"id": edge["source"], "ship_strategy": edge["ship_strategy"], "exchange": exchange}
        read[edge["target"]].append(found)
    nodes = [
        {
            "id": vertex["id"],
            "parallelism": vertex["parallelism"],
            "description": html.escape(vertex.get("description") or vertex["name"]).replace(
                "\n", "<br/>"
            ),
            "inputs": read[vertex["id"]],
        }
        for vertex in graph["vertices"]
    ]
    reported = ("id", "name", "parallelism")
    return {
        "job-type": "BATCH" if graph["job_type"] == "BATCH" else "STREAMING",
        "vertices": [{name: vertex[name] for name in reported} for vertex in graph["vertices"]],
        **plan(*nodes),
    }
