"""Verdicts on states with types that two pipeline documents declare themselves.

A document that states what an operator computes (``aggregate``, ``state``, ``rows`` ...) has no
user code there: its state follows from that work and from the columns that reach it. Equal work on
equal columns has the same state type; for all else the documents cannot predict Flink's answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final, TypeAlias, get_args

from explorer.comparison.baseline import CompiledBaseline
from explorer.documents.checks.columns import KNOWN, InputRows, UnlikeStreamsError, passages
from explorer.flink.compiler import Compilation
from explorer.flink.kinds import KINDS
from explorer.model.coverage import Compatibility, StateVerdict, TypeAspect
from explorer.model.pipeline import Transformation
from explorer.model.row_type import ColumnType
from explorer.model.stream_graph import NodeId

_STATEFUL: Final = ("rows", "aggregate", "state", "group", "between", "lookup", "wait")
"""The fields with stateful work."""
_STATELESS: Final = (
    "select",
    "select1",
    "select2",
    "selects",
    "where",
    "split",
    "side_outputs",
    "sort",
    "timestamps",
)
"""The fields with stateless work."""
_read_work: Final = attrgetter(*_STATEFUL, *_STATELESS)
_NO_WORK: Final = (None,) * len((*_STATEFUL, *_STATELESS))
_SHAPING: Final = (*_STATEFUL, "type", "window", "keys", "equal_to")
"""The fields that decide on the type of an operator's state."""

_Rows: TypeAlias = Mapping[str, tuple[InputRows, ...]]
"""Maps each transformation of a document to the rows that reach it."""


def declares_work(transformation: Transformation) -> bool:
    """Whether the document states all that the operator computes, so that no user code runs."""
    return _read_work(transformation) != _NO_WORK


def judge_documents(
    old: CompiledBaseline, new: Compilation, takers: Mapping[str, NodeId]
) -> dict[str, tuple[StateVerdict, ...]]:
    """Map the IDs of operators of which both documents declare the work to verdicts.

    ``takers``: maps operator IDs in the savepoint to the new nodes that Flink assigns the state to.
    A savepoint holds more than a document: it gets no verdicts here.
    """
    if old.real or old.program is None:
        return {}
    old_rows, new_rows = _arriving_rows(old.program), _arriving_rows(new)
    if old_rows is None or new_rows is None:
        return {}
    result: dict[str, tuple[StateVerdict, ...]] = {}
    for id, taker in takers.items():
        old_transformation, new_transformation = (
            _find_declaring(old.program, old.nodes[id]),
            _find_declaring(new, taker),
        )
        if old_transformation is not None and new_transformation is not None:
            sides = (
                (old_transformation, old_rows[old_transformation.id]),
                (new_transformation, new_rows[new_transformation.id]),
            )
            result[id] = tuple(_verdicts(*sides))
    return result


def _find_declaring(compilation: Compilation, node: NodeId) -> Transformation | None:
    origin = compilation.stream_graph.by_id[node].transformation
    if compilation.pipeline is None or origin is None:
        return None
    transformation = compilation.pipeline.transformation(origin)
    return transformation if declares_work(transformation) else None


def _arriving_rows(compilation: Compilation) -> _Rows | None:
    if compilation.pipeline is None:
        return None
    try:
        steps = passages(compilation.pipeline.transformations, KNOWN)
        return {step.transformation.id: step.arriving for step in steps}
    except UnlikeStreamsError:
        return None


def _verdicts(*sides: tuple[Transformation, tuple[InputRows, ...]]) -> Iterator[StateVerdict]:
    """Return the verdicts on the key and on the state; a side is before or after the deploy."""
    if not any(_is_stateful(transformation) for transformation, _ in sides):
        for aspect in get_args(TypeAspect):
            yield _verdict(aspect, "compatible", "the documents declare a function without state")
        return
    rows = [input_rows for _, arriving in sides for input_rows in arriving]
    previous, following = (_keys(arriving) for _, arriving in sides)
    if all(row.keys is None for row in rows) and sides[1][0].keys is None:
        yield _verdict("key types", "compatible", "no keyed stream reaches it")
    elif None in previous or None in following:
        reason = "a document does not state the types of the key columns"
        yield _verdict("key types", "unknown", reason)
    elif previous == following:
        yield _verdict("key types", "compatible", "both documents declare the same key columns")
    else:
        yield _verdict("key types", "unknown", "the documents declare other key columns")
    yield _state_verdict(sides, rows)


def _state_verdict(
    sides: Sequence[tuple[Transformation, tuple[InputRows, ...]]], rows: Sequence[InputRows]
) -> StateVerdict:
    shapes = [
        [getattr(transformation, field) for field in _SHAPING]
        + [input_rows.columns for input_rows in arriving]
        for transformation, arriving in sides
    ]
    if any(row.columns is None or None in dict(row.columns).values() for row in rows):
        reason = "a document does not state the columns that reach it"
        return _verdict("state types", "unknown", reason)
    if shapes[0] == shapes[1]:
        reason = "both documents declare the same work on the same columns"
        return _verdict("state types", "compatible", reason)
    reason = "the documents declare other work, or other columns reach it"
    return _verdict("state types", "unknown", reason)


def _is_stateful(transformation: Transformation) -> bool:
    """Whether the declared work, or the partition window of a key, is stateful."""
    kind = KINDS[transformation.type]
    declared = any(getattr(transformation, field) is not None for field in _STATEFUL)
    return declared or (kind.at_end and kind.keyed)


def _keys(arriving: tuple[InputRows, ...]) -> list[list[tuple[str, ColumnType]] | None]:
    """Return the key columns of each input with their types; None: not all are known."""
    result = []
    for rows in arriving:
        types = dict(rows.columns or ())
        keys = [(key, type) for key in rows.keys or () if (type := types.get(key)) is not None]
        result.append(keys if rows.keys is not None and len(keys) == len(rows.keys) else None)
    return result


def _verdict(aspect: TypeAspect, verdict: Compatibility, sentence: str) -> StateVerdict:
    kind = "key" if aspect == "key types" else "declared"
    return StateVerdict(aspect=aspect, state="", kind=kind, verdict=verdict, sentence=sentence)
