"""Which uid hashes and uids carry every operator's state over to the new program?

A uid hash is a second ID under which a restore looks for state. It is needed once: the next
savepoint keeps the state under the new ID.
"""

from typing import Final

import msgspec

from explorer.analysis.restore import Restore, RestoredOperator
from explorer.documents import Document, check_document
from explorer.edits import new_id, set_operator_field
from explorer.errors import ExplorerError
from explorer.flink.kinds import KINDS
from explorer.model.stream_graph import NodeId, bare_name


class Pin(msgspec.Struct, frozen=True, kw_only=True):
    """What one operator is given."""

    operator: str
    """Its name."""
    handle: str
    """What a program may call its stream: the transformation's id, else the name."""
    uid: str | None
    uid_hash: str | None

    @property
    def java(self) -> str:
        """The line for a Java program, behind the operator's call."""
        return self._line("uid", "setUidHash", "//")

    @property
    def python(self) -> str:
        """The line for a PyFlink program."""
        return self._line("uid", "set_uid_hash", "#")

    def _line(self, uid: str, uid_hash: str, comment: str) -> str:
        calls = ((uid, self.uid), (uid_hash, self.uid_hash))
        said = "".join(f".{call}({_literal(value)})" for call, value in calls if value is not None)
        return f"{said}  {comment} {self.operator}"


class Bridge(msgspec.Struct, frozen=True, kw_only=True):
    """The document with what was given, and what could not be."""

    document: Document
    pins: tuple[Pin, ...]
    left: tuple[str, ...]
    """For each operator that cannot be given its old ID, a sentence that says why."""


def pin_moved(restore: Restore, document: Document) -> Bridge:
    """Give every operator whose ID moved its old one as uid hash."""
    wanted = [one for one in restore.operators if one.change == "moved" and not one.rescued]
    return _built(document, [(one, None, one.operator_id) for one in wanted])


def give_uids(restore: Restore, document: Document) -> Bridge:
    """Give every operator that keeps state, or may, a uid, and its old ID as uid hash.

    Those of the new program alone need no old one. A uid is the transformation's id, or the name.
    """
    uids = _uids(document)
    taken = {uid for uid in uids.values() if uid is not None}
    wanted: list[tuple[RestoredOperator, str | None, str | None]] = []
    for one in restore.operators:
        origin = one.node if document.pipeline is None else one.transformation
        if one.node is None or one.state == "none" or uids.get(origin) is not None:
            continue
        uid = new_id(taken, _handle(one))
        taken.add(uid)
        # Where it has its old ID as uid hash already, its state is found.
        wanted.append((one, uid, None if one.uid_hash == one.operator_id else one.operator_id))
    return _built(document, wanted)


def pins_of(restore: Restore) -> tuple[Pin, ...]:
    """The pins of every operator whose ID moved: those that it has, and those that it lacks."""
    moved = [one for one in restore.operators if one.change == "moved" and one.taken_by is None]
    return tuple(
        Pin(operator=one.name, handle=_handle(one), uid=None, uid_hash=one.operator_id)
        for one in moved
    )


def _built(
    document: Document, wanted: list[tuple[RestoredOperator, str | None, str | None]]
) -> Bridge:
    pins, left, given = [], [], document
    for one, uid, uid_hash in wanted:
        why = _refusal(document, one)
        if why:
            left.append(why)
            continue
        changed = _set(given, one, uid, uid_hash)
        if isinstance(changed, str):
            left.append(f"{one.name!r} is left as it is: {changed}")
            continue
        given = changed
        pins.append(Pin(operator=one.name, handle=_handle(one), uid=uid, uid_hash=uid_hash))
    return Bridge(document=given, pins=tuple(pins), left=tuple(left))


def _set(
    document: Document, one: RestoredOperator, uid: str | None, uid_hash: str | None
) -> Document | str:
    """The changed document, or the sentence that says why it cannot be."""
    if one.node is None:
        return "the program has it no more"
    changed = document
    try:
        for field, value in (("uid", uid), ("uid_hash", uid_hash)):
            if value is not None:
                changed = set_operator_field(changed, one.node, one.transformation, field, value)
        check_document(changed, document)
    except ExplorerError as error:
        return str(error)
    return changed


_CUSTOM: Final = (
    "sinkTo takes no uid hash; in Java write sinkTo(sink, CustomSinkOperatorUidHashes.builder()"
    '.{part}("{id}").build())'
)


def _refusal(document: Document, one: RestoredOperator) -> str:
    """Why an operator cannot be given its old ID; empty where it can."""
    if one.taken_by is not None:
        return (
            f"{one.name!r} is left as it is: its old ID is {one.taken_by!r}'s now; give that one a "
            "uid first"
        )
    pipeline = document.pipeline
    if pipeline is None or one.transformation is None:
        return ""
    kind = KINDS[pipeline.transformation(one.transformation).type]
    if kind.uid_hash or one.operator_id is None:
        return ""
    part = "setCommitterUidHash" if one.name.endswith("Committer") else "setWriterUidHash"
    return f"{one.name!r} is left as it is: {_CUSTOM.format(part=part, id=one.operator_id)}"


def _uids(document: Document) -> dict[str | NodeId | None, str | None]:
    """By transformation, or by node where none is known, the uid that the document gives it."""
    if document.pipeline is not None:
        return {one.id: one.uid for one in document.pipeline.transformations}
    operators = document.operators
    return {node.id: node.uid for node in operators.stream_graph.nodes} if operators else {}


def _handle(one: RestoredOperator) -> str:
    return one.transformation or bare_name(one.name)


def _literal(text: str) -> str:
    """A text as Java and Python both write it."""
    return msgspec.json.encode(text).decode()
