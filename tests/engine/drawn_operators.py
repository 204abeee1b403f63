"""Random pipelines around one operator with state or two inputs, the same at every time.

What Flink leaves to chance stays out: where the order of rows says what comes out, all that is
before the operator has one subtask, and of the rest only figures are compared.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

Drawn = random.Random
Document = dict[str, Any]

SCHEMA = "k STRING, g LONG, n LONG, d DOUBLE, t LONG"
WORDS = ("a", "b", "the", "été", "線", "x" * 20)
SHAPES = ("count", "last", "total", "deduplicate", "top", "pause")


class Program:
    """A document that grows."""

    def __init__(self, drawn: Drawn) -> None:
        self.drawn = drawn
        self.parallelism = drawn.randint(1, 3)
        self.transformations: list[Document] = []
        self.late: list[str] = []
        """The sources with rows that come when all others have come."""

    def add(self, type_: str, *inputs: str, **fields: Any) -> str:
        """Declare a transformation; gives its id."""
        name = f"t{len(self.transformations)}"
        given = {"inputs": list(inputs)} if inputs else {}
        self.transformations.append({"id": name, "type": type_, **given, **fields})
        return name

    def rows(self, count: int, keys: int) -> list[list[Any]]:
        """Rows of ``SCHEMA``, with NULLs, out of order by up to 40 ms."""
        draw = self.drawn
        return [
            [
                WORDS[draw.randrange(keys)],
                draw.randrange(3),
                None if draw.random() < 0.15 else draw.randint(-9, 9),
                None if draw.random() < 0.1 else draw.randint(-40, 40) / 4,
                number * 10 + draw.randint(0, 40),
            ]
            for number in range(count)
        ]

    def timed(
        self,
        *,
        subtasks: int = 1,
        punctuated: bool = False,
        trails: int = 0,
        counts: Sequence[int] = (0, 1, 30, 80, 150),
    ) -> str:
        """A source, which has one of these counts of rows, and its event time."""
        count = self.drawn.choice(counts)
        rows = {"values": self.rows(count, self.drawn.randint(1, 6)), "schema": SCHEMA}
        source = self.add("legacy_source", rows=rows, parallelism=subtasks)
        times: Document = {"column": "t", "out_of_orderness": trails}
        if punctuated:
            times["watermarks"] = "punctuated"
        return self.add("timestamps", source, timestamps=times, parallelism=subtasks)

    def keyed(self, stream: str, keys: list[str] | None = None) -> str:
        """The stream by one or two columns."""
        chosen = keys or self.drawn.choice((["k"], ["g"], ["k", "g"]))
        return self.add("key_by", stream, keys=chosen)

    def own(self) -> Document:
        """Sometimes a parallelism of its own."""
        subtasks = self.drawn.choice((None, None, 1, 2, 3))
        return {} if subtasks is None else {"parallelism": subtasks}

    def case(self, name: str, *, chained: bool = False) -> Document:
        """The question; ``chained``: all that could chain does."""
        document: Document = {
            "name": name,
            "environment": {"parallelism": self.parallelism},
            "transformations": self.transformations,
        }
        if not chained and self.drawn.random() < 0.25:
            document["environment"]["chaining"] = False
        return {"name": name, "pipeline": document, "late": self.late}


def keyed_process(drawn: Drawn, number: int) -> Document:
    """One shape of keyed state behind one subtask."""
    program = Program(drawn)
    shape = SHAPES[number % len(SHAPES)]
    state: Document = {"shape": shape}
    if shape in {"last", "total", "top"} or (shape == "deduplicate" and drawn.random() < 0.5):
        columns = ("n", "d") if shape in {"total", "top"} else ("n", "d", "k")
        state["column"] = drawn.choice(columns)
    if shape == "top":
        state["size"] = drawn.randint(1, 4)
    if shape == "pause":
        state["gap"] = drawn.choice((15, 60, 500))
    if shape != "deduplicate":
        state["as"] = "made"
    stream = program.timed(punctuated=drawn.random() < 0.6, trails=drawn.choice((0, 20, 60)))
    keyed = program.keyed(stream)
    made = program.add("keyed_process", keyed, state=state, **program.own())
    program.add("sink", made, **program.own())
    if shape != "deduplicate":
        again = program.add("map", made, select={"k": "k", "made": "made", "t": "t + 1"})
        program.add("sink", again)
    return program.case(f"{shape} {number}")


def interval_join(drawn: Drawn, number: int) -> Document:
    """Two streams, or one and itself; nothing comes late."""
    program = Program(drawn)
    punctuated = drawn.random() < 0.5
    wide = 1 if punctuated else drawn.randint(1, 2)
    first = program.timed(subtasks=wide, punctuated=punctuated, trails=60)
    own = drawn.random() < 0.3
    second = first if own else program.timed(subtasks=wide, punctuated=punctuated, trails=60)
    keys = drawn.choice((["k"], ["g"], ["k", "g"]))
    lower = drawn.choice((-100, -30, 0, 20))
    select = {"k": "k", "a": "n", "b": "n0", "d": "d0", "apart": "t0 - t"}
    join = program.add(
        "interval_join",
        program.keyed(first, keys),
        program.keyed(second, keys),
        between={"lower": lower, "upper": lower + drawn.choice((0, 30, 150))},
        select=select,
        **({} if punctuated else program.own()),
    )
    # How often the least of two inputs' watermarks rises depends on who comes first, and so do the
    # bytes that would leave the join.
    program.add("sink", join, **({} if punctuated else program.own()))
    return program.case(f"interval join {number}", chained=punctuated)


WINDOWS: tuple[Document, ...] = (
    {"assigner": "tumbling", "size": 50},
    {"assigner": "sliding", "size": 60, "slide": 25},
    {"assigner": "sliding", "size": 20, "slide": 50},
    {"assigner": "session", "gap": 20},
    {"assigner": "count", "size": 4},
    {"assigner": "count", "size": 5, "slide": 2},
    {"assigner": "count", "size": 2, "slide": 5},
    {"assigner": "tumbling", "size": 86_400_000 * 365, "time": "processing"},
)
AGGREGATES = ("count(*)", "sum(n)", "sum(d)", "min(d)", "max(n)", "max(k)")


def window(drawn: Drawn, number: int) -> Document:
    """Windows in time with late rows, and windows of so many rows."""
    program = Program(drawn)
    given = dict(WINDOWS[number % len(WINDOWS)])
    late = given["assigner"] != "count" and given.get("time") is None
    if late and drawn.random() < 0.7:
        given["allowed_lateness"] = drawn.choice((0, 10, 40))
    if late and drawn.random() < 0.7:
        given["late_output"] = "late"
    stream = program.timed(punctuated=drawn.random() < 0.85, trails=drawn.choice((0, 5, 20)))
    chosen = sorted(drawn.sample(AGGREGATES, drawn.randint(1, 3)))
    fields = {"window": given, "aggregate": {f"a{i}": text for i, text in enumerate(chosen)}}
    everything = drawn.random() < 0.25
    made = (
        program.add("window_all", stream, **fields)
        if everything
        else program.add("window", program.keyed(stream), **fields, **program.own())
    )
    program.add("sink", made, **program.own())
    if "late_output" in given:
        late_rows = program.add("side_output", made, tag="late")
        program.add("sink", late_rows, **program.own())
    return program.case(f"window {number}")


PAIR = {"k": "k", "n": "n", "theirs": "n0", "d": "d0", "t": "t"}


def lookup(drawn: Drawn, number: int) -> Document:
    """Two inputs, of which the second is there first."""
    program = Program(drawn)
    asking = program.timed(subtasks=drawn.randint(1, 2))
    program.late.append(program.transformations[0]["id"])
    answering = program.timed()
    if number % 3 == 0:
        keys = drawn.choice((["k"], ["g"], ["k", "g"]))
        inputs = [program.keyed(stream, keys) for stream in (asking, answering)]
        made = program.add("keyed_co_process", *inputs, select=PAIR, **program.own())
    else:
        column = drawn.choice(("k", "g", "n"))
        first = program.keyed(asking) if number % 3 == 1 else asking
        key = {"column": column, "key": column}
        made = program.add(
            "broadcast_connect", first, answering, lookup=key, select=PAIR, **program.own()
        )
    program.add("sink", made, **program.own())
    return program.case(f"lookup {number}")


def multiple_input(drawn: Drawn, number: int) -> Document:
    """Two to four inputs, each with a select of its own."""
    program = Program(drawn)
    inputs = [program.timed(subtasks=drawn.randint(1, 2)) for _ in range(drawn.randint(2, 4))]
    selects = ({"w": "k", "m": "n"}, {"w": "k", "m": "g * 2"}, {"w": "'x'", "m": "t"})
    chosen = {name: drawn.choice(selects) for name in inputs}
    made = program.add("multiple_input", *inputs, selects=chosen, **program.own())
    program.add("sink", made, **program.own())
    return program.case(f"multiple input {number}")


def asynchronous(drawn: Drawn, number: int) -> Document:
    """Delayed answers, in the rows' order or not."""
    program = Program(drawn)
    stream = program.timed(subtasks=drawn.randint(1, 2))
    wait = {
        "delay": drawn.choice((0, 1, 3)),
        "capacity": drawn.choice((2, 10, 100)),
        "ordered": drawn.random() < 0.5,
    }
    made = program.add("async", stream, wait=wait, **program.own())
    program.add("sink", made, **program.own())
    return program.case(f"async {number}")


