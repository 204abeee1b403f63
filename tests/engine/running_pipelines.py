"""Random pipelines that compute something: the strategies of the trial's laws.

Every stream has the columns ``n LONG``, ``k LONG`` and ``w STRING``, so any operator fits any
stream. Aggregates are by key alone and free of order: rows do not depend on who comes first.
"""

from typing import Any

from hypothesis import strategies as st

COLUMNS = {"n": "n", "k": "k", "w": "w"}
SELECTS = (
    {"n": "n * 3 + 1", "k": "n % 7", "w": "concat('k', n % 5)"},
    {"n": "-n", "k": "abs(k) % 4", "w": "upper(w)"},
    {"n": "length(w) + k", "k": "k", "w": "substring(w, 1, 2)"},
    {"n": "n", "k": "nullif(k, 2) % 3", "w": "if(n % 2 = 0, w, null)"},
)
CONDITIONS = (
    "n % 2 = 0",
    "k > 1 or n < 10",
    "w is not null and not (n % 3 = 1)",
    "false",
    "n > 40",
)
PARTITIONS = (
    "rebalance",
    "rescale",
    "shuffle",
    "broadcast",
    "global",
    "partition_custom",
)
SEQUENCE_SELECT = {"n": "n", "k": "n % 10", "w": "concat('w', n % 11)"}
WINDOWS = (
    {"time": "event", "assigner": "tumbling", "size": 10},
    {"time": "event", "assigner": "sliding", "size": 10, "slide": 3},
    {"time": "event", "assigner": "session", "gap": 2},
)
STRATEGIES = (None, None, None, "NEVER", "HEAD")


