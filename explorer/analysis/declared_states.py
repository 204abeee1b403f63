"""Verdicts on states with types that two pipeline documents declare themselves.

A document that states what an operator computes (``aggregate``, ``state``, ``rows`` ...) has no
user code there: its state follows from that work and from the columns that reach it. Equal work on
equal columns has the same state type; for all else the documents cannot predict Flink's answer.
"""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from explorer.analysis.state_cases import StateCase, StateVerdicts
from explorer.documents.columns import KNOWN, Columns, InputRows, UnlikeStreamsError, passages
from explorer.flink.compiler import Compilation
from explorer.flink.kinds import KINDS
from explorer.model.coverage import StateVerdict, TypeAspect
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
_SHAPING: Final = (*_STATEFUL, "type", "window", "keys", "equal_to")
"""The fields that decide on the type of an operator's state."""


_Side: TypeAlias = Mapping[str, tuple[InputRows, ...]]
"""By transformation of a document, the rows that reach it."""
_ASPECTS: Final[tuple[TypeAspect, ...]] = ("key types", "state types")


def declares_work(one: Transformation) -> bool:
    """Whether the document states all that the operator computes, so that no user code runs."""
    return any(getattr(one, field) is not None for field in (*_STATEFUL, *_STATELESS))


def judge_documents(case: StateCase) -> StateVerdicts:
    """Verdicts on operators of which both documents declare the work; others are left out.

    A savepoint holds more than a document: it gets no verdicts here.
    """
    program = case.old.program
    if case.old.real or program is None:
        return {}
    old, new = _side(program), _side(case.new)
    if old is None or new is None:
        return {}
    nodes = case.old.nodes
    found: dict[str, tuple[StateVerdict, ...]] = {}
    for id, taker in case.takers.items():
        were, are = _declared(program, nodes[id]), _declared(case.new, taker)
        if were is not None and are is not None:
            found[id] = tuple(_verdicts(old, were, new, are))
    return found


def _declared(done: Compilation, node: NodeId) -> Transformation | None:
    """The transformation of an operator, where the document declares its work."""
    origin = done.stream_graph.by_id[node].transformation
    if done.pipeline is None or origin is None:
        return None
    found = done.pipeline.transformation(origin)
    return found if declares_work(found) else None


def _side(done: Compilation) -> _Side | None:
    """By transformation the rows that reach it; None: the program is no pipeline document."""
    if done.pipeline is None:
        return None
    try:
        return {
            one.transformation.id: one.arriving
            for one in passages(done.pipeline.transformations, KNOWN)
        }
    except UnlikeStreamsError:
        return None


def _verdicts(
    old: _Side, were: Transformation, new: _Side, are: Transformation
) -> Iterator[StateVerdict]:
    """The verdict on the key, where it has one, and the one on its state."""
    before, after = old[were.id], new[are.id]
    keyed = any(rows.keys is not None for rows in (*before, *after)) or are.keys is not None
    if not (_is_stateful(were) or _is_stateful(are)):
        for aspect in _ASPECTS:
            yield _same(aspect, "the documents declare a function without state")
        return
    if keyed:
        yield _key(_keys(before), _keys(after))
    else:
        yield _same("key types", "no keyed stream reaches it")
    shapes = [
        [getattr(one, field) for field in _SHAPING] + [rows.columns for rows in arriving]
        for one, arriving in ((were, before), (are, after))
    ]
    if not all(_known(rows.columns) for rows in (*before, *after)):
        yield _unknown("state types", "a document does not state the columns that reach it")
    elif shapes[0] == shapes[1]:
        yield _same("state types", "both documents declare the same work on the same columns")
    else:
        yield _unknown("state types", "the documents declare other work, or other columns reach it")


def _is_stateful(one: Transformation) -> bool:
    """Whether its declared work, or the partition window of a key, is stateful."""
    kind = KINDS[one.type]
    declared = any(getattr(one, field) is not None for field in _STATEFUL)
    return declared or (kind.at_end and kind.keyed)


_Keys: TypeAlias = tuple[tuple[tuple[str, ColumnType | None], ...] | None, ...]
"""By input, the key columns with their types; None: unknown."""


def _keys(arriving: tuple[InputRows, ...]) -> _Keys:
    found = []
    for rows in arriving:
        types = dict(rows.columns or ())
        reported = rows.keys is not None and all(types.get(key) is not None for key in rows.keys)
        found.append(tuple((key, types[key]) for key in rows.keys or ()) if reported else None)
    return tuple(found)


def _key(before: _Keys, after: _Keys) -> StateVerdict:
    if None in before or None in after:
        return _unknown("key types", "a document does not state the types of the key columns")
    if before == after:
        return _same("key types", "both documents declare the same key columns")
    return _unknown("key types", "the documents declare other key columns")


def _known(columns: Columns | None) -> bool:
    return columns is not None and all(type is not None for _, type in columns)


def _same(aspect: TypeAspect, sentence: str) -> StateVerdict:
    return StateVerdict(
        aspect=aspect, state="", kind=_KINDS[aspect], verdict="compatible", sentence=sentence
    )


def _unknown(aspect: TypeAspect, sentence: str) -> StateVerdict:
    return StateVerdict(
        aspect=aspect, state="", kind=_KINDS[aspect], verdict="unknown", sentence=sentence
    )


_KINDS: Final[Mapping[TypeAspect, str]] = {"key types": "key", "state types": "declared"}