def idle(drawn: Drawn, number: int) -> Document:
    """Sources that may become idle, though no clock gets so far; one of them has no row."""
    program = Program(drawn)
    streams = [program.timed(subtasks=drawn.randint(1, 3), trails=60) for _ in range(2)]
    for one in program.transformations:
        if one["type"] == "timestamps":
            one["timestamps"]["idleness"] = 3_600_000
    union = program.add("union", *streams)
    keyed = program.keyed(union)
    window = {"assigner": "tumbling", "size": 100}
    made = program.add("window", keyed, window=window, aggregate={"a": "count(*)"}, **program.own())
    program.add("sink", made, **program.own())
    return program.case(f"idle {number}")


OFFSETS = (
    {"assigner": "tumbling", "size": 100},
    {"assigner": "sliding", "size": 90, "slide": 40},
)


def strategies(drawn: Drawn, number: int) -> Document:
    """Sources with a WatermarkStrategy of their own, aligned and idle by the clock, and offsets."""
    program = Program(drawn)
    streams = [_own_strategy(program) for _ in range(1 + number % 2)]
    stream = program.add("union", *streams) if len(streams) > 1 else streams[0]
    slide = (100, 40)[number // 2 % 2]
    given = {**OFFSETS[number // 2 % 2], "offset": drawn.randint(1 - slide, slide - 1)}
    made = program.add(
        "window", program.keyed(stream), window=given, aggregate={"a": "count(*)"}, **program.own()
    )
    program.add("sink", made, **program.own())
    return program.case(f"strategies {number}")


def _own_strategy(program: Program) -> str:
    """A source of one subtask."""
    draw = program.drawn
    timestamps = {
        "column": "t",
        "out_of_orderness": draw.choice((0, 40)),
        "idleness": 3_600_000,
        "alignment": {"group": "all", "max_drift": draw.choice((5, 500)), "update_interval": 20},
    }
    rows = {"values": program.rows(draw.choice((1, 30, 80)), 5), "schema": SCHEMA}
    return program.add("source", rows=rows, timestamps=timestamps, parallelism=1)


PAUSE = 1500
"""Milliseconds after which a head that has no record gives up: far more than any round lasts."""
ROW = {"k": "k", "n": "n"}


class Loop(Program):
    """A program with loops: each row counts down, and goes round until it is at its end."""

    def begin(self) -> str:
        """Rows that go round a few times each, some never; a NULL ends at a filter."""
        subtasks = self.drawn.choice((1, self.parallelism))
        rows = {"values": self.rows(self.drawn.choice((1, 20, 60)), 5), "schema": SCHEMA}
        source = self.add("legacy_source", rows=rows, parallelism=subtasks)
        # A map of the job's parallelism stands before the loop, which has its parallelism.
        return self.add("map", source, select=ROW)

    def head(self, stream: str) -> str:
        """Where rows come back to."""
        return self.add("iterate", stream, max_wait=PAUSE)

    def down(self, stream: str, by: int = 1) -> str:
        """Each row one round nearer to its end."""
        return self.add("map", stream, select={"k": "k", "n": f"n - {by}"})

    def back(self, head: str, stream: str) -> None:
        """Feed a stream back."""
        self.add("close_iteration", stream, iteration=head)

    def split(self, stream: str, *, tagged: bool = False, least: int = 0) -> tuple[str, str]:
        """What goes round again, and what has come to its end."""
        if tagged:
            routed = self.add("process", stream, side_outputs={"again": f"n > {least}"})
            return self.add("side_output", routed, tag="again"), routed
        again = self.add("filter", stream, where=f"n > {least}")
        return again, self.add("filter", stream, where=f"n < {least + 1}")


def _filtered(loop: Loop) -> None:
    """What goes on and what goes back, by filters or by a side output."""
    head = loop.head(loop.begin())
    again, done = loop.split(loop.down(head), tagged=loop.drawn.random() < 0.5)
    loop.back(head, again)
    loop.add("sink", done, **loop.own())


def _dealt(loop: Loop) -> None:
    """A body over the network, or a way back over it."""
    head = loop.head(loop.begin())
    body = loop.add("rebalance", head) if loop.drawn.random() < 0.5 else head
    again, done = loop.split(loop.down(loop.down(body)))
    loop.back(head, loop.add("rebalance", again) if loop.drawn.random() < 0.7 else again)
    loop.add("sink", done)


def _keyed_body(loop: Loop) -> None:
    """State in the body: each pair of key and number goes on once, a set that grows to its end."""
    head = loop.head(loop.begin())
    new = loop.add(
        "keyed_process",
        loop.keyed(head, ["k"]),
        state={"shape": "deduplicate", "column": "n"},
    )
    loop.back(head, loop.split(loop.down(new))[0])
    loop.add("sink", new, **loop.own())


def _counting_body(loop: Loop) -> None:
    """A count by key of all rounds."""
    head = loop.head(loop.begin())
    state = {"shape": "count", "as": "made"}
    counted = loop.add("keyed_process", loop.keyed(head, ["k"]), state=state)
    loop.back(head, loop.split(loop.down(counted))[0])
    loop.add("sink", loop.add("map", counted, select={"k": "k", "made": "made"}))


def _two_loops(loop: Loop) -> None:
    """One loop behind another."""
    first = loop.head(loop.begin())
    again, done = loop.split(loop.down(first), least=3)
    loop.back(first, again)
    second = loop.head(done)
    again, done = loop.split(loop.down(second, by=2), tagged=True, least=-9)
    loop.back(second, again)
    loop.add("sink", done)


def _nested(loop: Loop) -> None:
    """A loop within the body of another, with side outputs."""
    outer = loop.head(loop.begin())
    inner = loop.head(loop.down(outer))
    again, done = loop.split(loop.down(inner, by=3), tagged=True, least=4)
    loop.back(inner, again)
    again, done = loop.split(done, tagged=True)
    loop.back(outer, again)
    loop.add("sink", done)


def _twice_closed(loop: Loop) -> None:
    """Two streams that go back to one head, and a sink of all that passes."""
    head = loop.head(loop.begin())
    body = loop.down(head)
    loop.back(head, loop.add("filter", body, where="n > 4"))
    loop.back(head, loop.down(loop.add("filter", body, where="n < -4"), by=-9))
    loop.add("sink", body)


def _timed(loop: Loop) -> None:
    """Timestamps go round with their rows; a watermark does not."""
    stream = loop.add("map", loop.timed(), select={"k": "k", "n": "n", "t": "t"})
    head = loop.head(stream)
    body = loop.add("map", head, select={"k": "k", "n": "n - 1", "t": "t"})
    again, done = loop.split(body)
    loop.back(head, again)
    loop.add("sink", done, **loop.own())


LOOPS: tuple[Callable[[Loop], None], ...] = (
    *(_filtered, _dealt, _keyed_body, _counting_body),
    *(_two_loops, _nested, _twice_closed, _timed),
)


def iterations(drawn: Drawn, number: int) -> Document:
    """Each loop with one, two and four subtasks, chained and not."""
    loop = Loop(drawn)
    shape = LOOPS[number % len(LOOPS)]
    loop.parallelism = (1, 2, 4)[number // len(LOOPS) % 3]
    shape(loop)
    return loop.case(f"{shape.__name__[1:].replace('_', ' ')} {number}")


def windowed_join(drawn: Drawn, number: int) -> Document:
    """A join or a coGroup over windows; where rows come late, the second input comes last.

    Then the watermarks of the second input alone say what is late, as the first one has ended.
    """
    program = Program(drawn)
    given = dict((*WINDOWS[:4], WINDOWS[-1])[number % 5])
    late = number % 2 == 0 and given.get("time") is None
    if late:
        given["allowed_lateness"] = drawn.choice((0, 10, 40))
    wide = 1 if late else drawn.randint(1, 2)
    counts = (0, 1, 40, 80, 80, 150)
    first = program.timed(subtasks=wide, punctuated=late, trails=60, counts=counts)
    own = not late and drawn.random() < 0.3
    second = first
    if not own:
        at = len(program.transformations)
        trails = drawn.choice((0, 5, 20)) if late else 60
        second = program.timed(subtasks=wide, punctuated=late, trails=trails, counts=counts)
        program.late += [program.transformations[at]["id"]] * late
    keys = drawn.choice((["k"], ["g"], ["k", "g"]))
    fields: Document = {"keys": keys, "window": given, **program.own()}
    if drawn.random() < 0.4:
        renamed = {"w": "k", "h": "g", "n": "n", "d": "d", "t": "t"}
        second = program.add("map", second, select=renamed, parallelism=wide)
        fields["equal_to"] = [{"k": "w", "g": "h"}[key] for key in keys]
    group = (None, "count", "left_outer", "right_outer", "full_outer")[number * 3 % 7 % 5]
    if group != "count":
        fields["select"] = {"k": "k", "a": "n", "b": "n0", "d": "d0", "apart": "t0 - t"}
    made = (
        program.add("join", first, second, **fields)
        if group is None
        else program.add("co_group", first, second, group=group, **fields)
    )
    program.add("sink", made, **program.own())
    return program.case(f"windowed join {number}")


def dropped(drawn: Drawn, number: int) -> Document:
    """Windows that lose late rows, as no side output gets them; every third joins two inputs."""
    program = Program(drawn)
    size = drawn.choice((5, 10, 30))
    shapes: tuple[Document, ...] = (
        {"assigner": "tumbling", "size": size},
        {"assigner": "sliding", "size": size, "slide": drawn.choice((size, size * 2, 5))},
        {"assigner": "session", "gap": size},
    )
    given = {**drawn.choice(shapes), "allowed_lateness": drawn.choice((0, 0, 5, 20))}
    first = program.timed(punctuated=True, counts=(30, 80, 150))
    if number % 3 == 0:
        at = len(program.transformations)
        second = program.timed(punctuated=True, counts=(80, 150))
        program.late.append(program.transformations[at]["id"])
        fields: Document = {"keys": ["k"], "window": given, **program.own()}
        made = program.add("co_group", first, second, group="count", **fields)
    elif number % 3 == 1:
        made = program.add("window_all", first, window=given, aggregate={"n": "count(*)"})
    else:
        stream = program.keyed(first)
        fields = {"window": given, "aggregate": {"n": "count(*)"}, **program.own()}
        made = program.add("window", stream, **fields)
    program.add("sink", made, **program.own())
    return program.case(f"dropped {number}")


FAMILIES: dict[str, tuple[Callable[[Drawn, int], Document], int]] = {
    "keyed_process": (keyed_process, 36),
    "interval_join": (interval_join, 24),
    "window": (window, 48),
    "lookup": (lookup, 18),
    "multiple_input": (multiple_input, 12),
    "async": (asynchronous, 12),
    "idle": (idle, 8),
    "strategies": (strategies, 12),
    "iterations": (iterations, 48),
    "windowed_join": (windowed_join, 30),
    "dropped": (dropped, 24),
}
"""By what is asked, how a case is drawn and how many there are."""


def questions(family: str) -> list[Document]:
    """The cases of a family."""
    draw, count = FAMILIES[family]
    drawn = random.Random(family)  # noqa: S311 - it is to be the same again
    return [draw(drawn, number) for number in range(count)]
