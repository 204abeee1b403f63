"""How a task lives is how real tasks do: operators of theirs logged who called them when."""

from pathlib import Path
from typing import Any

import pytest

from explorer.flink.tasks.task_chain import task_chain
from explorer.flink.tasks.task_classes import task_classes
from explorer.flink.tasks.task_lifecycle import task_lifecycle
from explorer.model.stream_graph import NodeId
from explorer.model.task_steps import (
    BarrierSent,
    ElementPassed,
    OperatorCalled,
    OperatorMade,
    TaskStep,
)
from tests.flink.ask_tasks import asked as asked_again
from tests.flink.ask_tasks import in_phases
from tests.flink.task_jobs import JOBS
from tests.flink.tasks.test_task_chain import asked, compiled, job_name
from tests.golden_files import cases
from tests.many_cases import for_each

LIVES = [life for life in asked("life") if "refused" not in life[2]]
PHASES = {"status": "watermark status"}
"""Phases of the program that asked which have another name here."""


def lifecycles_of(
    pipeline: Any, version: str
) -> dict[str, tuple[tuple[TaskStep, ...], dict[NodeId, str]]]:
    """By its name, the steps of each task, and the names of all nodes."""
    done = compiled(pipeline, version)
    names = {one.id: one.name.removeprefix("Source: ") for one in done.stream_graph.nodes}
    classes = task_classes(done.release)
    return {
        one.name: (task_lifecycle(task_chain(done, one.id), classes), names)
        for one in done.job_graph.vertices
    }


def calls(steps: tuple[TaskStep, ...], names: dict[NodeId, str], phase: str) -> list[list[str]]:
    """Operators and what is called of them, each once, as the program logged them."""
    found = []
    for step in steps:
        if step.phase != phase:
            continue
        if isinstance(step, OperatorMade):
            found.append([names[step.node], "setup"])
        elif isinstance(step, OperatorCalled):
            found.append([names[step.node], step.method])
        elif isinstance(step, BarrierSent):
            found.append([f"output {step.network}", "broadcastEvent"])
        elif isinstance(step, ElementPassed) and step.target is not None:
            found.append([names[step.target], step.method])
    return [one for at, one in enumerate(found) if one not in found[:at]]


def _logged(reported: list[Any], can_log: set[str]) -> list[list[str]]:
    named = [[one[0].partition(" of ")[0], one[1]] for one in reported]
    return [one for one in named if one[0].startswith("output ") or one[0] in can_log]


@for_each(("case", "version", "reported"), LIVES, job_name)
def test_operators_are_called_in_flinks_order(
    case: dict[str, Any], version: str, reported: Any
) -> None:
    lives = lifecycles_of(case["pipeline"], version)
    for task, phases in reported.items():
        steps, names = lives[task]
        for phase, logged in phases.items():
            can_log = {one[0] for one in logged}
            found = calls(steps, names, PHASES.get(phase, phase))
            mine = [one for one in found if one[0].startswith("output ") or one[0] in can_log]
            if phase == "latency marker":
                # Which output it uses is drawn: each possible one is called in time.
                assert [one for one in _logged(logged, can_log) if one in mine][:1] == mine[:1]
            else:
                assert mine == _logged(logged, can_log), (task, phase)


@for_each(("case", "version", "reported"), LIVES, job_name)
def test_an_element_goes_through_flinks_classes(
    case: dict[str, Any], version: str, reported: Any
) -> None:
    lives = lifecycles_of(case["pipeline"], version)
    for task, phases in reported.items():
        steps, names = lives[task]
        for phase in ("record", "watermark", "status"):
            for operator, method, caller, way in phases.get(phase, ()):
                if not caller:
                    continue
                taken = [
                    step.through
                    for step in steps
                    if isinstance(step, ElementPassed)
                    and step.target is not None
                    and (names[step.target], step.method) == (operator, method)
                ]
                outputs = [frame.rpartition(".")[0] for frame in way if "Output" in frame]
                assert (
                    list(dict.fromkeys(map(_plain, outputs)))
                    == [_plain(one) for one in reversed(taken[0])][
                        : len(dict.fromkeys(map(_plain, outputs)))
                    ]
                ), (task, operator, method)


def _plain(name: str) -> str:
    """A copying output inherits what does not copy."""
    return name.replace("Copying", "")


@pytest.mark.flink
def test_the_answers_are_those_of_running_tasks(tmp_path: Path) -> None:
    """Two jobs are run again; the others were run by the same program."""
    names = ("branches, objects reused", "life: chain")
    jobs = [one for one in JOBS if one.name in names]
    again = asked_again("1.20.5", tmp_path, jobs)
    for case in cases("tasks"):
        if case["name"] not in names:
            continue
        (wanted,) = (one["told"] for one in case["flink"] if "1.20" in one["versions"])
        reported = again[names.index(case["name"])]
        if case["ask"] == "inside":
            assert reported == wanted
        else:
            for task, phases in in_phases(reported).items():
                for phase in ("build", "start", "record", "checkpoint", "end"):
                    assert phases[phase] == wanted[task][phase]
