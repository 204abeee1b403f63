"""Narrates the steps of a traced record: the work of each operator, and each exchange."""

from collections.abc import Iterable
from typing import Any, Final, TypeAlias, assert_never

import msgspec

from explorer.engine.operators.pass_on import PassOn
from explorer.engine.steps.step import Emitted
from explorer.engine.task.choices import KeyChoice
from explorer.engine.task.record_route import (
    RouteStep,
    RowChained,
    RowCollected,
    RowEnded,
    RowFedBack,
    RowRead,
    RowSent,
    RowWorked,
    TracedRow,
    TracedRows,
)
from explorer.flink.compiler import Compilation
from explorer.model.narrated_step import Details, Highlighted, NarratedStep, Narration, number_steps
from explorer.model.stream_graph import NodeId
from explorer.wording import counted, listed, quoted

LONGEST_VALUE: Final = 40
"""Maximum characters of a value."""
_MANY_BYTES: Final = 64
"""Maximum bytes in a fact."""
RecordStep: TypeAlias = NarratedStep[RouteStep]


def narrate_route(
    compilation: Compilation, steps: Iterable[RouteStep], buffer_size: int
) -> tuple[RecordStep, ...]:
    """Narrate every step; ``buffer_size``: bytes of a network buffer."""
    narrator = _RecordNarrator(compilation, buffer_size)
    narrated = []
    passed: dict[NodeId, None] = {}
    for step in steps:
        node = NodeId(step.node)
        passed[node] = None
        edges = (step.edge,) if isinstance(step, RowChained | RowSent) else ()
        marks = Highlighted(node, chain=tuple(passed), edges=edges)
        narration = msgspec.structs.replace(narrator.narrate(step), highlighted=marks)
        narrated.append((narrator.part(step), step, narration))
    return number_steps(narrated, through=True)


def as_members(steps: Iterable[RecordStep]) -> list[dict[str, Any]]:
    """Return JSON-ready members; ``passed``: the operators of the route so far."""
    return [
        step.text()
        | {"node": step.highlighted.node, "edges": list(step.highlighted.edges)}
        | {"passed": list(step.highlighted.chain), "facts": msgspec.to_builtins(step.details)}
        for step in steps
    ]


