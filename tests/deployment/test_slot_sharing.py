"""Which subtasks share a slot: what the strategies of thirteen releases answer to random graphs."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from explorer.deployment.slot_sharing import (
    PlacedSubtask,
    Strategy,
    shared_slots,
    sorted_from_sources,
)
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.model.pipeline import Pipeline
from tests.capture.flinks import VERSIONS as CACHED
from tests.deployment.ask_slots import BALANCED, asked, graph
from tests.golden_files import cases
from tests.strategies import pipelines


class _Vertex:
    """As much of a job vertex as a strategy looks at."""

    def __init__(self, group: str) -> None:
        self.slot_sharing_group = group


class _Job:
    def __init__(self, question: dict[str, Any]) -> None:
        self.vertices = [_Vertex(group) for _, group, _ in question["vertices"]]


def answer(question: dict[str, Any]) -> str:
    """Our answer in the words of the program that asked Flink."""
    strategy: Strategy = "balanced tasks" if question["strategy"] == BALANCED else "local input"
    vertices = enumerate(question["vertices"])
    located = {position: name for position, (_, _, name) in vertices if name != "-"}
    execution = graph(question)
    slots = shared_slots(_Job(question), execution, located, strategy)  # type: ignore[arg-type]
    slot_of = {one: number for number, slot in enumerate(slots) for one in slot.subtasks}
    met: dict[int, int] = {}
    words = []
    for vertex in sorted_from_sources(execution):
        width = execution.vertices[vertex].parallelism
        numbers = [slot_of[PlacedSubtask(vertex, number)] for number in range(width)]
        reported = (str(met.setdefault(number, len(met))) for number in numbers)
        words.append(f"{vertex}:{','.join(reported)}")
    return " ".join(words)


def test_slots_are_shared_as_flinks_own_strategies_share_them() -> None:
    every = list(cases("slots"))
    wrong = [
        (case, outcome["versions"], answer(case))
        for case in every
        for outcome in case["flink"]
        if answer(case) != outcome["slots"]
    ]

    assert len(every) > 100
    assert wrong == []


@pytest.mark.flink
def test_the_golden_slots_are_those_of_the_jars(tmp_path: Path) -> None:
    """One release is asked again, of such files each another; one program asked them all."""
    version = CACHED[1]
    short = version.rpartition(".")[0]
    kept = {
        str((case["strategy"], case["vertices"], case["edges"])): outcome["slots"]
        for case in cases("slots")
        for outcome in case["flink"]
        if short in outcome["versions"]
    }
    reported = {
        str(
            (one["strategy"], [list(v) for v in one["vertices"]], [list(e) for e in one["edges"]])
        ): a
        for one, a in asked(version, tmp_path)
    }

    assert reported == kept


@given(pipelines())
def test_every_subtask_has_one_slot_and_no_slot_two_of_a_vertex(pipeline: Pipeline) -> None:
    try:
        done = compile_program(pipeline)
        slots = shared_slots(done.job_graph, done.execution_graph, {}, "local input")
    except ExplorerError:  # Refused, or with a parallelism that is decided later.
        return

    placed = [one for slot in slots for one in slot.subtasks]
    assert len(placed) == len(set(placed)) == done.execution_graph.counts.subtasks
    for slot in slots:
        vertices = [one.vertex for one in slot.subtasks]
        assert len(vertices) == len(set(vertices))
        assert {done.job_graph.vertices[one].slot_sharing_group for one in vertices} == {slot.group}
