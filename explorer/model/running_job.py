"""A job as its cluster reports it: tasks, their operators by name, edges and figures.

Mirrors ``JobDetailsInfo``, ``JobVertexDetailsInfo``, ``JobPlanInfo`` and ``IOMetricsInfo``, the
messages of Flink's ``runtime.rest``.
"""

from collections.abc import Mapping

import msgspec

from explorer.model.frozen import FrozenRecord
from explorer.model.run_figures import TaskFigures
from explorer.model.stream_graph import NodeId

ENDED = frozenset({"FINISHED", "CANCELED", "FAILED"})
"""``JobStatus.isGloballyTerminalState``: such a job does nothing any more."""


class RunningOperator(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """An operator of a task's chain."""

    node: NodeId
    """Its place in the document; Flink's own number only where the StreamGraph is reported."""
    name: str
    description: str | None = None
    """Where it is longer than the name, as a planner's does."""
    chained_outputs: tuple[NodeId, ...] = ()


class RunningTask(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A job vertex; its operators head first."""

    id: str
    """32 hex digits: the operator ID of the chain's head."""
    name: str
    parallelism: int
    max_parallelism: int | None = None
    """As the running job has it; reported from 1.13 on."""
    slot_sharing_group: str | None = None
    """The cluster's name of the group: equal ones, same group; reported from 1.18 on."""
    operators: tuple[RunningOperator, ...]


class TaskEdge(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """An input of a task."""

    source: str
    target: str
    input: int
    ship_strategy: str
    result_type: str | None = None
    """As ``ResultPartitionType`` spells it."""


class StreamInput(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """An input of an operator."""

    node: NodeId
    ship_strategy: str


class StreamOperator(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """An operator of the StreamGraph of which a job's tasks are still being made."""

    node: NodeId
    """Flink's own number."""
    name: str
    description: str | None = None
    parallelism: int = -1
    """-1: the scheduler has not decided it."""
    task: str | None = None
    """The task that it is in; None: it is in none yet."""
    inputs: tuple[StreamInput, ...] = ()


class RunningJob(FrozenRecord, frozen=True, kw_only=True):
    """A job at one moment; moments in milliseconds since 1970, -1 where there is none yet."""

    id: str
    name: str
    type: str = "STREAMING"
    state: str | None = None
    """A ``JobStatus``; None: a plan has no run."""
    version: str | None = None
    """The cluster's Flink with its patch level, as in 1.20.5."""
    taken: int | None = None
    """When the cluster reported it."""
    start_time: int | None = None
    end_time: int | None = None
    configuration: Mapping[str, str] = {}
    """The execution config as the dashboard shows it, and the checkpoint config."""
    tasks: tuple[RunningTask, ...]
    """Sources first, as the cluster lists them."""
    edges: tuple[TaskEdge, ...]
    stream_graph: tuple[StreamOperator, ...] = ()
    """All operators, those of the tasks too. Reported from 2.0 on of a batch job: its scheduler
    makes the tasks while it runs; empty: it is not reported."""
    figures: tuple[TaskFigures, ...] = ()
    """In the order of the tasks; empty: a plan has none."""

    @property
    def has_ended(self) -> bool:
        """Whether the job has ended."""
        return self.state in ENDED