class _RecordNarrator:
    def __init__(self, compilation: Compilation, buffer_size: int) -> None:
        self._compilation, self._buffer_size = compilation, buffer_size

    def name(self, node: int) -> str:
        return self._compilation.stream_graph.node(NodeId(node)).name

    def part(self, step: RouteStep) -> str:
        if isinstance(step, RowSent):
            return "between tasks"
        return self._compilation.job_graph.task_of(NodeId(step.node)).name

    def narrate(self, step: RouteStep) -> Narration:
        """Narrate one step, without highlighted elements."""
        name = self.name(step.node)
        at = f"{name}, subtask {step.subtask}"
        match step:
            case RowWorked():
                return self.worked(step, at)
            case RowSent():
                return self.sent(step, at)
            case RowRead():
                title = f"{name} reads row {step.place + 1:,}"
                sentence = f"{at}, reads row {step.place + 1:,} and emits it: {_row(step.row)}."
            case RowEnded():
                title, why = f"{name} emits nothing", (step.does or PassOn()).explain_silence()
                sentence = f"{at}, reads {_row(step.row)}. {why} The row ends here."
            case RowChained():
                target = self.name(step.target)
                title = f"{name} → {target}, chained"
                sentence = (
                    f"Both are in one task, so the row is passed by a method call: the "
                    f"ChainingOutput of {name} calls {target} with {_row(step.row)}, in the same "
                    "thread; it is not serialised."
                )
            case RowFedBack():
                target = self.name(step.target)
                title = f"{name} → {target}, another round"
                sentence = (
                    f"{at}, puts {_row(step.row)} into a queue of its process, from which "
                    f"{target}, subtask {step.subtask}, reads and emits it. It is not serialised."
                )
            case RowCollected():
                title = f"{name} collects it as row {step.place + 1:,}"
                sentence = f"{at}, collects {_row(step.row)}: row {step.place + 1:,} of the sink."
            case _:
                assert_never(step)
        facts = (("row", _values(step.row)), ("subtask", (str(step.subtask),)))
        return Narration(title, sentence, details=facts)

    def worked(self, step: RowWorked, at: str) -> Narration:
        does, rows = step.does or PassOn(), tuple(dict(row.values) for row in step.made.shown)
        emitted = Emitted(step.tag, step.made.shown[0].timestamp, rows)
        took = f"{at}, reads {_row(step.taken.shown[0])}. "
        to = "" if step.tag is None else f" to side output {quoted(step.tag)}"
        more, more_taken = step.made.count - 1, step.taken.count - 1
        together = f"{counted(more_taken, 'other row')} contributed with it. " if more_taken else ""
        result = f"It emits {_row(step.made.shown[0])}"
        result += f" and {counted(more, 'more row')}{to}." if more > 0 else f"{to}."
        later = f" The row also contributed to {counted(step.later, 'later row')}."
        why = does.explain_emission(emitted)
        facts = [("input rows", _list_rows(step.taken)), ("emitted", _list_rows(step.made))]
        if step.tag is not None:
            facts.append(("side output", (step.tag,)))
        return Narration(
            f"{self.name(step.node)} {does.verb}",
            f"{took}{why} {together}{result}{later if step.later else ''}",
            details=(*facts, *does.facts(emitted), ("subtask", (str(step.subtask),))),
        )

    def sent(self, step: RowSent, at: str) -> Narration:
        chosen, ends = step.choice, f"{self.name(step.node)} → {self.name(step.target)}"
        subtasks = listed([str(consumer) for consumer in chosen.consumers])
        data = bytes.fromhex(step.bytes)[:_MANY_BYTES]
        facts = (
            ("row", _values(step.row)),
            *_key_facts(chosen.keyed),
            ("subtask", (f"{step.subtask} → {subtasks}",)),
            ("channel", (str(chosen.channel),)),
            ("bytes", (data.hex(" ") + (" …" if step.size > len(data) else ""),)),
            ("buffer", (self._buffers(step),)),
        )
        return Narration(
            f"{ends}, {chosen.partitioner}",
            f"{at}, sends {_row(step.row)} to subtask {subtasks} of "
            f"{self.name(step.target)}. {chosen.why} The row has {step.size} bytes in its "
            f"channel, from byte {step.start:,} on: {self._buffers(step)}.",
            details=facts,
        )

    def _buffers(self, step: RowSent) -> str:
        """Name the buffers of the channel that hold the row, where only full ones are sent."""
        first, last = (at // self._buffer_size for at in (step.start, step.start + step.size - 1))
        size = f"{self._buffer_size >> 10:,} KiB"
        if first == last:
            return f"buffer {first} of {size}"
        return f"buffers {first} to {last} of {size}, which it spans"


def _value(value: object) -> str:
    return "null" if value is None else quoted(value, LONGEST_VALUE)


def _row(row: TracedRow) -> str:
    reported = ", ".join(f"{name} {_value(value)}" for name, value in row.values)
    return f"({reported})" + ("" if row.timestamp is None else f" at {row.timestamp}")


def _values(row: TracedRow) -> tuple[str, ...]:
    result = tuple(f"{name}: {_value(value)}" for name, value in row.values)
    return result if row.timestamp is None else (*result, f"timestamp: {row.timestamp}")


def _list_rows(rows: TracedRows) -> tuple[str, ...]:
    """List the visible rows and the number of the others."""
    reported = tuple(_row(row) for row in rows.shown)
    remainder = rows.count - len(rows.shown)
    return (*reported, f"and {remainder:,} more") if remainder else reported


def _key_facts(keyed: KeyChoice | None) -> Details:
    if keyed is None:
        return ()
    return (
        ("key", (keyed.key,)),
        ("hashCode()", (str(keyed.hash_code),)),
        ("murmurHash", (str(keyed.murmur),)),
        ("key group", (f"{keyed.key_group} of {keyed.max_parallelism}",)),
    )
