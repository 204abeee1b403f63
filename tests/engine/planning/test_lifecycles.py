"""A run's operators have the lifecycle that the task internals show."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from explorer import compile_graph, load_document
from explorer.documents import sample_data, samples
from explorer.engine.planning.synthetic import is_synthetic
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.preview.sampling import RowSample, sample_sources
from explorer.engine.task.lineage import Called, Lineage
from explorer.engine.task.local_job import run_job
from explorer.errors import UnsupportedReleaseError
from explorer.explain.task_internals import task_internals
from explorer.flink.compiler import Compilation
from explorer.flink.passes.generation.options import OBJECT_REUSE
from explorer.flink.tasks.task_chain import holds_operators
from explorer.model.pipeline import Pipeline
from explorer.model.task_steps import Element, ElementPassed, OperatorCalled, Phase

Calls = list[tuple[int, str]]
ENDS = {"1.9": {"close", "dispose"}, "1.13": {"close", "dispose"}, "2.2": {"finish", "close"}}
"""Methods by which operators end, for three releases with different orders."""


def compiled(path: Path, version: str) -> Compilation | None:
    """A sample that the release has, with known functions; objects are reused.

    Without that tasks with chained sources of some releases end as soon as they start.
    """
    document = load_document(path)
    if not isinstance(document, Pipeline):
        return None
    options = {**document.environment.configuration, OBJECT_REUSE: True}
    environment = replace(document.environment, configuration=options)
    try:
        done = compile_graph(replace(document, environment=environment), version)
    except UnsupportedReleaseError:
        return None
    return None if is_synthetic(done) else done


def calls_of_run(done: Compilation) -> list[Called]:
    """All calls of a run over some rows of a sample."""
    lineage = Lineage()
    job, _ = sample_sources(plan_trial(done, data_dir=sample_data()).job, RowSample(rows=40))
    run_job(job, lineage=lineage)
    return lineage.calls


def played(done: Compilation, vertex: str) -> Iterator[tuple[Phase, int, str]]:
    """The calls that the task internals show."""
    for one in task_internals(done, vertex).steps:
        step = one.event
        if isinstance(step, OperatorCalled):
            yield step.phase, step.node, step.method
        elif isinstance(step, ElementPassed) and step.target is not None:
            yield step.phase, step.target, step.method


def first_of_each(calls: Iterable[tuple[int, str]]) -> Calls:
    return list(dict.fromkeys(calls))


def check_task(mine: Calls, steps: list[tuple[Phase, int, str]]) -> None:
    """Compare one subtask's calls with the steps of its task."""
    of: dict[Phase | Element, Calls] = {}
    for phase, node, method in steps:
        of.setdefault(phase, []).append((node, method))
    elements = [one for one in mine if one[1].startswith("process")]
    begun, over = mine.index(elements[0]) if elements else 0, len(of["start"])
    started = mine[:over]
    ended = [one for one in mine[over:] if one not in elements]
    assert started == of["start"]
    assert ended == of["end"]
    assert not elements or begun == over

    watermarks = [one for one in elements if one[1] == "processWatermark"]
    assert first_of_each(watermarks) == first_of_each(of.get("watermark", []))
    records = elements[: elements.index(watermarks[0])] if watermarks else []
    seen = set(records)
    assert first_of_each(records) == [
        one for one in first_of_each(of.get("record", [])) if one in seen
    ]


@pytest.mark.law
@pytest.mark.parametrize("version", list(ENDS))
def test_a_run_calls_operators_as_inside_plays_it(version: str) -> None:
    runs = 0
    for sample in samples():
        done = compiled(sample.path, version)
        if done is None:
            continue
        runs += 1
        calls = calls_of_run(done)
        for vertex in done.job_graph.vertices:
            if not holds_operators(vertex):
                continue
            nodes = {one.node for one in vertex.operators}
            mine = [
                (one.node, one.method) for one in calls if one.node in nodes and not one.subtask
            ]
            check_task(mine, list(played(done, vertex.id)))
        assert {one.method for one in calls} >= ENDS[version]
    assert runs > 5


def test_an_operator_emits_in_the_recorded_order() -> None:
    """The first operator of the document is called last if the recorded steps do so."""
    done = compile_graph("sample_graphs/20-object-reuse.yaml")
    planned = plan_trial(done)
    for task in planned.job.tasks:
        steps = [one.event for one in task_internals(done, task.id).steps]
        for operator in task.operators:
            wanted = [
                one.target
                for one in steps
                if isinstance(one, ElementPassed)
                and one.element == "watermark"
                and one.source == operator.node
                and one.target is not None
            ]
            chained = [task.operators[one.operator].node for one in operator.chained]
            assert chained == wanted
