"""Content of a running task: its operators, their outputs, and its input processor.

Mirrors ``OperatorChain``, ``StreamOperatorWrapper``, ``Output`` and ``StreamInputProcessor``.
Classes are called as Flink calls them, without their packages.
"""

from collections.abc import Iterator

import msgspec

from explorer.model.stream_graph import NodeId


class TaskOutput(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where a record goes when an operator emits it."""

    class_name: str
    operator: NodeId | None = None
    """The operator that it calls; None: it writes to the network, or forwards to ``outputs``."""
    input: int = 0
    """Which input of that operator: 0 for its only one, else 1, 2, ..."""
    network: int | None = None
    """The position among the task's network outputs."""
    tag: str | None = None
    """It carries the records of this side output alone; None: those of the main output."""
    copies: bool = False
    """Whether it passes a copy of each record's value, which the type's serializer makes."""
    outputs: tuple["TaskOutput", ...] = ()
    """The outputs that it passes each record to, in this order."""

    def leaves(self) -> Iterator["TaskOutput"]:
        """The outputs that call an operator or write to the network, in the order of calls."""
        return (leaf for _, leaf in self.routes())

    def routes(self) -> Iterator[tuple[tuple[str, ...], "TaskOutput"]]:
        """The same leaves, each behind the classes from the operator to it."""
        if self.operator is not None or self.network is not None:
            yield (self.class_name,), self
        for output in self.outputs:
            for through, leaf in output.routes():
                yield (self.class_name, *through), leaf


class TaskOperator(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An operator in its task."""

    node: NodeId
    name: str
    output: TaskOutput
    chained_source: bool = False
    """Whether it is a source chained to a head with several inputs."""


class NetworkOutput(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A ``RecordWriterOutput``: where records leave the task."""

    node: NodeId
    """The operator that writes to it."""
    targets: tuple[NodeId, ...]
    """Heads of the tasks that read it."""
    tag: str | None
    ship_strategy: str


class TaskInput(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One input of the head: what reads it, and what calls the head."""

    class_name: str | None
    """``StreamTaskNetworkInput`` or ``StreamTaskSourceInput``; None: the processor reads itself."""
    data_output: str | None
    """The ``DataOutput`` that calls the head; None: the processor does it itself."""
    sources: tuple[NodeId, ...]
    """Operators that it reads: over the network those at the other end, or a chained source."""
    gates: int
    """Input gates; several are read through a ``UnionInputGate``."""


class InputProcessor(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The processor of a task's inputs, called by the mailbox."""

    class_name: str
    inputs: tuple[TaskInput, ...]


class IterationEnd(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Further members of an iteration's end, the chain of which has no operator.

    Mirrors ``StreamIterationHead`` and ``StreamIterationTail``, which meet at a queue.
    """

    other: str
    """The name of the task at the other end."""
    queue: str
    """The class of the queue between both."""
    operator: str | None
    """The class that receives a tail's records; None: a head emits records itself."""
    output: TaskOutput | None
    """The output of that operator."""
    waits: int | None
    """Milliseconds for a record, or for space; 0: for ever, None: unknown in a StreamGraph."""


class TaskChain(msgspec.Struct, frozen=True, kw_only=True):
    """A task of a job vertex."""

    vertex: str
    """The job vertex's ID."""
    name: str
    invokable: str
    chain: str
    """The class that holds the operators."""
    wrapper: str | None
    """The class that wraps each operator, doubly linked; None: an array, tail first."""
    object_reuse: bool
    operators: tuple[TaskOperator, ...]
    """As they are linked, head first; ``built`` holds the order of construction."""
    built: tuple[NodeId, ...]
    """Order of construction, tail first: an operator's outputs are built before it."""
    head: NodeId
    network: tuple[NetworkOutput, ...]
    """Made before any operator, in this order."""
    reads: InputProcessor | None
    """None: a legacy source runs in a thread of its own, and a head reads its queue."""
    end: IterationEnd | None = None
    """None: it is no end of an iteration, and has operators."""

    @property
    def summary(self) -> str:
        """Both classes, and whether records are copied between the operators."""
        if self.end is not None:
            return f"{self.invokable} with an empty {self.chain}"
        reuse = (
            "objects are reused" if self.object_reuse else "records are copied between operators"
        )
        return f"{self.invokable} with a {self.chain}; {reuse}"

    def operator(self, node: NodeId) -> TaskOperator:
        """The operator of this node; raises ``KeyError`` when the task has none."""
        for task_operator in self.operators:
            if task_operator.node == node:
                return task_operator
        raise KeyError(node)
