"""Programs as a capture holds them: StreamGraphs without transformations, uids and names."""

from typing import Any

from explorer import compile_graph

_PACKAGE = "org.apache.flink.streaming.api."


OPERATORS: dict[str, tuple[str, str, bool]] = {
    "legacy_source": ("Source: Collection Source", "StreamSource", False),
    "map": ("Map", "StreamMap", False),
    "filter": ("Filter", "StreamFilter", False),
    "flat_map": ("Flat Map", "StreamFlatMap", False),
    "reduce": ("Keyed Aggregation", "StreamGroupedReduceOperator", True),
    "keyed_process": ("KeyedProcess", "KeyedProcessOperator", True),
    "sink": ("Sink: Print to Std. Out", "StreamSink", False),
}
"""Maps types to the default name, the operator's class, and whether it has keyed state."""


def captured(
    transformations: list[dict[str, Any]], functions: dict[str, str] | None = None
) -> dict[str, Any]:
    """The program as a capture holds it: no ids, default names, lambdas unless named here."""
    done = compile_graph({"flink": "1.20", "transformations": transformations})
    types = {one["id"]: one["type"] for one in transformations}
    graph = done.to_dict()["stream_graph"]
    for node in graph["nodes"]:
        id = node.pop("transformation")
        name, operator, keyed = OPERATORS[types[id]]
        node["name"] = name
        node["operator"] = {
            "class_name": f"{_PACKAGE}operators.{operator}",
            "function": (functions or {}).get(id, "Job$$Lambda"),
            "slot_memory_use_cases": ["STATE_BACKEND"] if keyed else [],
        }
    for edge in graph["edges"]:
        edge.pop("keys", None)
    return {"flink": "1.20", "stream_graph": graph}


def chain(*steps: str) -> list[dict[str, Any]]:
    """A program of one chain; a step is ``id:type``, and a keyed one has its key_by before it."""
    found: list[dict[str, Any]] = []
    for step in steps:
        id, _, type = step.partition(":")
        inputs = [found[-1]["id"]] if found else []
        if OPERATORS.get(type, ("", "", False))[2]:
            found.append({"id": f"by-{id}", "type": "key_by", "inputs": inputs})
            inputs = [f"by-{id}"]
        found.append({"id": id, "type": type} | ({"inputs": inputs} if inputs else {}))
    return found


def kinds(*ids: str) -> dict[str, str]:
    """A function class of its own for each operator."""
    return {id: f"Job${id.title()}" for id in ids}


AGGREGATIONS = {
    "sum": f"{_PACKAGE}functions.aggregation.SumAggregator",
    "max": f"{_PACKAGE}functions.aggregation.ComparableAggregator",
}
