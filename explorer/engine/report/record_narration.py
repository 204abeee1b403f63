"""A record's way in words: what each operator made of it, and how it came to the next.

The steps are those of ``explorer.engine.task.record_way``, as a traced run found them.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from explorer.engine import plan
from explorer.engine.task.choices import KeyChoice
from explorer.engine.task.frames import SEGMENT_SIZE
from explorer.engine.task.record_way import (
    Row,
    RowChained,
    RowCollected,
    RowEnded,
    RowFedBack,
    RowRead,
    Rows,
    RowSent,
    RowWorked,
    WayStep,
)
from explorer.flink.compiler import Compilation
from explorer.model.stream_graph import NodeId
from explorer.wording import counted, listed, quoted

Facts: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Heads, and what stands beside each."""
LONGEST_VALUE: Final = 40
"""Characters of a value."""
_MANY_BYTES: Final = 64
"""Bytes that a fact spells out."""


class ToldStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step for a reader and for a drawing."""

    number: int
    """Counted from 1."""
    part: str
    """The task in which it happens, or ``between tasks``."""
    title: str
    sentence: str
    node: int
    edges: tuple[int, ...]
    """Positions of the ``StreamEdge`` that the row takes, if one."""
    passed: tuple[int, ...]
    """The operators of the way so far."""
    facts: Facts


class _Told(NamedTuple):
    """What there is to say of one step."""

    title: str
    sentence: str
    facts: Facts


def tell_way(done: Compilation, steps: Iterable[WayStep]) -> tuple[ToldStep, ...]:
    """Every step in words."""
    teller = _Teller(done)
    told: list[ToldStep] = []
    passed: dict[int, None] = {}
    for number, step in enumerate(steps, 1):
        passed[step.node] = None
        said = _TELLERS[type(step)](teller, step)
        told.append(
            ToldStep(
                number=number,
                part=teller.part(step),
                node=step.node,
                edges=(step.edge,) if isinstance(step, RowChained | RowSent) else (),
                passed=tuple(passed),
                **said._asdict(),
            )
        )
    return tuple(told)


class _Teller:
    def __init__(self, done: Compilation) -> None:
        self._done = done

    def name(self, node: int) -> str:
        return self._done.stream_graph.node(NodeId(node)).name

    def at(self, step: WayStep) -> str:
        """The operator and its subtask."""
        return f"{self.name(step.node)}, subtask {step.subtask}"

    def part(self, step: WayStep) -> str:
        if isinstance(step, RowSent):
            return "between tasks"
        return self._done.job_graph.task_of(NodeId(step.node)).name

    def read(self, step: RowRead) -> _Told:
        return _Told(
            f"{self.name(step.node)} reads row {step.place + 1:,}",
            f"{self.at(step)}, reads row {step.place + 1:,} and hands it on: {_row(step.row)}.",
            _row_facts(step),
        )

    def worked(self, step: RowWorked) -> _Told:
        does = _does(step.does)
        took = f"{self.at(step)}, takes {_row(step.taken.shown[0])}. "
        made = f"It hands on {_row(step.made.shown[0])}{_more(step.made)}{_where(step.tag)}."
        later = f" The row took part in {counted(step.later, 'later row')}, too."
        why = does.passed(step.does, step)
        facts = [("took part", _listed(step.taken)), ("handed on", _listed(step.made))]
        if step.tag is not None:
            facts.append(("side output", (step.tag,)))
        return _Told(
            f"{self.name(step.node)} {does.verb}",
            f"{took}{why} {_together(step)}{made}{later if step.later else ''}",
            (*facts, *_window(step), ("subtask", (str(step.subtask),))),
        )

    def ended(self, step: RowEnded) -> _Told:
        return _Told(
            f"{self.name(step.node)} hands nothing on",
            f"{self.at(step)}, takes {_row(step.row)}. {_does(step.does).ended(step.does)} "
            "The row ends here.",
            _row_facts(step),
        )

    def chained(self, step: RowChained) -> _Told:
        ends = f"{self.name(step.node)} → {self.name(step.target)}"
        return _Told(
            f"{ends}, chained",
            f"Both are in one task, so the row goes on by a call: the ChainingOutput of "
            f"{self.name(step.node)} calls {self.name(step.target)} with {_row(step.row)}, in the "
            "same thread; it is not serialised.",
            _row_facts(step),
        )

    def sent(self, step: RowSent) -> _Told:
        chosen, ends = step.choice, f"{self.name(step.node)} → {self.name(step.target)}"
        subtasks = listed([str(one) for one in chosen.consumers])
        facts = (
            ("row", _values(step.row)),
            *_key_facts(chosen.keyed),
            ("subtask", (f"{step.subtask} → {subtasks}",)),
            ("channel", (str(chosen.channel),)),
            ("bytes", (_bytes(step),)),
            ("buffer", (_buffers(step),)),
        )
        return _Told(
            f"{ends}, {chosen.partitioner}",
            f"{self.at(step)}, sends {_row(step.row)} to subtask {subtasks} of "
            f"{self.name(step.target)}. {chosen.why} The row takes {step.size} bytes of its "
            f"channel, from byte {step.start:,} on: {_buffers(step)}.",
            facts,
        )

    def fed_back(self, step: RowFedBack) -> _Told:
        return _Told(
            f"{self.name(step.node)} → {self.name(step.target)}, another round",
            f"{self.at(step)}, puts {_row(step.row)} into a queue of its process, from which "
            f"{self.name(step.target)}, subtask {step.subtask}, takes it and hands it on. It is "
            "not serialised.",
            _row_facts(step),
        )

    def collected(self, step: RowCollected) -> _Told:
        return _Told(
            f"{self.name(step.node)} takes it as row {step.place + 1:,}",
            f"{self.at(step)}, takes {_row(step.row)}: row {step.place + 1:,} of the sink.",
            _row_facts(step),
        )


_TELLERS: Final[Mapping[type, Callable[[_Teller, Any], _Told]]] = {
    RowRead: _Teller.read,
    RowWorked: _Teller.worked,
    RowEnded: _Teller.ended,
    RowChained: _Teller.chained,
    RowSent: _Teller.sent,
    RowFedBack: _Teller.fed_back,
    RowCollected: _Teller.collected,
}


class _Does(NamedTuple):
    """What an operator does, in words; the functions take what it was told to do."""

    verb: str
    passed: Callable[[Any, RowWorked], str]
    """Why the row went on."""
    ended: Callable[[Any], str] = lambda _: ""
    """Why it did not."""


_PASSES_ON: Final = _Does(
    "passes it on", lambda *_: "It passes every row on.", lambda _: "It hands no row on."
)
_WORKS: Final = _Does("works on it", lambda *_: "It works on it.", lambda _: "No row comes of it.")


def _does(step: plan.Step | None) -> _Does:
    if step is None:
        return _PASSES_ON
    kind = type(step.join if isinstance(step, plan.Side) else step)
    return _WORDS.get(kind, _WORKS)


def _routed(does: plan.Route, step: RowWorked) -> str:
    conditions = dict(does.conditions)
    if step.tag in conditions:
        met = quoted(conditions[step.tag].text)
        return f"The condition {met} of side output {quoted(step.tag)} holds for it."
    return f"No condition of {listed(map(quoted, conditions))} holds for it."


def _aggregates(does: Any) -> str:
    functions = listed(f"{one.name} by {one.function}" for one in does.aggregates)
    return f"{functions}{_keyed(does)}"


def _windowed(does: plan.WindowAggregate, step: RowWorked) -> str:
    if step.tag is not None:
        return "All its windows were over, so it comes too late for them."
    assigner = does.windows.assigner
    return f"It puts the row into its {assigner} windows, and a window's row goes on as it ends."


def _keyed(does: plan.Keyed) -> str:
    """By which columns it tells keys apart."""
    return f" by {listed(does.row_type.names[key] for key in does.keys)}" if does.keys else ""


_PAIRED: Final = {
    "inner": "each row of the first input in it goes on with each of the second",
    "left_outer": "each row of the first input goes on with each of the second, or with NULLs",
    "right_outer": "each row of the second input goes on with each of the first, or with NULLs",
    "full_outer": "each row goes on with each of the other input, or with NULLs",
    "count": "it tells how many rows of each input are in it",
}
"""By what a join over windows makes of one."""

_WORDS: Final[Mapping[type, _Does]] = {
    plan.PassOn: _PASSES_ON,
    plan.Drop: _Does("drops it", lambda *_: "", lambda _: "It drops every row."),
    plan.Select: _Does("makes a row of it", lambda does, _: f"It computes {_computed(does)}."),
    plan.Where: _Does(
        "lets it pass",
        lambda does, _: f"Its condition {_condition(does)} holds for the row.",
        lambda does: f"Its condition {_condition(does)} does not hold for the row.",
    ),
    plan.SplitText: _Does(
        "splits it",
        lambda does, _: f"It splits {_split(does)}.",
        lambda does: f"It splits {_split(does)}, and no part is left.",
    ),
    plan.Route: _Does("routes it", _routed),
    plan.Reduce: _Does(
        "adds it up", lambda does, _: f"It keeps one row for each key: {_aggregates(does)}."
    ),
    plan.WindowAggregate: _Does(
        "puts it into windows",
        _windowed,
        lambda _: "The watermark had passed the end of all its windows: it comes too late.",
    ),
    plan.CountWindows: _Does(
        "counts it into windows",
        lambda does, _: (
            f"At every {does.slide:,} rows of a key it aggregates the last {does.size:,}: "
            f"{_aggregates(does)}."
        ),
        lambda does: f"Its key has not had the {does.slide:,} rows yet at which a window goes on.",
    ),
    plan.EndAggregate: _Does(
        "waits for the end of the input",
        lambda does, _: (
            f"It aggregates all rows{_keyed(does) or ' of the subtask'} when the input has ended: "
            f"{_aggregates(does)}."
        ),
    ),
    plan.RunningColumn: _Does(
        "adds it up",
        lambda does, _: (
            f"It puts the key's {does.aggregate.function} so far behind the row{_keyed(does)}."
        ),
    ),
    plan.PreviousValue: _Does(
        "looks back from it",
        lambda does, _: (
            f"It puts the value that the key's row before had behind the row{_keyed(does)}."
        ),
    ),
    plan.FirstOnly: _Does(
        "lets the first pass",
        lambda *_: "It is the first row with these values.",
        lambda _: "A row with the same values has come before.",
    ),
    plan.Greatest: _Does(
        "ranks it",
        lambda does, _: f"It is among its key's {does.size:,} greatest so far.",
        lambda does: f"It is not among its key's {does.size:,} greatest so far.",
    ),
    plan.AfterPause: _Does(
        "waits for a pause",
        lambda does, _: f"Its key had no other row for {does.gap:,} ms, and a timer fired.",
        lambda does: f"Another row of its key came within {does.gap:,} ms.",
    ),
    plan.IntervalJoin: _Does(
        "joins it",
        lambda does, _: (
            f"It joins rows of one key whose timestamps are {does.join.lower:,} to "
            f"{does.join.upper:,} ms apart."
        ),
        lambda does: (
            f"No row of its key on the other input lies within {does.join.lower:,} to "
            f"{does.join.upper:,} ms."
        ),
    ),
    plan.Tag: _Does(
        "tags it",
        lambda does, _: (
            f"It marks the row as one of input {does.tag}: a byte more before it."
            if does.tag
            else "It takes the mark off the row that said of which input it is."
        ),
    ),
    plan.WindowedJoin: _Does(
        "puts it into windows",
        lambda does, _: (
            f"It keeps the row in its {does.join.windows.assigner} windows, and as one ends, "
            f"{_PAIRED[does.join.function]}."
        ),
        lambda _: (
            "Its windows have no row of its key on the other input, or were over when it came."
        ),
    ),
    plan.Lookup: _Does(
        "looks it up",
        lambda *_: "It puts the newest row of the second input that has the same key beside it.",
        lambda _: "It keeps the row, for those of the first input that ask for its key.",
    ),
    plan.Await: _Does(
        "waits for its answer",
        lambda does, _: (
            f"The answer takes {does.delay:,} ms, and {does.capacity:,} rows may wait at once."
        ),
    ),
    plan.AssignTimestamps: _Does(
        "gives it a timestamp",
        lambda _, step: f"Its timestamp is {step.made.shown[0].timestamp} from now on.",
    ),
}
"""By what an operator does; of what is not here it is said that it works on the row."""


def _condition(does: Any) -> str:
    return quoted(does.condition.text, 200)


def _computed(does: Any) -> str:
    pairs = zip(does.row_type.names, does.columns, strict=True)
    return listed(f"{name} = {one.text}" for name, one in pairs)


def _split(does: Any) -> str:
    return f"{does.value.text} at every match of {quoted(does.pattern, 200)}"


def _together(step: RowWorked) -> str:
    others = step.taken.count - 1
    if not others:
        return ""
    return f"{counted(others, 'other row')} took part with it. "


def _more(rows: Rows) -> str:
    return f" and {counted(rows.count - 1, 'more row')}" if rows.count > 1 else ""


def _where(tag: str | None) -> str:
    return "" if tag is None else f" to side output {quoted(tag)}"


def _window(step: RowWorked) -> Facts:
    """The windows of the rows that were handed on."""
    if not isinstance(step.does, plan.WindowAggregate) or step.tag is not None:
        return ()
    times = [dict(row.values) for row in step.made.shown]
    return (("window", tuple(f"{at['window_start']} to {at['window_end']}" for at in times)),)


def _value(value: object) -> str:
    return "null" if value is None else quoted(value, LONGEST_VALUE)


def _row(row: Row) -> str:
    told = ", ".join(f"{name} {_value(value)}" for name, value in row.values)
    return f"({told})" + ("" if row.timestamp is None else f" at {row.timestamp}")


def _row_facts(step: RowRead | RowEnded | RowChained | RowFedBack | RowCollected) -> Facts:
    return (("row", _values(step.row)), ("subtask", (str(step.subtask),)))


def _values(row: Row) -> tuple[str, ...]:
    found = tuple(f"{name}: {_value(value)}" for name, value in row.values)
    return found if row.timestamp is None else (*found, f"timestamp: {row.timestamp}")


def _listed(rows: Rows) -> tuple[str, ...]:
    """The rows that are shown, and how many are not."""
    told = tuple(_row(row) for row in rows.shown)
    rest = rows.count - len(rows.shown)
    return (*told, f"and {rest:,} more") if rest else told


def _key_facts(keyed: KeyChoice | None) -> Facts:
    """How a key falls to its subtask; nothing of a partitioner that reads no key."""
    if keyed is None:
        return ()
    return (
        ("key", (keyed.key,)),
        ("hashCode()", (str(keyed.hash_code),)),
        ("murmurHash", (str(keyed.murmur),)),
        ("key group", (f"{keyed.key_group} of {keyed.max_parallelism}",)),
    )


def _bytes(step: RowSent) -> str:
    data = bytes.fromhex(step.bytes)[:_MANY_BYTES]
    return data.hex(" ") + (" …" if step.size > len(data) else "")


def _buffers(step: RowSent) -> str:
    """Which buffers of the channel hold the row, where only full ones are sent."""
    first, last = (at // SEGMENT_SIZE for at in (step.start, step.start + step.size - 1))
    if first == last:
        return f"buffer {first} of 32 KiB"
    return f"buffers {first} to {last} of 32 KiB, which it spans"
