"""Streams with the calls of Flink's DataStream API, one for each transformation type.

Each call declares one transformation and returns a handle to its stream. The first argument of an
operator is its id in the pipeline document; left out, it is the type's name with a number.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, TypeAlias, Unpack

from explorer.datastream.handles import Handle, Settings, WindowFields, stated
from explorer.datastream.joined_streams import JoinedStreams
from explorer.datastream.program import Program, ProgramError, not_keyed
from explorer.model.pipeline import KeyedState, Lookup, Sort, Split, Wait, Write
from explorer.wording import described, quoted

Columns: TypeAlias = Mapping[str, str]
"""Expressions by the column that they compute."""


class DataStreamSink(Handle):
    """The end of a stream."""

    __slots__ = ()


class DataStream(Handle):
    """A stream that can be read; after ``key_by`` a keyed one."""

    __slots__ = ()

    def map(
        self,
        id: str | None = None,
        *,
        select: Columns | None = None,
        mutates: bool = False,
        **settings: Unpack[Settings],
    ) -> "DataStream":
        """One row for each row; ``select`` computes its columns.

        ``mutates``: it changes the row that it gets, which others share where objects are reused.
        """
        return self.transform("map", id=id, select=select, mutates=mutates or None, **settings)

    def filter(
        self, id: str | None = None, *, where: str | None = None, **settings: Unpack[Settings]
    ) -> "DataStream":
        """The rows for which the expression ``where`` is true."""
        return self.transform("filter", id=id, where=where, **settings)

    def flat_map(
        self,
        id: str | None = None,
        *,
        split: Split | Mapping[str, str] | None = None,
        **settings: Unpack[Settings],
    ) -> "DataStream":
        """Any number of rows for each row; ``split`` cuts ``value`` at ``pattern``."""
        return self.transform("flat_map", id=id, split=split, **settings)

    def process(
        self,
        id: str | None = None,
        *,
        side_outputs: Columns | None = None,
        state: KeyedState | Mapping[str, Any] | None = None,
        **settings: Unpack[Settings],
    ) -> "DataStream":
        """A ProcessFunction, which may emit to side outputs; on a keyed stream one with state.

        ``state``: its state of each key, as in ``{"shape": "total", "column": "n"}``.
        """
        type = "keyed_process" if self.type == "key_by" else "process"
        fields = {"side_outputs": side_outputs, "state": state}
        return self.transform(type, id=id, **fields, **settings)

    def async_wait(
        self,
        id: str | None = None,
        *,
        wait: Wait | Mapping[str, Any] | None = None,
        **settings: Unpack[Settings],
    ) -> "DataStream":
        """Asynchronous I/O: ``AsyncDataStream.unorderedWait``, or ``orderedWait``.

        ``wait``: its delay in ms, its capacity and whether it is ordered.
        """
        return self.transform("async", id=id, wait=wait, **settings)

    def timestamps(
        self,
        id: str | None = None,
        *,
        column: str | None = None,
        out_of_orderness: int = 0,
        watermarks: str | None = None,
        idleness: int | None = None,
        **settings: Unpack[Settings],
    ) -> "DataStream":
        """Event time from ``column``, with watermarks that trail by ``out_of_orderness`` ms.

        A source has ``timestamps`` of its own, with alignment.

        ``watermarks``: ``periodic`` or ``punctuated``; ``idleness``: milliseconds
        without a record after which a source is idle.
        """
        values = stated(column=column, watermarks=watermarks, idleness=idleness)
        timestamps = None if column is None else {**values, "out_of_orderness": out_of_orderness}
        return self.transform("timestamps", id=id, timestamps=timestamps, **settings)

    def key_by(self, *keys: str, id: str | None = None) -> "DataStream":
        """The keyed stream: rows with the same values in these columns meet in one subtask."""
        return self.transform("key_by", id=id, keys=keys or None)

    def reduce(
        self,
        id: str | None = None,
        *,
        aggregate: Columns | None = None,
        **settings: Unpack[Settings],
    ) -> "DataStream":
        """A rolling aggregate for each key, as in ``{"n": "sum(n)"}``; the stream is keyed."""
        return self.transform("reduce", id=id, aggregate=aggregate, **settings)

    def window(self, assigner: str, **fields: Unpack[WindowFields]) -> "WindowedStream":
        """Windows for each key: ``tumbling``, ``sliding`` or ``session`` ones, in milliseconds.

        Of a ``count`` window size and slide are rows; ``end_of_stream`` is one window a key.
        """
        if self.type != "key_by":
            msg = f"{not_keyed('window', self.id, self.type)}, or use window_all"
            raise ProgramError(msg)
        return WindowedStream(self, "window", stated(assigner=assigner, **fields))

    def window_all(self, assigner: str, **fields: Unpack[WindowFields]) -> "WindowedStream":
        """Windows over all rows, in one subtask."""
        return WindowedStream(self, "window_all", stated(assigner=assigner, **fields))

    def full_window_partition(self) -> "PartitionWindowedStream":
        """All rows of a subtask in one window, of a keyed stream all rows of a key; from 1.20."""
        return PartitionWindowedStream(self)

    def cache(self, *, id: str | None = None) -> "DataStream":
        """The same rows; a BATCH job also writes them to a data set for later jobs; from 1.16."""
        return self.transform("cache", id=id)

    def side_output(self, tag: str, *, id: str | None = None) -> "DataStream":
        """The rows that the operator emits to this tag."""
        return self.transform("side_output", id=id, tag=tag)

    def split(
        self, id: str | None = None, *, outputs: Mapping[str, str] | None = None
    ) -> "DataStream":
        """The stream with an OutputSelector, for ``select``; until Flink 1.11.

        ``outputs``: by output name, the condition for which the selector gives it.
        """
        return self.transform("split", id=id, outputs=outputs)

    def select(self, *names: str, id: str | None = None) -> "DataStream":
        """The rows for which the selector of a ``split`` gives one of the names."""
        return self.transform("select", id=id, names=names)

    def union(self, *others: "DataStream", id: str | None = None) -> "DataStream":
        """The rows of all the streams, in no order."""
        return self.transform("union", *others, id=id)

    def connect(self, other: "DataStream | BroadcastStream") -> "ConnectedStreams":
        """Both streams, for an operator that distinguishes them."""
        return ConnectedStreams(self, other)

    def broadcast_state(self) -> "BroadcastStream":
        """The stream as ``broadcast(MapStateDescriptor)`` gives it, for ``connect`` alone."""
        return BroadcastStream(self)

    def interval_join(self, other: "DataStream") -> "IntervalJoinedStreams":
        """Both keyed streams, for rows that lie near each other in event time."""
        return IntervalJoinedStreams(self, other)

    def join(self, other: "DataStream") -> "JoinedStreams[DataStream]":
        """Both streams, for pairs of rows that have one key and lie in one window."""
        return JoinedStreams(partial(self.transform, "join", other))

    def co_group(self, other: "DataStream") -> "JoinedStreams[DataStream]":
        """Both streams, for a function of all rows that have one key and lie in one window."""
        return JoinedStreams(partial(self.transform, "co_group", other))

    def iterate(self, id: str | None = None, *, max_wait: int | None = None) -> "IterativeStream":
        """The head of an iteration; ``close_with`` feeds a stream back to it."""
        return IterativeStream(*self._declare("iterate", (), id, {"max_wait": max_wait}))

    def rebalance(self, *, id: str | None = None) -> "DataStream":
        """Deal the rows out in turn."""
        return self.transform("rebalance", id=id)

    def rescale(self, *, id: str | None = None) -> "DataStream":
        """Deal the rows out in turn, each subtask to its own few."""
        return self.transform("rescale", id=id)

    def shuffle(self, *, id: str | None = None) -> "DataStream":
        """Deal the rows out at random."""
        return self.transform("shuffle", id=id)

    def broadcast(self, *, id: str | None = None) -> "DataStream":
        """Give every row to every subtask."""
        return self.transform("broadcast", id=id)

    def global_(self, *, id: str | None = None) -> "DataStream":
        """Give every row to the first subtask."""
        return self.transform("global", id=id)

    def forward(self, *, id: str | None = None) -> "DataStream":
        """Give each row to the subtask with the same number."""
        return self.transform("forward", id=id)

    def partition_custom(self, *, id: str | None = None) -> "DataStream":
        """Let a Partitioner of the program's own choose."""
        return self.transform("partition_custom", id=id)

    def partition(
        self, partitioner: str, *, exchange_mode: str | None = None, id: str | None = None
    ) -> "DataStream":
        """A PartitionTransformation with an exchange mode of its own."""
        fields = {"partitioner": partitioner, "exchange_mode": exchange_mode}
        return self.transform("partition", id=id, **fields)

    def sink(
        self,
        id: str | None = None,
        *,
        write: Write | Mapping[str, str] | None = None,
        output_format: str | None = None,
        **settings: Unpack[Settings],
    ) -> DataStreamSink:
        """A sink of the old API, such as ``print``; ``write``: where a trial writes its rows."""
        values = {"write": write, "output_format": output_format, **settings}
        return DataStreamSink(*self._declare("sink", (), id, values))

    def sink_v2(
        self,
        id: str | None = None,
        *,
        write: Write | Mapping[str, str] | None = None,
        committer: bool = False,
        global_committer: bool = False,
        **settings: Unpack[Settings],
    ) -> DataStreamSink:
        """``sinkTo``: a writer, and a committer or two; ``write``: where a trial writes rows."""
        commits = {"committer": committer or None, "global_committer": global_committer or None}
        values = {"write": write, **commits, **settings}
        return DataStreamSink(*self._declare("sink_v2", (), id, values))

    def transform(
        self, type: str, *others: "DataStream", id: str | None = None, **fields: Any
    ) -> "DataStream":
        """A transformation of any type that reads this stream, then the others."""
        return DataStream(*self._declare(type, others, id, fields))

    def _declare(
        self,
        type: str,
        other_data_streams: "tuple[DataStream, ...]",
        id: str | None,
        fields: Mapping[str, Any],
    ) -> tuple[Program, int]:
        positions = [
            stream_position(self._program, stream, type) for stream in (self, *other_data_streams)
        ]
        return self._program, self._program.declare(type, positions, id, fields)


