"""Operators that a join or a coGroup over windows declares before its own.

Mirrors ``CoGroupedStreams.WithWindow.apply``, which ``JoinedStreams`` calls as well: a map on each
input tags its rows, the union of both is keyed, and a window operator reads that.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Transformation

_MARK: Final = "\0"
"""Stands in a tagger's id between its call's and the input's number."""


class Tagger(Transformation, frozen=True, kw_only=True):
    """A map that the document does not name: no field of the call's reaches it."""

    of: str
    """The id of the transformation that declares it."""
    tags: int
    """The number of the input with the rows that it tags, from 1 on."""


def with_taggers(transformations: Iterable[Transformation]) -> dict[str, Transformation]:
    """By id, the transformations with the taggers that they read, each before its reader."""
    result: dict[str, Transformation] = {}
    for transformation in transformations:
        tagger = KINDS[transformation.type].tagger
        if tagger is None:
            result[transformation.id] = transformation
            continue
        taggers = [
            Tagger(
                id=f"{transformation.id}{_MARK}{at}",
                type=tagger,
                inputs=(name,),
                of=transformation.id,
                tags=at,
            )
            for at, name in enumerate(transformation.inputs, start=1)
        ]
        result |= {item.id: item for item in taggers}
        inputs = tuple(each.id for each in taggers)
        result[transformation.id] = msgspec.structs.replace(transformation, inputs=inputs)
    return result


def declared_by(transformation: Transformation) -> str:
    """The id that the document has for what declared it."""
    return transformation.of if isinstance(transformation, Tagger) else transformation.id