class _Builder:
    """Adds transformations, each on streams that are there."""

    def __init__(self, draw: st.DrawFn, *, batch: bool) -> None:
        self._draw = draw
        self._sources = ("source",) if batch else ("legacy_source", "legacy_source", "source")
        self.transformations: list[dict[str, Any]] = []
        self.streams: list[str] = []
        self._tagged: list[str] = []

    def add(self, type_: str, **fields: Any) -> str:
        """Add one; some get a parallelism and a chaining strategy of their own."""
        name = f"t{len(self.transformations)}"
        self.transformations.append({"id": name, "type": type_, **fields})
        return name

    def operator(self, type_: str, **fields: Any) -> str:
        """Add one that is a node."""
        name = self.add(type_, **fields)
        parallelism = self._draw(st.sampled_from((None, None, 1, 2, 3)))
        strategy = self._draw(st.sampled_from(STRATEGIES))
        if parallelism is not None:
            self.transformations[-1]["parallelism"] = parallelism
        if strategy is not None and not type_.endswith("source"):
            self.transformations[-1]["chaining_strategy"] = strategy
        return name

    def source(self) -> None:
        """A source and the map that gives it the common columns."""
        kind = self._draw(st.sampled_from(self._sources))
        last = self._draw(st.integers(0, 60))
        name = self.operator(kind, rows={"sequence": {"from": 0, "to": last}})
        self.streams.append(self.operator("map", inputs=[name], select=SEQUENCE_SELECT))

    def step(self) -> None:
        """One more transformation, on a random stream."""
        chosen = self._draw(st.sampled_from(tuple(_STEPS)))
        _STEPS[chosen](self, self._draw(st.sampled_from(self.streams)))

    def map(self, stream: str) -> None:
        """A new row of each row."""
        select = self._draw(st.sampled_from(SELECTS))
        self.streams.append(self.operator("map", inputs=[stream], select=select))

    def filter(self, stream: str) -> None:
        """Some of the rows."""
        where = self._draw(st.sampled_from(CONDITIONS))
        self.streams.append(self.operator("filter", inputs=[stream], where=where))

    def words(self, stream: str) -> None:
        """One row a part of a text."""
        split = {"value": "coalesce(w, 'a1b')", "pattern": "[0-9]", "as": "w"}
        parts = self.operator("flat_map", inputs=[stream], split=split)
        select = {"n": "length(w)", "k": "length(w) % 2", "w": "w"}
        self.streams.append(self.operator("map", inputs=[parts], select=select))

    def sides(self, stream: str) -> None:
        """A process function with a side output, and both its outputs."""
        condition = self._draw(st.sampled_from(CONDITIONS))
        name = self.operator("process", inputs=[stream], side_outputs={"side": condition})
        self.streams += [name, self.add("side_output", inputs=[name], tag="side")]

    def union(self, stream: str) -> None:
        """Two streams as one."""
        other = self._draw(st.sampled_from(self.streams))
        if other != stream:
            self.streams.append(self.add("union", inputs=[stream, other]))

    def co_map(self, stream: str) -> None:
        """Two streams into one operator."""
        other = self._draw(st.sampled_from(self.streams))
        selects = {"select1": COLUMNS, "select2": SELECTS[0]}
        self.streams.append(self.operator("co_map", inputs=[stream, other], **selects))

    def partition(self, stream: str) -> None:
        """Another way of dealing out records."""
        kind = self._draw(st.sampled_from(PARTITIONS))
        self.streams.append(self.add(kind, inputs=[stream]))

    def reduce(self, stream: str) -> None:
        """How often each key came so far: rolling, and free of order."""
        select = {"n": "1", "k": "coalesce(k, 0)", "w": "'x'"}
        ones = self.operator("map", inputs=[stream], select=select)
        by = self.add("key_by", inputs=[ones], keys=["k"])
        self.streams.append(self.operator("reduce", inputs=[by], aggregate={"n": "sum(n)"}))

    def window(self, stream: str) -> None:
        """How many rows each key has in each window."""
        select = {"n": "coalesce(n, 0) % 50", "k": "coalesce(k, 0)", "w": "w"}
        times = {"column": "n", "out_of_orderness": 10}
        timed = self.operator("map", inputs=[stream], select=select)
        last = self.operator("timestamps", inputs=[timed], timestamps=times)
        keyed = self._draw(st.booleans())
        if keyed:
            last = self.add("key_by", inputs=[last], keys=["k"])
        fields = {"window": self._draw(st.sampled_from(WINDOWS)), "aggregate": {"c": "count(*)"}}
        name = (
            self.operator("window", inputs=[last], **fields)
            if keyed
            else self.add("window_all", inputs=[last], **fields)
        )
        back = {"n": "c", "k": "window_start", "w": "cast(window_end as string)"}
        self.streams.append(self.operator("map", inputs=[name], select=back))

    def state(self, stream: str) -> None:
        """How many rows each key has had, counted by a function with keyed state."""
        select = {"k": "coalesce(k, 0)", "w": "'x'"}
        ones = self.operator("map", inputs=[stream], select=select)
        by = self.add("key_by", inputs=[ones], keys=["k"])
        state = {"shape": "count", "as": "n"}
        counted = self.operator("keyed_process", inputs=[by], state=state)
        self.streams.append(self.operator("map", inputs=[counted], select=COLUMNS))

    def pause(self, stream: str) -> None:
        """Number of rows of each key at the end, emitted by a timer."""
        select = {"k": "coalesce(k, 0)", "w": "'x'", "t": "coalesce(n, 0)"}
        timed = self.operator("map", inputs=[stream], select=select)
        last = self.operator("timestamps", inputs=[timed], timestamps={"column": "t"})
        by = self.add("key_by", inputs=[last], keys=["k"])
        state = {"shape": "pause", "gap": 5, "as": "n"}
        reported = self.operator("keyed_process", inputs=[by], state=state)
        self.streams.append(self.operator("map", inputs=[reported], select=COLUMNS))

    def interval_join(self, stream: str) -> None:
        """Rows of one key that lie near each other; few, so that pairs of pairs stay few."""
        select = {"n": "coalesce(n, 0) % 50", "k": "coalesce(k, 0)"}
        timed = self.operator("map", inputs=[stream], select=select)
        times = {"column": "n", "out_of_orderness": 50}
        last = self.operator("timestamps", inputs=[timed], timestamps=times)
        sides = [self.add("key_by", inputs=[last], keys=["k"]) for _ in range(2)]
        near = {"lower": 0, "upper": 1}
        pairs = {"n": "n0", "k": "k", "w": "'x'"}
        join = self.operator("interval_join", inputs=sides, between=near, select=pairs)
        few = {"time": "event", "assigner": "tumbling", "size": 10}
        by = self.add("key_by", inputs=[join], keys=["k"])
        counts = self.operator("window", inputs=[by], window=few, aggregate={"c": "count(*)"})
        back = {"n": "c", "k": "k", "w": "'x'"}
        self.streams.append(self.operator("map", inputs=[counts], select=back))

    def windowed_join(self, stream: str) -> None:
        """How many rows two streams have of each key in each window."""
        select = {"n": "coalesce(n, 0) % 50", "k": "coalesce(k, 0)"}
        other = self._draw(st.sampled_from(self.streams))
        timed = [
            self.operator("timestamps", inputs=[mapped], timestamps={"column": "n"})
            for mapped in (
                self.operator("map", inputs=[one], select=select) for one in (stream, other)
            )
        ]
        window = self._draw(st.sampled_from(WINDOWS))
        grouped = self.operator("co_group", inputs=timed, keys=["k"], window=window, group="count")
        back = {"n": "count1", "k": "k", "w": "cast(count2 as string)"}
        self.streams.append(self.operator("map", inputs=[grouped], select=back))

    def lookup(self, stream: str) -> None:
        """The rows of a stream, with what a sequence's rows say of the same key."""
        reported = self.operator("source", rows={"sequence": {"from": 0, "to": 9}})
        select = {"n": "n", "k": "coalesce(k, 0)", "w": "w"}
        asking = self.operator("map", inputs=[stream], select=select)
        with_table = {"n": "n", "k": "coalesce(n0, -1)", "w": "w"}
        if self._draw(st.booleans()):
            table = {"lookup": {"column": "k", "key": "n"}, "select": with_table}
            made = self.operator("broadcast_connect", inputs=[asking, reported], **table)
        else:
            sides = [
                self.add("key_by", inputs=[one], keys=[key])
                for one, key in ((asking, "k"), (reported, "n"))
            ]
            made = self.operator("keyed_co_process", inputs=sides, select=with_table)
        self.streams.append(made)

    def multiple_input(self, stream: str) -> None:
        """Streams into one operator, each with a select of its own."""
        other = self._draw(st.sampled_from(self.streams))
        inputs = list(dict.fromkeys([stream, other]))
        selects = {name: self._draw(st.sampled_from(SELECTS)) for name in inputs}
        self.streams.append(self.operator("multiple_input", inputs=inputs, selects=selects))

    def plain(self, stream: str) -> None:
        """An operator of which nothing is said."""
        self.streams.append(self.operator("async", inputs=[stream]))


_STEPS = {
    name: getattr(_Builder, name)
    for name in (
        "map",
        "filter",
        "words",
        "sides",
        "union",
        "co_map",
        "partition",
        "reduce",
        "window",
        "state",
        "pause",
        "interval_join",
        "windowed_join",
        "lookup",
        "multiple_input",
        "plain",
    )
}


@st.composite
def running_pipelines(draw: st.DrawFn) -> dict[str, Any]:
    """A document with a sink at every loose end."""
    batch = draw(st.sampled_from((False, False, True)))
    builder = _Builder(draw, batch=batch)
    for _ in range(draw(st.integers(1, 2))):
        builder.source()
    for _ in range(draw(st.integers(1, 8))):
        builder.step()
    for stream in draw(st.lists(st.sampled_from(builder.streams), min_size=1, unique=True)):
        builder.operator("sink", inputs=[stream])
    mode = {"runtime_mode": "BATCH"} if batch else {}
    return {
        "environment": {"parallelism": draw(st.integers(1, 3)), **mode},
        "transformations": builder.transformations,
    }