class PartitionWindowedStream:
    """A stream of which each subtask, or each key, has one window; mirrors the interface."""

    def __init__(self, stream: DataStream) -> None:
        self._stream = stream

    def map_partition(
        self, id: str | None = None, *, select: Columns | None = None, **settings: Unpack[Settings]
    ) -> DataStream:
        """Any number of rows for all rows of the window; ``select``: one for each row."""
        return self._declare("map_partition", id, {"select": select, **settings})

    def sort_partition(
        self,
        id: str | None = None,
        *,
        sort: Sort | Mapping[str, str] | None = None,
        **settings: Unpack[Settings],
    ) -> DataStream:
        """The rows of the window in the order of a column."""
        return self._declare("sort_partition", id, {"sort": sort, **settings})

    def aggregate(
        self,
        id: str | None = None,
        *,
        aggregate: Columns | None = None,
        **settings: Unpack[Settings],
    ) -> DataStream:
        """One row for each window, with the columns of ``aggregate``."""
        return self._declare("aggregate_partition", id, {"aggregate": aggregate, **settings})

    def reduce(
        self,
        id: str | None = None,
        *,
        aggregate: Columns | None = None,
        **settings: Unpack[Settings],
    ) -> DataStream:
        """One row for each window, of a ReduceFunction."""
        return self._declare("reduce_partition", id, {"aggregate": aggregate, **settings})

    def _declare(self, type: str, id: str | None, fields: Mapping[str, Any]) -> DataStream:
        keyed = "keyed_" if self._stream.type == "key_by" else ""
        return self._stream.transform(f"{keyed}{type}", id=id, **fields)


