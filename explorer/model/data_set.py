"""A DataSet program's plan as Flink's optimizer and ``JobGraphGenerator`` made it, until 1.20.

Mirrors what ``PlanJSONDumpGenerator`` prints of an ``OptimizedPlan``, and ``TaskConfig``. Nothing
of these records is computed by the explorer.
"""

from collections.abc import Mapping

import msgspec


class PlanInput(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An input of an operator of the optimizer's plan: a ``Channel``."""

    id: int
    ship_strategy: str = ""
    local_strategy: str | None = None
    exchange_mode: str | None = None
    side: str | None = None
    """``first`` or ``second`` where there are two."""
    temp_mode: str | None = None
    """How records are buffered between tasks, if at all."""


class PlanProperty(msgspec.Struct, frozen=True, kw_only=True):
    """A named value of a plan's operator, as Flink prints both."""

    name: str
    value: str


class PlanOperator(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An operator of the optimizer's plan: a ``PlanNode``."""

    id: int
    type: str = ""
    pact: str
    """What it is: Data Source, FlatMap, GroupCombine, Join, ..."""
    contents: str = ""
    parallelism: str = ""
    driver_strategy: str | None = None
    predecessors: tuple[PlanInput, ...] = ()
    global_properties: tuple[PlanProperty, ...] = ()
    local_properties: tuple[PlanProperty, ...] = ()
    estimates: tuple[PlanProperty, ...] = ()
    costs: tuple[PlanProperty, ...] = ()
    compiler_hints: tuple[PlanProperty, ...] = ()
    step_function: tuple["PlanOperator", ...] = ()
    """The operators of an iteration, which run once a superstep."""

    @property
    def is_combiner(self) -> bool:
        """Whether it combines records before they are shipped."""
        return "Combine" in self.pact or "Combine" in (self.driver_strategy or "")


class ChainedTask(msgspec.Struct, frozen=True, kw_only=True):
    """An operator chained to the task before it: a ``ChainedDriver``."""

    name: str
    driver: str
    """The class of its driver."""
    strategy: str


class DataSetTask(msgspec.Struct, frozen=True, kw_only=True):
    """What a job vertex of a DataSet program runs, as its ``TaskConfig`` holds it."""

    id: str
    driver: str | None
    """The class of the driver; None: a source or a sink has none."""
    strategy: str
    local_strategies: tuple[str, ...] = ()
    """By input."""
    output_strategies: tuple[str, ...] = ()
    chained: tuple[ChainedTask, ...] = ()


class DataSetEdge(msgspec.Struct, frozen=True, kw_only=True):
    """An edge of the JobGraph as Flink made it."""

    source: str
    target: str
    ship_strategy: str
    """Empty between the head of an iteration and its Sync task: no records are shipped."""
    distribution_pattern: str
    result_type: str
    local_strategy: str | None = None


class DataSetPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The optimizer's plan and the JobGraph's tasks of a DataSet program."""

    flink: str
    """The version that made it, with its patch level."""
    nodes: tuple[PlanOperator, ...]
    tasks: tuple[DataSetTask, ...]
    edges: tuple[DataSetEdge, ...]

    @property
    def by_task(self) -> Mapping[str, DataSetTask]:
        """The tasks by their IDs."""
        return {task.id: task for task in self.tasks}
