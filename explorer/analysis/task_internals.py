"""Task internals for a reader: operators, inputs, outputs, lifecycle; lookup of a task."""

from collections.abc import Iterator
from typing import Any

import msgspec

from explorer.analysis.config_text import described_value
from explorer.analysis.edge_lookup import matching_operators
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.flink.stream_configs import stream_configs
from explorer.flink.task_chain import task_chain
from explorer.flink.task_classes import task_classes
from explorer.flink.task_lifecycle import task_lifecycle
from explorer.model.job_graph import JobVertex
from explorer.model.narrated_step import NarratedStep
from explorer.model.stream_config import OperatorConfig
from explorer.model.stream_graph import NodeId
from explorer.model.task_chain import TaskChain, TaskInput
from explorer.model.task_trace import TaskStep
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


def task_internals(done: Compilation, vertex: str) -> TaskInternals:
    """The task of the job vertex with this ID, and its lifecycle; raises as ``task_chain`` does."""
    task = task_chain(done, vertex)
    steps = task_lifecycle(task, task_classes(done.release))
    configs = stream_configs(done, vertex)
    return TaskInternals(task=task, steps=narrate_task(task, steps), configs=configs)


def shared(task: TaskChain) -> tuple[str, ...]:
    """A sentence for each operator that passes one object to several, in the order of calls."""
    if not task.object_reuse:
        return ()
    names = {one.node: one.name for one in task.operators}
    found = []
    for one in task.operators:
        leaves = [leaf for leaf in one.output.leaves() if leaf.tag is None]
        called = [names[leaf.operator] for leaf in leaves if leaf.operator is not None]
        if len(called) > 1:
            first, *others = called
            see = "sees" if len(others) == 1 else "see"
            found.append(
                f"{one.name} hands the same object to {listed(called)}, one after the other: what "
                f"{first} changes in it, {listed(others)} {see}."
            )
    return tuple(found)


def task_called(done: Compilation, text: str) -> JobVertex:
    """The job vertex with this ID or name, or the one that holds an operator called so.

    Raises ``UnknownTaskError`` where there is none, or more than one.
    """
    every = done.job_graph.vertices
    found = [one for one in every if text in (one.id, one.name)]
    if not found:
        nodes = matching_operators(done.stream_graph, text)
        places = {done.job_graph.vertex_of[node] for node in nodes}
        found = [every[place] for place in sorted(places)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(quoted(one.name) for one in found or every)
    known = f"it names {counted(len(found), 'task')}" if found else "there is no such task"
    msg = f"{quoted(text)}: {known}; tasks are {names}"
    raise UnknownTaskError(msg)


def task_internals_text(found: TaskInternals) -> str:
    """A task and its lifecycle, as lines."""
    return "\n".join(_lines(found))


def _lines(found: TaskInternals) -> Iterator[str]:
    task = found.task
    names = {one.node: one.name for one in task.operators}
    held = "its operators in a" if task.end is None else "an end of an iteration, with an empty"
    yield f"{task.name}"
    yield f"  {task.invokable}, {held} {task.chain}"
    yield "  Inputs"
    yield from (f"    {line}" for line in _reads(task, names))
    yield from _operators(task, names)
    yield "  Network outputs"
    yield from (f"    {line}" for line in _network(task, names))
    yield from (f"  {sentence}" for sentence in shared(task))
    part = ""
    for step in found.steps:
        if step.part != part:
            part = step.part
            yield f"  {part.capitalize()}"
        yield f"    {step.number:>3}. {step.sentence}"
    for config in found.configs:
        yield f"  StreamConfig of {config.name}"
        yield from (f"    {one.key} = {described_value(one)}" for one in config.entries)


def _operators(task: TaskChain, names: dict[NodeId, str]) -> Iterator[str]:
    """What the chain holds, or of the end of an iteration what stands outside of it."""
    if task.end is None:
        linked = "as they are linked" if task.wrapper else "as their array holds them"
        yield f"  Operators, {linked}"
    elif task.end.operator is not None and task.end.output is not None:
        yield "  Operator outside the chain"
        fills = " around ".join(classes_of(task.end.output))
        yield f"    {task.end.operator}: {fills}, for the {task.end.queue} of {task.end.other}"
    for one in task.operators:
        what = " (chained source)" if one.chained_source else ""
        yield f"    {one.name}{what}: {described_output(one.output, names)}"


def _network(task: TaskChain, names: dict[NodeId, str]) -> Iterator[str]:
    for number, output in enumerate(task.network):
        tag = f", side output {output.tag!r}" if output.tag is not None else ""
        behind = names.get(output.node, task.name)
        yield f"{number}: {output.ship_strategy} behind {behind}{tag}"
    if not task.network:
        yield "none"


def _reads(task: TaskChain, names: dict[NodeId, str]) -> Iterator[str]:
    if task.end is not None and task.reads is None:
        yield f"none: it takes records out of an {task.end.queue}, from {task.end.other}"
        return
    if task.reads is None:
        yield "none: the source's function runs in a thread of its own"
        return
    yield task.reads.class_name
    for one in task.reads.inputs:
        yield f"  {_input(one, names)}"


def _input(one: TaskInput, names: dict[NodeId, str]) -> str:
    own = [names[node] for node in one.sources if node in names]
    owner = f" of {own[0]}" if own else f" of {counted(one.gates, 'input gate')}"
    calls = "" if one.data_output is None else f", which calls {one.data_output}"
    return f"{one.class_name or 'read by the processor itself'}{owner}{calls}"
