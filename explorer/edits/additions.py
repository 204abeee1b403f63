"""Additions to a program: which types fit at a place, each with the fields and streams it needs.

An addition is proposed whole: a keyed type brings its key_by, a side output its tag, a join its
second input and the columns it joins by, an iteration its body and its feedback edge. A proposal
is offered after Flink's translation of the program with it was tried.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec.structs import replace

from explorer.documents import check_pipeline
from explorer.documents.checks.columns import KNOWN, Columns, passages
from explorer.documents.checks.input_checks import emitted_tags
from explorer.documents.loading import read_values
from explorer.edits.edge_partitioners import TYPES
from explorer.edits.stream_edits import declared_before
from explorer.edits.transformations import (
    add_transformation,
    edited_record,
    find_transformation,
    new_id,
    replace_input,
    replace_transformation,
)
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.flink.kinds import KINDS, Kind
from explorer.flink.releases import LATEST, release
from explorer.model.pipeline import Pipeline, Transformation

Group = Literal["sources", "one input", "keyed", "windows", "two inputs", "exchanges", "sinks"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
"""Groups of types, in the order in which a list shows them."""
MOST_TRIED: Final = 8
"""Second inputs that are tried for a type before it counts as one that does not fit."""
COMPILED: Final = 400
"""Transformations of a program up to which each proposal is compiled; in a larger program only the
document's checks decide what is offered."""


_BODY: Final = next(kind for kind in KINDS.values() if kind.gives == "select")
"""The type of an iteration's body."""
_FEEDBACK: Final = next(kind for kind in KINDS.values() if "iteration" in kind.fields)
"""The type that closes an iteration."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a program where a transformation can be added."""

    source: str | None = None
    """The transformation to read; None: only a source fits."""
    reader: str | None = None
    """The reader of ``source`` that reads the addition instead; None: a new branch."""


class ProposedAddition(msgspec.Struct, frozen=True, kw_only=True):
    """Transformations that are added together, in the order of their declaration."""

    transformations: tuple[Transformation, ...]
    id: str
    """The transformation that was asked for; the others serve it."""
    output: str
    """The transformation that the place's reader reads."""

    @property
    def main(self) -> Transformation:
        """The transformation that was asked for."""
        return next(part for part in self.transformations if part.id == self.id)

    @property
    def streams(self) -> tuple[str, ...]:
        """What it reads of the program, in the order of its inputs."""
        parts = {part.id: part for part in self.transformations}
        inputs = (parts.get(name) for name in self.main.inputs)
        return tuple(
            part.inputs[0] if part is not None else name
            for name, part in zip(self.main.inputs, inputs, strict=True)
        )

    @property
    def key_bys(self) -> tuple[Transformation, ...]:
        """The partitionings by key that it brings."""
        return tuple(
            part
            for part in self.transformations
            if part.id != self.id and KINDS[part.type].keyed_stream
        )


def group_of(kind: Kind) -> Group:
    """Return the group in which a list shows a type."""
    least, most = kind.inputs
    if most == 0:
        return "sources"
    if kind.sink:
        return "sinks"
    if least > 1 or most is None:
        return "two inputs"
    if kind.partitions:
        return "exchanges"
    if "window" in kind.fields or kind.at_end:
        return "windows"
    return "keyed" if kind.keyed else "one input"


def places_at(pipeline: Pipeline, id: str | None) -> tuple[Place, ...]:
    """Return the places around a transformation, the likeliest first; None: around none.

    Behind a stream: a new branch, then before each of its readers. Behind a sink nothing can be.
    """
    by_id = {transformation.id: transformation for transformation in pipeline.transformations}
    if id not in by_id:
        streams = [
            transformation.id
            for transformation in pipeline.transformations
            if not KINDS[transformation.type].ends
        ]
        read = {
            name for transformation in pipeline.transformations for name in transformation.inputs
        }
        open_ends = [name for name in streams if name not in read] or streams
        return tuple(Place(source=name) for name in open_ends[-1:]) or (Place(),)
    if KINDS[by_id[id].type].ends:
        return tuple(Place(source=name, reader=id) for name in dict.fromkeys(by_id[id].inputs))
    readers = [
        transformation.id
        for transformation in pipeline.transformations
        if id in transformation.inputs
    ]
    return (Place(source=id), *(Place(source=id, reader=reader) for reader in readers))


def offers(pipeline: Pipeline, place: Place) -> dict[str, ProposedAddition]:
    """Return by type, in the order of ``GROUPS``, what can be added at a place."""
    ordered = sorted(KINDS.values(), key=lambda kind: GROUPS.index(group_of(kind)))
    proposals = ((kind.type, propose(pipeline, place, kind.type)) for kind in ordered)
    return {type: addition for type, addition in proposals if addition is not None}