class WindowedStream:
    """A stream cut into windows, before ``reduce``."""

    def __init__(self, stream: DataStream, type: str, window: dict[str, Any]) -> None:
        self._stream, self._type, self._window = stream, type, window

    def allowed_lateness(self, milliseconds: int) -> "WindowedStream":
        """Milliseconds for which a window that is over accepts rows; each one makes it emit."""
        self._window["allowed_lateness"] = milliseconds
        return self

    def side_output_late_data(self, tag: str) -> "WindowedStream":
        """Rows that come later still go to this side output."""
        self._window["late_output"] = tag
        return self

    def reduce(
        self,
        id: str | None = None,
        *,
        aggregate: Columns | None = None,
        function: str | None = None,
        **settings: Unpack[Settings],
    ) -> DataStream:
        """One row for each window, and key; ``function`` is the class that old releases print."""
        fields = {"window": self._window, "aggregate": aggregate, "function": function}
        return self._stream.transform(self._type, id=id, **fields, **settings)


class BroadcastStream:
    """A stream that sends every row to every subtask, before ``connect``."""

    def __init__(self, stream: DataStream) -> None:
        self.stream = stream


class ConnectedStreams:
    """Two streams, the inputs of one operator."""

    def __init__(self, first: DataStream, second: "DataStream | BroadcastStream") -> None:
        self._first, self._second = first, second

    def map(
        self,
        id: str | None = None,
        *,
        select1: Columns | None = None,
        select2: Columns | None = None,
        input_selectable: bool = False,
        **settings: Unpack[Settings],
    ) -> DataStream:
        """One row for each row of either stream."""
        if isinstance(self._second, BroadcastStream):
            msg = "streams connected with broadcast_state() have process() alone; call that"
            raise ProgramError(msg)
        fields = {"select1": select1, "select2": select2, **settings}
        flag = input_selectable or None
        return self._first.transform("co_map", self._second, id=id, input_selectable=flag, **fields)

    def process(
        self,
        id: str | None = None,
        *,
        select: Columns | None = None,
        lookup: Lookup | Mapping[str, str] | None = None,
        input_selectable: bool = False,
        **settings: Unpack[Settings],
    ) -> DataStream:
        """A CoProcessFunction on two keyed streams, or one with broadcast state.

        ``select`` computes of each row of the first stream, and the newest one of the second with
        its key, a row; of broadcast state ``lookup`` names the columns.
        """
        values = {"select": select, "lookup": lookup}
        fields = {**values, "input_selectable": input_selectable or None, **settings}
        if isinstance(self._second, BroadcastStream):
            return self._first.transform("broadcast_connect", self._second.stream, id=id, **fields)
        return self._first.transform("keyed_co_process", self._second, id=id, **fields)


