"""Reads a compiled plan's JSON (``COMPILE PLAN``); mirrors ``ExecNodeGraphJsonDeserializer``."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from explorer.documents.checks.sql_plans import check_sql_plan
from explorer.documents.records import to_record
from explorer.documents.text.json_text import read_json
from explorer.errors import DocumentError
from explorer.model.sql_plan import ExecNode, RowKind, SqlColumn, SqlPlan, SqlState, SqlStatement
from explorer.wording import described

_HEAD_BYTES: Final = 200
_TTL: Final = re.compile(r"(\d+) ?(ms|s|min|h|d)")
_MILLISECONDS: Final = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
_COLUMN: Final = re.compile(r"`((?:[^`]|``)*)` ")


class _PlannedState(msgspec.Struct):
    name: str
    ttl: str = "0 ms"


class _PlannedNode(msgspec.Struct, rename="camel"):
    id: int
    type: str
    description: str
    output_type: Any = None
    state: tuple[_PlannedState, ...] = ()
    input_changelog_mode: tuple[RowKind, ...] | None = None


class _PlanEdge(msgspec.Struct):
    source: int
    target: int


class _CompiledPlan(msgspec.Struct, rename="camel"):
    flink_version: str
    nodes: tuple[_PlannedNode, ...]
    edges: tuple[_PlanEdge, ...] = ()


_HEAD: Final = re.compile(rb"\s*\{\s*\"flinkVersion\"\s*:\s*\"(?P<release>\d+\.\d+)")
"""How Flink begins a compiled plan."""


def release_of_plan(path: str | Path) -> str | None:
    """The release that a file's compiled plan names first; None: the file holds none."""
    try:
        with Path(path).open("rb") as file:
            result = _HEAD.match(file.read(_HEAD_BYTES))
    except (OSError, ValueError):
        return None
    return result["release"].decode() if result else None


def is_compiled_plan(values: object) -> bool:
    """Whether plain values are a compiled plan's."""
    return isinstance(values, Mapping) and {"flinkVersion", "nodes"} <= values.keys()


def parse_compiled_plan(text: str) -> Mapping[str, Any]:
    """A compiled plan's text as plain values; raises ``DocumentError`` for anything else."""
    values = read_json(text)
    if not isinstance(values, Mapping) or not is_compiled_plan(values):
        problem = (
            "must be a compiled plan, with flinkVersion, nodes and edges, but is "
            f"{described(values)}"
        )
        raise DocumentError(path="", problem=problem)
    return values


def to_sql_plan(values: Mapping[str, Any], statements: tuple[SqlStatement, ...] = ()) -> SqlPlan:
    """The nodes of a compiled plan, in the order of their IDs.

    Changelog modes are those that its sinks declare for their inputs; upsert keys are not in it.
    Raises ``DocumentError`` for the first fault.
    """
    plan = to_record(values, _CompiledPlan)
    inputs: dict[int, list[int]] = defaultdict(list)
    for edge in plan.edges:
        inputs[edge.target].append(edge.source)
    modes = {
        source: node.input_changelog_mode
        for node in plan.nodes
        if node.input_changelog_mode is not None
        for source in inputs[node.id]
    }
    nodes = [_exec_node(node, inputs[node.id], modes.get(node.id)) for node in plan.nodes]
    of_all = tuple(range(len(statements)))
    sql_plan = SqlPlan(
        statements=statements,
        nodes=tuple(
            msgspec.structs.replace(node, statements=of_all)
            for node in sorted(nodes, key=lambda node: node.id)
        ),
        compiled=True,
    )
    check_sql_plan(sql_plan, "nodes")
    return sql_plan


def _exec_node(
    node: _PlannedNode, inputs: Sequence[int], row_kinds: tuple[RowKind, ...] | None
) -> ExecNode:
    name, _, version = node.type.rpartition("_")
    return ExecNode(
        id=node.id,
        type=name or node.type,
        version=int(version) if name and version.isdigit() else None,
        description=node.description,
        inputs=tuple(inputs),
        columns=tuple(_columns(node.output_type)),
        row_kinds=row_kinds,
        states=tuple(
            SqlState(name=state.name, ttl=_milliseconds(state.ttl)) for state in node.state
        ),
    )


def _milliseconds(text: str) -> int:
    match = _TTL.fullmatch(text)
    return int(match[1]) * _MILLISECONDS[match[2]] if match else 0


def _columns(type: object) -> Iterable[SqlColumn]:
    """Yield the fields of a row type, which is text, or fields where one is a time."""
    if isinstance(type, Mapping):
        fields = type.get("fields")
        for field in fields if isinstance(fields, list | tuple) else ():
            yield SqlColumn(name=str(field.get("name")), type=_spell_type(field.get("fieldType")))
        return
    text = str(type or "")
    inner = text[text.find("<") + 1 : text.rfind(">")]
    starts = [*_top_level(inner)]
    for begin, end in zip(starts, [*starts[1:], len(inner) + 2], strict=True):
        part = inner[begin : end - 2]
        if match := _COLUMN.match(part):
            yield SqlColumn(name=match[1].replace("``", "`"), type=part[match.end() :])


def _top_level(text: str) -> Iterable[int]:
    """Yield the positions at which the outermost fields of a row type begin."""
    depth, quoted = 0, False
    if text:
        yield 0
    for position, letter in enumerate(text):
        quoted ^= letter == "`"
        depth += 0 if quoted else {"<": 1, "(": 1, ">": -1, ")": -1}.get(letter, 0)
        if letter == "," and not quoted and depth == 0:
            yield position + 2


def _spell_type(type: object) -> str:
    if not isinstance(type, Mapping):
        return str(type)
    precision = f"({type['precision']})" if "precision" in type else ""
    kind = f" *{type['kind']}*" if "kind" in type else ""
    return f"{_SHORT.get(str(type.get('type')), str(type.get('type')))}{precision}{kind}"


_SHORT: Final = {
    "TIMESTAMP_WITHOUT_TIME_ZONE": "TIMESTAMP",
    "TIMESTAMP_WITH_LOCAL_TIME_ZONE": "TIMESTAMP_LTZ",
}