def propose(
    pipeline: Pipeline, place: Place, type: str, second: str | None = None
) -> ProposedAddition | None:
    """Return the addition of a type at a place; None where it does not fit.

    ``second``: the second input of a type that has one; None: the first one that fits.
    """
    kind = KINDS[type]
    if kind.exists is not None and not kind.exists(release(pipeline.flink or LATEST)):
        return None
    choices = [second] if second is not None else second_inputs(pipeline, place, type)
    for stream in choices[:MOST_TRIED]:
        try:
            addition = _complete(pipeline, place, kind, stream)
            if addition is not None and fits(pipeline, add(pipeline, place, addition)):
                return addition
        except ExplorerError:
            continue
    return None


def fits(pipeline: Pipeline, changed: Pipeline) -> bool:
    """Whether Flink translates the changed program, or refuses it for the reason it had before.

    Raises ``ExplorerError`` where no program could be written so.
    """
    check_pipeline(changed, pipeline)
    if len(changed.transformations) > COMPILED:
        return True
    refusal = _refusal(changed)
    return not refusal or refusal == _refusal(pipeline)


def _refusal(pipeline: Pipeline) -> str:
    """Return why a program does not compile; empty where it does."""
    try:
        compile_program(pipeline)
    except ExplorerError as error:
        return str(error)
    return ""


def add(pipeline: Pipeline, place: Place, addition: ProposedAddition) -> Pipeline:
    """Add the transformations; the place's reader reads the addition's output.

    Every other transformation reads what it read, and is declared before or after the same others
    where that is possible. Raises ``EditError``.
    """
    predecessor = _last_input(pipeline, addition) if place.reader is not None else None
    for part in addition.transformations:
        pipeline = add_transformation(pipeline, part, after=predecessor)
        predecessor = part.id if predecessor is not None else None
    if place.reader is None or place.source is None:
        return pipeline
    ordered = declared_before(pipeline, addition.output, place.reader)
    reader = find_transformation(ordered, place.reader)
    return replace_transformation(ordered, replace_input(reader, place.source, addition.output))


def _last_input(pipeline: Pipeline, addition: ProposedAddition) -> str:
    read = {id for part in addition.transformations for id in part.inputs}
    return next(
        transformation.id
        for transformation in reversed(pipeline.transformations)
        if transformation.id in read
    )


def second_inputs(pipeline: Pipeline, place: Place, type: str) -> list[str | None]:
    """Return what a type can read in addition to the place's stream, the likeliest first.

    Streams that nothing reads come before others, operators before what has none, and the place's
    own stream last. A type with one input has no other: the only choice is None.
    """
    least, most = KINDS[type].inputs
    if most is not None and most < 2:  # noqa: PLR2004 - a type with two inputs
        return [None]
    read = {id for transformation in pipeline.transformations for id in transformation.inputs}
    streams = [
        transformation
        for transformation in reversed(pipeline.transformations)
        if not KINDS[transformation.type].ends
    ]
    streams_apart = sorted(
        (transformation for transformation in streams if transformation.id != place.source),
        key=lambda transformation: (transformation.id in read, not KINDS[transformation.type].node),
    )
    alone: list[str | None] = [] if least > 1 else [None]
    return [*alone, *(transformation.id for transformation in streams_apart), place.source]


def _complete(
    pipeline: Pipeline, place: Place, kind: Kind, second: str | None
) -> ProposedAddition | None:
    """Return a proposal that is not tried yet; None where the place has not what it needs."""
    if kind.inputs[1] == 0:
        return _with_fields(pipeline, kind, ()) if place.reader is None else None
    if place.source is None or KINDS[find_transformation(pipeline, place.source).type].ends:
        return None
    streams = [place.source, *([second] if second is not None else [])]
    brought: list[Transformation] = []
    ids = {transformation.id for transformation in pipeline.transformations}
    keys = _keys(pipeline, streams) if kind.keyed else ()
    for position, stream in enumerate(streams):
        if kind.keyed and not KINDS[find_transformation(pipeline, stream).type].keyed_stream:
            key_by = Transformation(
                id=new_id(ids, f"by-{stream}"),
                type=TYPES["HASH"],
                inputs=(stream,),
                keys=keys[position],
            )
            ids.add(key_by.id)
            brought.append(key_by)
            streams[position] = key_by.id
    if kind.iterates:
        return _loop(pipeline, kind, streams)
    addition = _with_fields(pipeline, kind, tuple(streams))
    if addition is None:
        return None
    whole = (*brought, *addition.transformations)
    # A side branch: what a reader read goes on as it was.
    return replace(addition, transformations=whole)