class IntervalJoinedStreams:
    """Two keyed streams, before ``process``."""

    def __init__(self, first: DataStream, second: DataStream) -> None:
        self._first, self._second = first, second
        self._between: dict[str, int] | None = None

    def between(self, lower: int, upper: int) -> "IntervalJoinedStreams":
        """How far behind the first row's timestamp the second's may be, in milliseconds."""
        self._between = {"lower": lower, "upper": upper}
        return self

    def process(
        self, id: str | None = None, *, select: Columns | None = None, **settings: Unpack[Settings]
    ) -> DataStream:
        """A ProcessJoinFunction for each pair of rows; ``select`` computes its columns."""
        fields = {"between": self._between, "select": select}
        return self._first.transform("interval_join", self._second, id=id, **fields, **settings)


class IterativeStream(DataStream):
    """The head of an iteration."""

    __slots__ = ()

    def close_with(self, feedback: DataStream, *, id: str | None = None) -> DataStream:
        """Feed a stream that comes out of the iteration back to its head."""
        position = stream_position(self._program, feedback, "close_iteration")
        self._program.declare("close_iteration", [position], id, {"iteration": self.id})
        return feedback


def stream_position(program: Program, stream: object, type: str) -> int:
    """The position of an input; raises ``ProgramError`` for what is no stream of this program."""
    if isinstance(stream, DataStream):
        return stream.position_in(program, type)
    what = f"the end of one, {quoted(stream.id)}" if isinstance(stream, Handle) else None
    hint = "; call broadcast_state() within connect" if isinstance(stream, BroadcastStream) else ""
    msg = f"a {type} reads streams, not {what or described(stream)}{hint}"
    raise ProgramError(msg)
