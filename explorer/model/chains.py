"""Results of the passes between the StreamGraph and the JobGraph, and verdicts on each edge.

Mirrors ``OperatorChainInfo``, ``NonChainedOutput`` and the maps of ``StreamingJobGraphGenerator``.
"""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from explorer.model.frozen import FrozenRecord
from explorer.model.pipeline import Checkpointing, SavepointRestore
from explorer.model.stream_graph import NodeId


class Verdict(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One condition, asked for one edge."""

    code: str
    """Stable: ``CH01`` never changes its meaning."""
    title: str
    holds: bool
    asked: bool
    """Whether the chosen Flink release has this condition at all."""
    values: str
    """The values that the condition read, in words."""
    text: str
    """What must hold, and why Flink wants it."""

    @property
    def need(self) -> str:
        """What must hold, without a full stop."""
        return self.text.partition(". ")[0]

    @property
    def why(self) -> str:
        """Why Flink wants it."""
        return self.text.partition(". ")[2]

    @property
    def shortfall(self) -> str:
        """The requirement and the actual values, in two sentences."""
        return f"Needed: {self.need[0].lower()}{self.need[1:]}. Here: {self.values}."


class Decision(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All conditions of one edge."""

    edge: int
    """The position in ``StreamGraph.edges``."""
    source: str
    """The source operator's name."""
    target: str
    verdicts: tuple[Verdict, ...]

    @property
    def chained(self) -> bool:
        """Whether Flink lets the edge's ends share a task."""
        return all(verdict.holds for verdict in self.verdicts)

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """The conditions that do not hold."""
        return tuple(verdict for verdict in self.verdicts if not verdict.holds)


class SlotProfile(FrozenRecord, frozen=True, kw_only=True):
    """The resources that a ``SlotSharingGroup`` requires of a slot; sizes in bytes."""

    cpu: float
    task_heap: int
    task_off_heap: int = 0
    managed: int = 0
    external: Mapping[str, float] = {}
    """By name, the amount of an external resource such as a GPU."""


class JobSettings(FrozenRecord, frozen=True, kw_only=True):
    """Settings of the environment that the passes after the StreamGraph need."""

    batch: bool = False
    parallelism: int | None = None
    """The environment's; None: it is unknown."""
    dynamic: bool = False
    """Whether the scheduler decides the parallelism of vertices that set none."""
    auto_parallelism: bool = True
    """Whether it does so; else such vertices keep the parallelism of the environment."""
    batch_job_recovery: bool = False
    """Whether a BATCH job outlives a failure of the job manager, which needs its whole JobGraph."""
    exchange_mode: str = "ALL_EDGES_PIPELINED"
    """The global exchange mode: what an UNDEFINED edge becomes."""
    chain_different_max_parallelism: bool = True
    vertex_index_prefix: bool = False
    cascading_descriptions: bool = False
    object_reuse: bool = False
    """Whether operators of a task emit the very objects that they received, not copies."""
    slot_groups_by_region: bool = False
    checkpoint_interval: int | None = None
    """Milliseconds; None: checkpoints are off."""
    checkpointing: Checkpointing = Checkpointing()
    savepoint: SavepointRestore | None = None
    artifacts: Mapping[str, str] = {}
    slot_profiles: Mapping[str, SlotProfile] = {}
    """By slot sharing group, the resources that it requires; a group without has default slots."""


class Chain(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The operators of one task, as ``OperatorChainInfo`` collects them."""

    head: NodeId
    members: tuple[NodeId, ...]
    """In the order in which Flink adds them: depth first, the head last; without ``sources``."""
    sources: tuple[NodeId, ...]
    """The sources that run in a multiple-input head's task."""
    out_edges: tuple[int, ...]
    """Positions of the edges that leave the task, in Flink's transitive order."""

    @property
    def nodes(self) -> tuple[NodeId, ...]:
        """All operators of the task."""
        return (*self.sources, *self.members)


class Chains(FrozenRecord, frozen=True, kw_only=True):
    """All chains, in the order in which Flink makes their vertices: downstream first."""

    chains: tuple[Chain, ...]
    chain_index: Mapping[NodeId, int]
    chained_outputs: Mapping[NodeId, tuple[int, ...]]
    """By node, the positions of its chained out-edges."""
    chain_of: Mapping[NodeId, int]
    """By node, the position of its chain in ``chains``."""


class Partitioner(NamedTuple):
    """How an edge that leaves a task picks its channels."""

    class_name: str
    ship_strategy: str
    pointwise: bool


class Output(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where a job edge's records lie: ``NonChainedOutput`` and its data set."""

    edge: int
    """Position of the StreamEdge."""
    ship_strategy: str
    partitioner_class: str
    distribution_pattern: str
    result_type: str
    dataset: int
    """A number for each data set, in the order of creation."""
    buffer_timeout: int


class Wiring(FrozenRecord, frozen=True, kw_only=True):
    """Connections between the chains' vertices, which are positions in ``Chains.chains``."""

    order: tuple[int, ...]
    """All vertices, sources first, as Flink lists them."""
    inputs: Mapping[int, tuple[Output, ...]]
    """Outputs that a vertex reads, by vertex, in the order of its inputs."""
    dataset_index: Mapping[int, int]
    """By data set, its position among those of its producer."""
    producer: Mapping[int, int]
    """By data set, the vertex that produces it."""
