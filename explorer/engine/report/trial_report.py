"""The report of a run: figures of every vertex, operator and edge, and the rows of sinks.

Figures are counted as Flink counts them; times are this run's own.
"""

import csv
import io
from collections.abc import Mapping
from typing import Any

import msgspec

from explorer.model.frozen import FrozenRecord
from explorer.model.pipeline import TableFormat
from explorer.model.run_figures import OperatorFigures, TaskFigures
from explorer.wording import counted, spreadsheet_cell


class EdgeFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of an edge between two vertices, over all channels."""

    source: str
    target: str
    source_node: int
    target_node: int
    ship_strategy: str
    records: int
    bytes: int
    write_ms: float


class ChainedFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of an edge between two operators of a task, over all subtasks."""

    vertex: str
    source_node: int
    target_node: int
    records: int
    copied: int
    """Records that were copied, as by ``CopyingChainingOutput``; 0 with object reuse."""
    copy_ms: float


class WrittenFile(msgspec.Struct, frozen=True, kw_only=True):
    """A part file that a subtask of a sink wrote."""

    name: str
    rows: int
    bytes: int


class WrittenFolder(msgspec.Struct, frozen=True, kw_only=True):
    """The files that a sink wrote."""

    path: str
    """The folder's absolute path."""
    format: TableFormat
    files: tuple[WrittenFile, ...]
    """In the order of the subtasks; a subtask without rows writes no file."""
    left_out: int = 0
    """Rows of parts that exceeded their limit."""


class SinkRows(msgspec.Struct, frozen=True, kw_only=True):
    """The rows that reached a sink."""

    rows: int
    columns: tuple[tuple[str, str], ...]
    """Names and types; empty if rows of several types arrived."""
    data: tuple[tuple[Any, ...], ...] | None
    """The retained rows; None: none were requested."""
    written: WrittenFolder | None = None
    """None: it wrote no files."""


class TrialReport(FrozenRecord, frozen=True, kw_only=True):
    """The report of a finished trial."""

    name: str
    flink_version: str
    master: str
    wall_ms: float
    vertices: tuple[TaskFigures, ...]
    """In the JobGraph's order."""
    edges: tuple[EdgeFigures, ...]
    chained: tuple[ChainedFigures, ...]
    """Edges within vertices, in the order of their vertices and operators."""
    sinks: Mapping[str, SinkRows]
    warnings: tuple[str, ...]

    @property
    def operators(self) -> tuple[OperatorFigures, ...]:
        """All operators, vertex by vertex."""
        return tuple(operator for vertex in self.vertices for operator in vertex.operators)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-ready members."""
        members: dict[str, Any] = _replace_tuples(msgspec.to_builtins(self))
        members["vertices"] = list(map(_task_members, self.vertices))
        members["operators"] = [
            operator for vertex in members["vertices"] for operator in vertex["operators"]
        ]
        for sink in members["sinks"].values():
            sink["columns"] = [{"name": name, "type": kind} for name, kind in sink["columns"]]
        return members

    def to_csv(self) -> str:
        """Return a table with a line for each vertex and each operator."""
        text = io.StringIO()
        text.write("kind,id,name,parallelism,records_in,records_out,bytes_out,operator_ms\n")
        writer = csv.writer(text, lineterminator="\n")
        for vertex in self.vertices:
            sums = (vertex.records_in, vertex.records_out, vertex.bytes_out, vertex.operator_ms)
            writer.writerow(
                ("vertex", vertex.id, spreadsheet_cell(vertex.name), vertex.parallelism, *sums)
            )
            for operator in vertex.operators:
                row = (operator.records_in, operator.records_out, "", operator.operator_ms)
                writer.writerow(
                    (
                        "operator",
                        operator.node,
                        spreadsheet_cell(operator.name),
                        vertex.parallelism,
                        *row,
                    )
                )
        return text.getvalue()


def _task_members(figures: TaskFigures) -> dict[str, Any]:
    sums = ("parallelism", "records_in", "records_out", "bytes_out", "operator_ms")
    members: dict[str, Any] = msgspec.to_builtins(figures)
    members |= {name: getattr(figures, name) for name in sums}
    members["operators"] = list(map(_operator_members, figures.operators))
    # For one release: the members before there were records of subtasks, and of one meaning.
    members["busy_ms"] = figures.operator_ms
    for name in ("records_in", "records_out", "bytes_out", "begun_ms", "ended_ms"):
        members[f"subtask_{name}"] = [getattr(subtask, name) for subtask in figures.subtasks]
    members["subtask_busy_ms"] = [subtask.operator_ms for subtask in figures.subtasks]
    return members


def _operator_members(figures: OperatorFigures) -> dict[str, Any]:
    members = {name: getattr(figures, name) for name in figures.__struct_fields__}
    return members | {"busy_ms": figures.operator_ms}  # For one release.


def _replace_tuples(value: Any) -> Any:
    """Replace tuples by lists, as a JSON decoder would return them."""
    if isinstance(value, dict):
        return {key: _replace_tuples(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_replace_tuples(one) for one in value]
    return value


def copies_sentence(report: TrialReport) -> str:
    """Return how many records were copied between operators, or were not; empty for no records."""
    every = report.chained
    records, copied = (
        sum(figures.records for figures in every),
        sum(figures.copied for figures in every),
    )
    if copied:
        spent = sum(figures.copy_ms for figures in every)
        return (
            f"{counted(copied, 'record')} copied between operators of a task, in {spent:,.1f} ms; "
            "with pipeline.object-reuse none would be"
        )
    if records:
        return (
            f"{counted(records, 'record')} handed on between operators of a task as the same "
            "object; without pipeline.object-reuse each would be copied"
        )
    return ""
