"""Plans the sources and operators of a pipeline: their steps, and the row types that they emit.

Files and expressions supply the types that a document leaves open; the traversal is that of the
document's check.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Final, NamedTuple, cast

from msgspec.structs import replace

from explorer.documents.checks.columns import (
    NUMBERS,
    Columns,
    InputRows,
    Passage,
    Reading,
    columns_of,
    known_row,
    passages,
)
from explorer.engine import plan
from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.engine.rows.sources.columns import columns_of as read_columns_of
from explorer.engine.rows.sources.confinement import source_path, version_of
from explorer.engine.rows.storage import FilePath
from explorer.engine.steps.planned import (
    Arriving,
    Expressions,
    Outcome,
    Planner,
    PlanningContext,
    PlanningRequest,
    distinct_types,
    given_type,
    where,
)
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline, Rows, Transformation
from explorer.model.row_type import BOOLEAN, LONG
from explorer.wording import listed, quoted

DEFAULT_SOURCE: Final = plan.Source(rows=plan.SequenceRows(first=0, last=999), row_type=NUMBERS)
"""A source without described rows."""


class OperatorWork(NamedTuple):
    """Planned sources and operators, by transformation."""

    sources: Mapping[str, plan.Source]
    outcomes: Mapping[str, Outcome]
    selectors: Mapping[str, tuple[plan.OutputNames, ...]] = {}
    """The selectors of each split for its row types; none where the document has no conditions."""


def plan_operators(
    pipeline: Pipeline,
    operators: Collection[str],
    data_dir: FilePath | None,
    setting: PlanningContext,
) -> OperatorWork:
    """Plan a pipeline's operators; raises ``ExplorerError`` for an operator that cannot run.

    ``operators``: the transformations that have a node; no other source reads a file.
    """
    reader = _CompiledInputs(operators, data_dir, urls=setting.urls)
    outcomes: dict[str, Outcome] = {}
    selectors: dict[str, tuple[plan.OutputNames, ...]] = {}
    reading = Reading(source=reader.source, select=reader.select, passes_on=True)
    for passage in passages(pipeline.transformations, reading):
        if passage.arriving and passage.transformation.id in operators:
            outcomes[passage.transformation.id] = _outcome(passage, reader, setting)
        if passage.transformation.outputs is not None:
            selectors[passage.transformation.id] = tuple(_output_names(passage))
    return OperatorWork(reader.sources, outcomes, selectors)


def _output_names(passage: Passage) -> Iterator[plan.OutputNames]:
    t = passage.transformation
    for rows in passage.arriving:
        row_type = given_type(t, rows.columns or ())
        yield plan.OutputNames(
            row_type=row_type,
            conditions=tuple(
                (name, compile_expression(text, row_type, where(t, f"outputs.{name}"), BOOLEAN))
                for name, text in (t.outputs or {}).items()
            ),
        )


class _CompiledInputs:
    """Opens files and compiles expressions during the traversal, and caches the results."""

    def __init__(
        self, operators: Collection[str], data_dir: FilePath | None, *, urls: bool
    ) -> None:
        self._operators, self._data_dir, self._urls = operators, data_dir, urls
        self.sources: dict[str, plan.Source] = {}
        self._selected: dict[tuple[str, int, Columns], Expressions] = {}

    def source(self, source: Transformation) -> Columns | None:
        """The columns of a source; unknown where no operator reads it."""
        if source.id not in self._operators:
            return None
        planned = _plan_source(source, self._data_dir, urls=self._urls)
        self.sources[source.id] = replace(planned, time_column=_time_column(source, planned))
        return columns_of(planned.row_type)

    def select(
        self, owner: Transformation, number: int, texts: Mapping[str, str], columns: Columns | None
    ) -> Columns:
        """The columns that a select computes, each with the type of its expression."""
        if columns is None:
            return tuple((name, None) for name in texts)
        row_type = given_type(owner, columns)
        place = where(owner, f"select{number or ''}")
        compiled = tuple(
            compile_expression(text, row_type, f"{place}.{name}") for name, text in texts.items()
        )
        self._selected[owner.id, number, columns] = compiled
        return tuple(
            (name, expression.type) for name, expression in zip(texts, compiled, strict=True)
        )

    def arriving(self, t: Transformation, rows: InputRows, gives: Columns | None) -> Arriving:
        """Return the rows for planning their steps, with the compiled expressions."""
        columns = rows.columns or ()
        joined = None if rows.joined is None else given_type(t, rows.joined)
        select = (t.id, rows.input, columns) if rows.joined is None else (t.id, 0, rows.joined)
        return Arriving(
            input=rows.input,
            row_type=given_type(t, columns),
            keys=rows.keys,
            gives=gives or (),
            joined=joined,
            selected=self._selected.get(select, ()),
        )


def _outcome(passage: Passage, reader: _CompiledInputs, setting: PlanningContext) -> Outcome:
    t = passage.transformation
    arriving = [
        reader.arriving(t, rows, gives)
        for rows, gives in zip(passage.arriving, passage.gives, strict=True)
    ]
    module = import_module(f"explorer.engine.operators.{KINDS[t.type].operator}")
    request = PlanningRequest(t=t, arriving=arriving, context=setting)
    outcome = cast("Planner", module.plan_operator)(request)
    main = distinct_types([given_type(t, item.gives) for item in arriving])
    return replace(outcome, main=main)


def _plan_source(
    transformation: Transformation, data_dir: FilePath | None, *, urls: bool
) -> plan.Source:
    """Plan a source; opens its file only where columns must be inferred.

    ``urls``: whether a source may read a URL.
    """
    rows = transformation.rows
    if rows is None:
        return DEFAULT_SOURCE
    if rows.hybrid is not None:
        return _plan_hybrid_source(transformation, rows.hybrid, data_dir, urls=urls)
    reported = known_row(rows)
    if rows.path is not None:
        path = source_path(data_dir, rows.path, transformation.id, urls=urls)
        name = rows.path
        if rows.format is None:
            msg = f"transformation {transformation.id!r}: the file {name!r} needs a format"
            raise SourceError(msg)
        version = version_of(path, name)
        file = plan.FileRows(path=str(path), name=name, format=rows.format, version=version)
        row_type = reported or read_columns_of(path, name, rows.format)
        return plan.Source(rows=file, row_type=row_type)
    if reported is None:
        msg = "inline values need a schema, as in 'word STRING, n LONG'"
        raise SourceError(msg)
    if rows.sequence is not None:
        numbers = plan.SequenceRows(first=rows.sequence.first, last=rows.sequence.last)
        return plan.Source(rows=numbers, row_type=reported)
    if rows.generate is not None:
        made_up_rows = plan.MadeUpRows(rows=rows.generate, last=rows.generate.rows - 1)
        return plan.Source(rows=made_up_rows, row_type=reported)
    return plan.Source(rows=plan.InlineRows(values=rows.values or ()), row_type=reported)


def _plan_hybrid_source(
    transformation: Transformation, parts: Sequence[Rows], data_dir: FilePath | None, *, urls: bool
) -> plan.Source:
    """Plan the sources of a hybrid source, which must have the same columns."""
    sources = [
        _plan_source(replace(transformation, rows=part), data_dir, urls=urls) for part in parts
    ]
    first = sources[0].row_type
    for number, source in enumerate(sources[1:], start=1):
        if source.row_type != first:
            msg = (
                f"transformation {transformation.id!r}: all sources of a hybrid source have the "
                f"same columns, but rows.hybrid[{number}] has {source.row_type} and the first one "
                f"{first}"
            )
            raise SourceError(msg)
    rows = plan.HybridRows(
        parts=tuple(single_row for source in sources for single_row in _single_rows(source))
    )
    return plan.Source(rows=rows, row_type=first)


def _single_rows(
    source: plan.Source,
) -> Iterator[plan.SequenceRows | plan.MadeUpRows | plan.InlineRows | plan.FileRows]:
    if source.rows is not None and not isinstance(source.rows, plan.HybridRows):
        yield source.rows


def _time_column(source: Transformation, planned: plan.Source) -> int | None:
    """Return the position of the column with the timestamps of a source, a LONG."""
    if source.timestamps is None:
        return None
    name, row_type = source.timestamps.column, planned.row_type
    place = f"transformation {source.id!r}: timestamps.column"
    if name not in row_type.names:
        msg = f"{place} is {quoted(name)}; the columns are {listed(row_type.names)}"
        raise SourceError(msg)
    position = row_type.names.index(name)
    if row_type.types[position] is not LONG:
        msg = f"{place} must be LONG milliseconds, but is {row_type.types[position]}"
        raise SourceError(msg)
    return position
