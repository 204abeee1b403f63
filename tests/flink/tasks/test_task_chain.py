"""What a task holds is what real tasks hold: ``tests/flink/ask_tasks.py`` read them."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from explorer import compile_graph
from explorer.errors import FlinkRefusalError
from explorer.flink.compiler import Compilation
from explorer.flink.tasks.task_chain import task_chain
from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import InputProcessor, IterationEnd, TaskChain, TaskOutput
from tests.golden_files import cases
from tests.many_cases import for_each


def asked(ask: str) -> Iterator[tuple[dict[str, Any], str, Any]]:
    """Each job with each release that ran it, and its report."""
    for case in cases("tasks"):
        if case["ask"] == ask:
            for outcome in case["flink"]:
                for version in outcome["versions"]:
                    yield case, version, outcome["told"]


def job_name(case: dict[str, Any], version: str, _reported: Any) -> str:
    """A job and the release that ran it."""
    return f"{case['name']} {version}"


def compiled(pipeline: Any, version: str) -> Compilation:
    """The job; before 1.10 no option enables object reuse, only a setter."""
    done = compile_graph(pipeline, version)
    reuse = "pipeline.object-reuse" in pipeline.get("environment", {}).get("configuration", {})
    return replace(done, settings=replace(done.settings, object_reuse=reuse))


def without_sources(name: str) -> str:
    """A task's name; 1.12 lists chained sources in the order of a map of objects: by chance."""
    return re.sub(r" \[.*?\]", "", name)


def tasks(done: Compilation) -> dict[str, TaskChain]:
    """By its name, each task."""
    return {one.name: task_chain(done, one.id) for one in done.job_graph.vertices}


def as_reported(done: Compilation, task: TaskChain) -> dict[str, Any]:
    """A task in the words of the program that reads real ones."""
    names = {one.id: one.name for one in done.stream_graph.nodes}
    linked = [one.name for one in task.operators]
    return {
        "invokable": task.invokable,
        "chain": task.chain,
        "network": len(task.network),
        "linked": linked if task.wrapper else None,
        "linked_back": linked[::-1] if task.wrapper else None,
        "operators": [(one.name, _output(names, one.output)) for one in task.operators],
        "sources": sorted(one.name for one in task.operators if one.chained_source),
        "input": _input(task.reads),
        "end": None if task.end is None else _end(names, task.end),
    }


def _end(names: dict[NodeId, str], end: IterationEnd) -> dict[str, Any]:
    output = None if end.output is None else _output(names, end.output)
    return {"operator": end.operator, "output": _bare(output), "queue": end.queue}


def _bare(output: Any) -> Any:
    """The classes of an output that calls no operator and writes nothing."""
    if output is None:
        return None
    return output["class"], [_bare(one) for one in output.get("outputs", ())]


def _output(names: dict[NodeId, str], one: TaskOutput) -> dict[str, Any]:
    reported: dict[str, Any] = {"class": one.class_name}
    if one.network is not None:
        reported["network"] = one.network
    if one.operator is not None:
        reported["to"] = names[one.operator]
    if one.tag is not None:
        reported["tag"] = one.tag
    if one.outputs or (one.network is None and one.operator is None):
        reported["outputs"] = [_output(names, inner) for inner in one.outputs]
    return reported


def _input(reads: InputProcessor | None) -> Any:
    if reads is None:
        return None
    return reads.class_name, [
        (one.class_name, one.data_output) for one in reads.inputs if one.class_name is not None
    ]


def reported_by_flink(reported: dict[str, Any]) -> dict[str, Any]:
    """The same members of what was read from a real task."""
    return {
        **{
            name: reported[name]
            for name in ("invokable", "chain", "network", "linked", "linked_back")
        },
        "operators": [(one["name"], one["output"]) for one in reported["operators"]],
        "sources": sorted(one["source"] for one in reported["sources"]),
        "input": _input_reported(reported["input"]),
        "end": _end_reported(reported.get("end")),
    }


def _end_reported(end: Any) -> Any:
    return None if end is None else {**end, "output": _bare(end["output"])}


def _input_reported(reported: Any) -> Any:
    return None if reported is None else (reported["class"], list(_inputs(reported)))


def _inputs(reported: Any) -> Iterator[tuple[str, str | None]]:
    """Each input with what it calls; some releases keep that in the valve for watermarks."""
    held = reported.get("holds", [])
    outputs = [one["class"] for one in _all(reported) if one["class"].endswith("Output")]
    for one in held:
        if one["class"].endswith("Processor"):
            yield from _inputs(one)
        elif one["class"].endswith("Input"):
            mine = [name["class"] for name in _all(one) if name["class"].endswith("Output")]
            yield one["class"], (mine or outputs or [None])[0]


def _all(reported: Any) -> Iterator[Any]:
    for one in reported.get("holds", []):
        yield one
        yield from _all(one)


@pytest.mark.slow
@for_each(("case", "version", "reported"), asked("inside"), job_name)
def test_a_task_holds_what_flinks_task_holds(
    case: dict[str, Any], version: str, reported: Any
) -> None:
    done = compiled(case["pipeline"], version)
    if "refused" in reported:
        with pytest.raises(FlinkRefusalError) as refusal:
            tasks(done)
        assert (
            f"java.lang.{refusal.value.exception}: {refusal.value.flink_message}"
            == reported["refused"]
        )
        return
    found = {without_sources(name): as_reported(done, task) for name, task in tasks(done).items()}

    assert found == {
        without_sources(name): reported_by_flink(one) for name, one in reported.items()
    }


def test_a_task_reads_a_gate_for_each_edge_over_the_network() -> None:
    document = {
        "transformations": [
            {"id": "a", "type": "source", "name": "a", "parallelism": 1},
            {"id": "b", "type": "legacy_source", "parallelism": 1},
            {"id": "both", "type": "union", "inputs": ["a", "b"]},
            {"id": "m", "type": "map", "inputs": ["both"], "parallelism": 2},
            {"id": "o", "type": "sink", "inputs": ["m"], "parallelism": 2},
        ]
    }
    gates = {
        name: task.reads and [task_input.gates for task_input in task.reads.inputs]
        for name, task in tasks(compiled(document, "1.20")).items()
    }

    # A source's own input is no gate, and an older one has no input at all.
    assert [*gates.values()] == [[0], None, [2]]


@pytest.mark.parametrize("version", ["1.9", "1.20"])
def test_each_end_of_an_iteration_names_the_other(version: str) -> None:
    """A head reads the queue that its tail fills; two iterations do not meet."""
    steps: list[dict[str, Any]] = [
        {"id": "s", "type": "source" if version == "1.20" else "legacy_source"}
    ]
    for loop in ("i", "j"):
        steps += [
            {"id": loop, "type": "iterate", "inputs": ["s"]},
            {"id": f"{loop} m", "type": "map", "inputs": [loop]},
            {
                "id": f"{loop} c",
                "type": "close_iteration",
                "inputs": [f"{loop} m"],
                "iteration": loop,
            },
        ]
    done = compile_graph({"transformations": steps}, version)
    ends = {
        name.partition(" ")[0]: task.end.other
        for name, task in tasks(done).items()
        if task.end is not None
    }

    numbers = {name.rpartition("-")[2] for name in ends}
    assert len(numbers) == 2
    assert ends == {
        f"IterationSource-{number}": f"IterationSink-{number}" for number in numbers
    } | {f"IterationSink-{number}": f"IterationSource-{number}" for number in numbers}
