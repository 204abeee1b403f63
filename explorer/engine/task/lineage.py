"""Records the lineage of every record during a run.

An ``OperatorChain`` reports to a ``Lineage`` what each operator reads and emits, a ``RecordWriter``
reports what it sends through which channel. Every emitted record gets a unique number, with the
origins that the operator states; see ``explorer.engine.rows.origins``. No figure and no row of the
run depends on a number.
"""

from collections import defaultdict

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
    """The side output's tag; None: the main output."""
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
    """Consecutive records that a producer's subtask wrote to one channel of an edge."""

    edge: int
    subtask: int
    channel: int
    numbers: Longs
    starts: Longs
    """Bytes that the channel had transferred before each record."""
    sizes: Longs
    """Bytes of each record, with the length before it."""


class Called(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a method of ``StreamOperator`` or of its input."""

    node: int
    subtask: int
    method: str


class Lineage:
    """The lineage of a traced run."""

    def __init__(self) -> None:
        self.descent = Descent()
        self.emitted: list[EmittedRecords] = []
        self.received: list[Received] = []
        self.sent: list[Sent] = []
        self.calls: list[Called] = []
        self.transfers = 0
        """Records in ``sent``: a record counts once for each channel that it was sent through."""
        self._transferred: dict[tuple[int, int, int], int] = defaultdict(int)

    def emit(self, node: int, subtask: int, tag: str | None, batch: Batch) -> Batch:
        """Return the records that an operator emits with numbers; records of a source have none."""
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
        """Record a call of an operator."""
        self.calls.append(Called(node=node, subtask=subtask, method=method))

    def receive(self, node: int, subtask: int, number: int, batch: Batch) -> None:
        """Record a batch that enters an operator on its input ``number``."""
        self.call(node, subtask, "processElement")
        if batch.origins is not None:
            self.received.append(
                Received(node=node, subtask=subtask, input=number, numbers=batch.origins.numbers)
            )

    def send(self, edge: int, subtask: int, channel: int, batch: Batch) -> None:
        """Record a batch that goes through a channel."""
        if batch.origins is None:
            return
        self.transfers += len(batch)
        sizes = batch_sizes(batch)
        ends = self._transferred[edge, subtask, channel] + np.cumsum(sizes)
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
        self._transferred[edge, subtask, channel] += size
