"""Network exchange between two tasks: the classes of the release, with the edge's numbers.

Mirrors ``ResultPartitionFactory``, ``RecordWriterBuilder`` and ``SingleInputGateFactory``; which
channels are local, and who has how many buffers, the deployment knows.
"""

from contextlib import suppress
from typing import Any

import msgspec

from explorer.deployment.deploying import ClusterResources
from explorer.deployment.exchanges.exchange_rows import (
    BROADCAST,
    HYBRID_RESULT,
    SELECTED,
    TIERED,
    exchange_rows,
    result_form,
)
from explorer.deployment.network_options import network_options
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.flink.partitioners import BROADCAST as BROADCAST_PARTITIONER
from explorer.flink.releases import value_in
from explorer.java_numbers import INT_MAX
from explorer.model.frozen import FormerRelease
from explorer.wording import counted


class ExchangePart(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a network exchange."""

    stage: str
    """Who acts: the producer writes, the result waits, the consumer reads."""
    part: str
    class_name: str
    """The full name of Flink's class in this release."""
    sentence: str

    @property
    def short(self) -> str:
        """The class without its package."""
        return self.class_name.rpartition(".")[2]


class Exchange(FormerRelease, msgspec.Struct, frozen=True, kw_only=True):
    """A job edge from its producers' outputs to its consumers' inputs."""

    job_edge: int
    source: str
    target: str
    flink_version: str
    partitioner: str
    result_type: str
    buffer_size: int
    """Bytes of a network buffer."""
    buffer_timeout: int
    """Milliseconds after which a buffer goes out that is not full; -1: never, 0: at each record."""
    local: int | None
    """Channels within a task manager; None: the subtasks are not placed."""
    remote: int | None
    parts: tuple[ExchangePart, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        return {**msgspec.to_builtins(self), "flink": self.flink_version}


def network_exchange(
    compilation: Compilation, deployment: ClusterResources, job_edge: int
) -> Exchange:
    """Return the network exchange of the job edge at this position of ``JobGraph.edges``."""
    compilation.refuse_data_set("A description of a network exchange")
    edge = compilation.job_graph.edges[job_edge]
    source, target = (
        compilation.job_graph.vertex(edge.source),
        compilation.job_graph.vertex(edge.target),
    )
    stream_edge = compilation.stream_graph.edges[edge.stream_edge]
    timeout = compilation.stream_graph.node(stream_edge.source).buffer_timeout
    facts = _Facts(compilation, deployment, job_edge)
    placed = facts.placed
    selected = BROADCAST if edge.partitioner_class == BROADCAST_PARTITIONER else SELECTED
    kinds, version = {"", selected, facts.form}, compilation.release.version
    text = facts.words() | {"timeout": _timeout(timeout), "target": target.name}
    return Exchange(
        job_edge=job_edge,
        source=source.name,
        target=target.name,
        flink_version=version,
        partitioner=edge.partitioner_class,
        result_type=edge.result_type,
        buffer_size=facts.buffer_size,
        buffer_timeout=timeout,
        local=placed.local if placed else None,
        remote=placed.remote if placed else None,
        parts=tuple(
            ExchangePart(
                stage=stage,
                part=row.part,
                class_name=f"org.apache.flink.{class_name}",
                sentence=row.sentence.format(**text),
            )
            for stage, rows in exchange_rows().items()
            for row in rows
            if row.only in kinds and (class_name := value_in(row.class_name, version))
        ),
    )


def _timeout(milliseconds: int) -> str:
    if milliseconds < 0:
        return "and only then, as the buffer timeout is off"
    if not milliseconds:
        return "and after every record, as the buffer timeout is 0"
    return f"and {milliseconds:,} ms after the last flush at the latest (the buffer timeout)"


class _Facts:
    """The numbers of one edge; those that are decided later are marked as such."""

    def __init__(
        self, compilation: Compilation, deployment: ClusterResources, job_edge: int
    ) -> None:
        self._edge, self._job_edge = compilation.job_graph.edges[job_edge], job_edge
        self._version, self._network = compilation.release.version, deployment.network
        channels = (channel for channel in deployment.channels if channel.job_edge == job_edge)
        self.placed = next(channels, None)
        # No wiring is known where a parallelism is decided later.
        self._wiring = None
        with suppress(ExplorerError):
            self._wiring = compilation.execution_graph.edges[job_edge]
        # Where the job cannot be placed, the options alone count.
        values = deployment.options.values
        placed = self._network.options if self._network else None
        self._options = placed or network_options(values, 0, compilation.release)
        self.buffer_size = self._options.buffer_size
        self.form = self._form()

    def _form(self) -> str:
        # A partition is cut into one subpartition at least, however late that is decided.
        is_sorted = (self._cut() or 1) >= self._options.sort_from
        form = result_form(self._edge.result_type, is_sorted=is_sorted, tiered=self._options.tiered)
        # Since 2.0 a hybrid result has tiers, whatever the cluster's options say.
        results = (row for rows in exchange_rows().values() for row in rows if row.only == form)
        has = any(value_in(row.class_name, self._version) for row in results)
        return TIERED if form == HYBRID_RESULT and not has else form

    def _cut(self) -> int | None:
        """Into how many subpartitions the first producer's partition is cut."""
        return self._wiring.subpartitions(0) if self._wiring else None

    def words(self) -> dict[str, object]:
        """Return the values of the placeholders in sentences, by name."""
        cut, placed = self._cut(), self.placed
        return {
            "partitioner": self._edge.partitioner_class,
            "result_type": self._edge.result_type,
            "subpartitions": counted(cut, "subpartition")
            if cut
            else "as many as there are readers",
            "partitions": counted(self._wiring.producers, "partition") if self._wiring else "some",
            "gates": counted(self._wiring.consumers, "gate") if self._wiring else "some",
            "input": self._edge.input,
            "buffer_size": self.buffer_size,
            "sort_from": self._options.sort_from,
            "pool": self._pool(),
            "credit": self._credit(),
            "local": counted(placed.local, "channel") if placed else "Where both are together",
            "remote": counted(placed.remote, "channel") if placed else "Where they are apart",
        }

    def _pool(self) -> str:
        """Describe the buffers of a producer's partition."""
        network, wiring = self._network, self._wiring
        if network is not None and wiring is not None:
            results = (result for task in network.tasks for result in task.results)
            pool = next(
                (buffers.pool for buffers in results if buffers.result == wiring.result), None
            )
            if pool is not None:
                maximum = "as many as there are" if pool.most == INT_MAX else f"up to {pool.most:,}"
                return f"{pool.required:,} and may have {maximum}"
        return "a number of them that depends on the cluster"

    def _credit(self) -> str:
        """Describe the buffers of a consumer's gate."""
        network = self._network if self._wiring else None
        gates = (buffers for task in network.tasks for buffers in task.gates) if network else ()
        gate = next(
            (
                input_buffers.buffers
                for input_buffers in gates
                if input_buffers.job_edge == self._job_edge
            ),
            None,
        )
        if gate is None:
            return "one for each free buffer of the reader"
        shared = gate.floating.most
        floating = (
            "any number of floating ones" if shared == INT_MAX else f"{shared:,} floating ones"
        )
        return (
            f"at first {gate.exclusive:,}, the channel's exclusive buffers, and more from "
            f"{floating} that the gate's channels share"
        )
