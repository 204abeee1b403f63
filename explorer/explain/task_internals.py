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
    """Describe the task of a job vertex and its lifecycle; raises as ``task_chain`` does."""
    task = task_chain(done, vertex)
    steps = task_lifecycle(task, task_classes(done.release))
    configs = stream_configs(done, vertex)
    return TaskInternals(task=task, steps=narrate_task(task, steps), configs=configs)


def shared_objects(task: TaskChain) -> Iterator[str]:
    """Describe each operator that passes one object to several, in the order of calls."""
    names = {one.node: one.name for one in task.operators}
    for one in task.operators if task.object_reuse else ():
        leaves = [leaf for leaf in one.output.leaves() if leaf.tag is None]
        called = [names[leaf.operator] for leaf in leaves if leaf.operator is not None]
        if len(called) > 1:
            first, *others = called
            see = "sees" if len(others) == 1 else "see"
            yield (
                f"{one.name} hands the same object to {listed(called)}, one after the "
                f"other: what {first} changes in it, {listed(others)} {see}."
            )


def task_called(done: Compilation, text: str) -> JobVertex:
    """Find the job vertex with this ID or name, or with an operator of this name.

    Raises ``UnknownTaskError`` if there is none, or more than one.
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
    """Show a task and its lifecycle, as lines."""
    task = found.task
    names = {one.node: one.name for one in task.operators}
    held = "its operators in a" if task.end is None else "an end of an iteration, with an empty"
    lines = [task.name, f"  {task.invokable}, {held} {task.chain}", "  Inputs"]
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
    for part, steps in groupby(found.steps, lambda step: step.part):
        lines.append(f"  {part.capitalize()}")
        lines += [f"    {step.number:>3}. {step.sentence}" for step in steps]
    for config in found.configs:
        lines.append(f"  StreamConfig of {config.name}")
        lines += [f"    {one.key} = {described_value(one)}" for one in config.entries]
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
    for one in task.operators:
        what = " (chained source)" if one.chained_source else ""
        yield f"    {one.name}{what}: {described_output(one.output, names)}"


def _inputs(task: TaskChain, names: dict[NodeId, str]) -> Iterator[str]:
    if task.reads is None:
        yield (
            f"none: it takes records out of an {task.end.queue}, from {task.end.other}"
            if task.end is not None
            else "none: the source's function runs in a thread of its own"
        )
        return
    yield task.reads.class_name
    for one in task.reads.inputs:
        own = [names[node] for node in one.sources if node in names]
        owner = own[0] if own else counted(one.gates, "input gate")
        calls = "" if one.data_output is None else f", which calls {one.data_output}"
        yield f"  {one.class_name or 'read by the processor itself'} of {owner}{calls}"