def _with_fields(
    pipeline: Pipeline, kind: Kind, inputs: tuple[str, ...]
) -> ProposedAddition | None:
    ids = {transformation.id for transformation in pipeline.transformations}
    id = new_id(ids, kind.type)
    fields: dict[str, Any] = {"id": id, "type": kind.type, "inputs": inputs}
    for field, example in kind.needs:
        value = _required_value(pipeline, field, example, inputs)
        if value is None:
            return None
        fields[field] = value
    if "keys" in kind.fields:
        fields |= _key_fields(_keys(pipeline, inputs))
    fields |= _for_the_job(pipeline, kind, id)
    main = edited_record(fields, Transformation, f"transformation {id!r}")
    return ProposedAddition(transformations=(main,), id=id, output=id)


def _key_fields(keys: Sequence[tuple[str, ...] | None]) -> dict[str, Any]:
    """Return the fields of a type that names the keys of its inputs itself."""
    first, last = keys[0], keys[-1]
    return {"keys": first, "equal_to": last if first and last != first else None}


def _for_the_job(pipeline: Pipeline, kind: Kind, id: str) -> dict[str, Any]:
    """Return what the job's settings ask of each operator: a uid where Flink makes none."""
    asks = not pipeline.environment.auto_generate_uids and kind.node
    return {"uid": id} if asks else {}


def _required_value(pipeline: Pipeline, field: str, example: str, inputs: Sequence[str]) -> object:
    """Return the value of a field that a type needs: from upstream, else its own example."""
    if field == "iteration":
        return _iteration_above(pipeline, inputs[0])
    upstream = {part.id: part for part in pipeline.transformations}.get(inputs[0])
    if upstream is None:
        return read_values(example, "example.yaml")
    if field == "tag" and (tags := emitted_tags(upstream)):
        return tags[0]
    if field == "names" and upstream.outputs:
        return [next(iter(upstream.outputs))]
    return read_values(example, "example.yaml")


def _iteration_above(pipeline: Pipeline, id: str) -> str | None:
    """Return the nearest iterate upstream of a transformation."""
    by_id = {transformation.id: transformation for transformation in pipeline.transformations}
    waiting, visited = [id], set[str]()
    while waiting:
        current = waiting.pop(0)
        if KINDS[by_id[current].type].iterates:
            return current
        if current not in visited:
            visited.add(current)
            waiting += by_id[current].inputs
    return None


def _loop(pipeline: Pipeline, kind: Kind, inputs: Sequence[str]) -> ProposedAddition:
    """Return an iteration with a map as its body, and the body's output fed back."""
    ids = {transformation.id for transformation in pipeline.transformations}
    id = new_id(ids, kind.type)
    body, feedback = new_id(ids, f"{id}-step"), new_id(ids, f"{id}-feedback")
    step = Transformation(
        id=body, type=_BODY.type, inputs=(id,), **_for_the_job(pipeline, _BODY, body)
    )
    close = Transformation(id=feedback, type=_FEEDBACK.type, inputs=(body,), iteration=id)
    loop = Transformation(id=id, type=kind.type, inputs=tuple(inputs))
    return ProposedAddition(transformations=(loop, step, close), id=id, output=body)


def columns_at(pipeline: Pipeline, stream: str) -> Columns:
    """Return the columns of a stream as the document describes them; empty: they are unknown."""
    try:
        shapes = {
            passage.transformation.id: passage.gives
            for passage in passages(pipeline.transformations, KNOWN)
        }
    except ExplorerError:
        return ()
    rows = shapes.get(stream, ())
    return rows[0] or () if len(rows) == 1 else ()


def _keys(pipeline: Pipeline, streams: Sequence[str]) -> tuple[tuple[str, ...] | None, ...]:
    """Return the key of each stream, its first column; None, the whole row, where none is known.

    Two streams have keys of one type, since rows meet by equal keys, and of one name if they can;
    the type of a computed column is unknown, and can be any.
    """
    columns = [_key_columns(pipeline, stream) for stream in streams]
    alike = [keys for keys in product(*columns) if len({type for _, type in keys} - {None}) <= 1]
    if alike:
        names = min(([name for name, _ in keys] for keys in alike), key=lambda names: len({*names}))
        return tuple((name,) for name in names)
    return tuple((choices[0][0],) if choices else None for choices in columns)


def _key_columns(pipeline: Pipeline, stream: str) -> Columns:
    """Return the columns that can be the key of a stream; a keyed one has its key already."""
    transformation = find_transformation(pipeline, stream)
    keys = transformation.keys if KINDS[transformation.type].keyed_stream else None
    columns = columns_at(pipeline, stream)
    return tuple(column for column in columns if keys is None or column[0] in keys)
