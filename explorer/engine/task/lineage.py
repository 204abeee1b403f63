"""Records the lineage of every record while a run goes on.

An ``OperatorChain`` shows a ``Lineage`` what each operator reads and emits, a ``RecordWriter``
what it sends through which channel. Every record that is emitted gets a number of its own, which
comes of the operator's stated origins; see ``explorer.engine.rows.origins``.
The run is unchanged by it: no figure and no row depends on a number.
"""

import msgspec
import numpy as np

from explorer.engine.rows.batch import Batch, Longs
from explorer.engine.rows.origins import Descent, Origins
from explorer.engine.task.serializers import batch_sizes


class EmittedRecords(msgspec.Struct, frozen=True, kw_only=True):
    """Records that one operator emitted at once, numbered from ``first`` on."""

    first: int
    node: int
    subtask: int
    tag: str | None
    """The side output's; None: the main output."""
    batch: Batch

    @property
    def numbers(self) -> range:
        """The records' numbers."""
        return range(self.first, self.first + len(self.batch))


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """Records that entered an operator on one of its inputs."""

    node: int
    subtask: int
    input: int
    numbers: Longs


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """Records that a producer's subtask wrote to one channel of an edge, behind one another."""

    edge: int
    subtask: int
    channel: int
    numbers: Longs
    starts: Longs
    """One a record: how many bytes the channel had carried before."""
    sizes: Longs
    """One a record: its bytes, with the length before it."""


class Called(msgspec.Struct, frozen=True, kw_only=True):
    """A method of ``StreamOperator``, or of its input, that an operator was called by."""

    node: int
    subtask: int
    method: str


class Lineage:
    """All that a traced run wrote down."""

    def __init__(self) -> None:
        self.descent = Descent()
        self.emitted: list[EmittedRecords] = []
        self.received: list[Received] = []
        self.sent: list[Sent] = []
        self.calls: list[Called] = []
        self._carried: dict[tuple[int, int, int], int] = {}

    def emit(self, node: int, subtask: int, tag: str | None, batch: Batch) -> Batch:
        """Number the records that an operator emits; a batch of origins unknown is a source's.

        Gives the records with their own numbers, as which those behind will know them.
        """
        if batch.origins is None:
            numbers = self.descent.sources(len(batch))
        else:
            numbers = self.descent.add(batch.origins.numbers)
        numbered = batch.with_origins(Origins(self.descent, numbers))
        if len(batch):
            first = int(numbers[0])
            self.emitted.append(
                EmittedRecords(first=first, node=node, subtask=subtask, tag=tag, batch=numbered)
            )
        return numbered

    def call(self, node: int, subtask: int, method: str) -> None:
        """Write down that an operator is called."""
        self.calls.append(Called(node=node, subtask=subtask, method=method))

    def receive(self, node: int, subtask: int, number: int, batch: Batch) -> None:
        """Write down what entered an operator on its input ``number``."""
        self.call(node, subtask, "processElement")
        if batch.origins is not None:
            self.received.append(
                Received(node=node, subtask=subtask, input=number, numbers=batch.origins.numbers)
            )

    def send(self, edge: int, subtask: int, channel: int, batch: Batch) -> None:
        """Write down what went through a channel."""
        if batch.origins is None:
            return
        sizes = batch_sizes(batch)
        before = self._carried.get((edge, subtask, channel), 0)
        ends = before + np.cumsum(sizes)
        self.sent.append(
            Sent(
                edge=edge,
                subtask=subtask,
                channel=channel,
                numbers=batch.origins.numbers,
                starts=ends - sizes,
                sizes=sizes,
            )
        )
        self.send_element(edge, subtask, channel, int(sizes.sum()))

    def send_element(self, edge: int, subtask: int, channel: int, size: int) -> None:
        """Count ``size`` bytes of a channel, of records or of a watermark."""
        place = (edge, subtask, channel)
        self._carried[place] = self._carried.get(place, 0) + size
