"""Task internals as a record and as text: operators, inputs, outputs, lifecycle; task lookup."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from explorer.errors import ExplorerError
from explorer.explain.config_text import described_value
from explorer.flink.compiler import Compilation
from explorer.flink.tasks.stream_configs import stream_configs
from explorer.flink.tasks.task_chain import task_chain
from explorer.flink.tasks.task_classes import task_classes
from explorer.flink.tasks.task_lifecycle import task_lifecycle
from explorer.lookup.edge_lookup import matching_operators
from explorer.model.job_graph import JobVertex
from explorer.model.narrated_step import NarratedStep
from explorer.model.stream_config import OperatorConfig
from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import TaskChain
from explorer.model.task_steps import TaskStep
from explorer.narration.lifecycle import as_members, classes_of, described_output, narrate_task
from explorer.wording import counted, listed, quoted


class UnknownTaskError(ExplorerError):
    """A text that names no task, or several."""


class TaskInternals(msgspec.Struct, frozen=True, kw_only=True):
    """A task, and every step of its lifecycle."""

    task: TaskChain
    steps: tuple[NarratedStep[TaskStep], ...]
    configs: tuple[OperatorConfig, ...] = ()
    """The StreamConfig of each operator, the head's first."""

    def to_dict(self) -> dict[str, Any]:
        """Members that are ready for JSON."""
        members: dict[str, Any] = msgspec.to_builtins(self)
        return members | {"steps": as_members(self.steps)}


def task_internals(compilation: Compilation, vertex: str) -> TaskInternals:
    """Describe the task of a job vertex and its lifecycle; raises as ``task_chain`` does."""
    task = task_chain(compilation, vertex)
    steps = task_lifecycle(task, task_classes(compilation.release))
    configs = stream_configs(compilation, vertex)
    return TaskInternals(task=task, steps=narrate_task(task, steps), configs=configs)


def shared_objects(task: TaskChain) -> Iterator[str]:
    """Describe each operator that passes one object to several, in the order of calls."""
    names = {task_operator.node: task_operator.name for task_operator in task.operators}
    for operator in task.operators if task.object_reuse else ():
        leaves = [leaf for leaf in operator.output.leaves() if leaf.tag is None]
        called = [names[leaf.operator] for leaf in leaves if leaf.operator is not None]
        if len(called) > 1:
            first, *later_names = called
            see = "sees" if len(later_names) == 1 else "see"
            yield (
                f"{operator.name} hands the same object to {listed(called)}, one after the "
                f"other: what {first} changes in it, {listed(later_names)} {see}."
            )


def task_called(compilation: Compilation, text: str) -> JobVertex:
    """Find the job vertex with this ID or name, or with an operator of this name.

    Raises ``UnknownTaskError`` if there is none, or more than one.
    """
    every = compilation.job_graph.vertices
    vertices = [vertex for vertex in every if text in (vertex.id, vertex.name)]
    if not vertices:
        nodes = matching_operators(compilation.stream_graph, text)
        places = {compilation.job_graph.vertex_of[node] for node in nodes}
        vertices = [every[place] for place in sorted(places)]
    if len(vertices) == 1:
        return vertices[0]
    names = ", ".join(quoted(job_vertex.name) for job_vertex in vertices or every)
    present = f"it names {counted(len(vertices), 'task')}" if vertices else "there is no such task"
    msg = f"{quoted(text)}: {present}; tasks are {names}"
    raise UnknownTaskError(msg)


def task_internals_text(internals: TaskInternals) -> str:
    """Show a task and its lifecycle, as lines."""
    task = internals.task
    names = {operator.node: operator.name for operator in task.operators}
    content = "its operators in a" if task.end is None else "an end of an iteration, with an empty"
    lines = [task.name, f"  {task.invokable}, {content} {task.chain}", "  Inputs"]
    lines += [f"    {line}" for line in _inputs(task, names)]
    lines += _operators(task, names)
    lines.append("  Network outputs")
    for number, output in enumerate(task.network):
        tag = f", side output {output.tag!r}" if output.tag is not None else ""
        behind = names.get(output.node, task.name)
        lines.append(f"    {number}: {output.ship_strategy} behind {behind}{tag}")
    if not task.network:
        lines.append("    none")
    lines += [f"  {sentence}" for sentence in shared_objects(task)]
    for part, steps in groupby(internals.steps, lambda step: step.part):
        lines.append(f"  {part.capitalize()}")
        lines += [f"    {step.number:>3}. {step.sentence}" for step in steps]
    for config in internals.configs:
        lines.append(f"  StreamConfig of {config.name}")
        lines += [f"    {entry.key} = {described_value(entry)}" for entry in config.entries]
    return "\n".join(lines)


def _operators(task: TaskChain, names: dict[NodeId, str]) -> Iterator[str]:
    """Show the operators in the chain, or the one outside of it at the end of an iteration."""
    if task.end is None:
        linked = "as they are linked" if task.wrapper else "as their array holds them"
        yield f"  Operators, {linked}"
    elif task.end.operator is not None and task.end.output is not None:
        yield "  Operator outside the chain"
        fills = " around ".join(classes_of(task.end.output))
        yield f"    {task.end.operator}: {fills}, for the {task.end.queue} of {task.end.other}"
    for operator in task.operators:
        note = " (chained source)" if operator.chained_source else ""
        yield f"    {operator.name}{note}: {described_output(operator.output, names)}"


def _inputs(task: TaskChain, names: dict[NodeId, str]) -> Iterator[str]:
    if task.reads is None:
        yield (
            f"none: it takes records out of an {task.end.queue}, from {task.end.other}"
            if task.end is not None
            else "none: the source's function runs in a thread of its own"
        )
        return
    yield task.reads.class_name
    for input_ in task.reads.inputs:
        sources = [names[node] for node in input_.sources if node in names]
        owner = sources[0] if sources else counted(input_.gates, "input gate")
        calls = "" if input_.data_output is None else f", which calls {input_.data_output}"
        yield f"  {input_.class_name or 'read by the processor itself'} of {owner}{calls}"
