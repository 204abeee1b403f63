"""Uid hashes and uids that carry every operator's state over to the new program.

A uid hash is a second ID under which a restore looks for state. It is needed once: the next
savepoint has the state under the new ID.
"""

from collections.abc import Collection, Iterator
from typing import Final, TypeAlias

import msgspec

from explorer.analysis.baseline import Baseline, compile_baseline
from explorer.analysis.restore import Restore, RestoredOperator, restore
from explorer.documents import Document, check_document
from explorer.edits import new_id, set_operator_field
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.flink.kinds import KINDS
from explorer.model.operator_ids import is_unknown
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
        return self._line("setUidHash", "//")

    @property
    def python(self) -> str:
        """The line for a PyFlink program."""
        return self._line("set_uid_hash", "#")

    def _line(self, uid_hash: str, comment: str) -> str:
        calls = (("uid", self.uid), (uid_hash, self.uid_hash))
        wording = "".join(
            f".{call}({msgspec.json.encode(value).decode()})"
            for call, value in calls
            if value is not None
        )
        return f"{wording}  {comment} {self.operator}"


class Bridge(msgspec.Struct, frozen=True, kw_only=True):
    """The document with its pins, and the operators that could not be given one."""

    document: Document
    pins: tuple[Pin, ...]
    left: tuple[str, ...]
    """For each operator that is not given its old ID, the reason in a sentence."""


_Wanted: TypeAlias = tuple[RestoredOperator, str | None, str | None]
"""An operator, and the uid and the uid hash that it is to be given."""


def pin_ids(restore: Restore, document: Document) -> Bridge:
    """Give every operator with a changed ID its old ID as uid hash.

    An operator that has another one's old ID now, and no state of its own, is given a uid. An
    operator of which several may be the old one is left as it is.
    """
    moved = [one for one in restore.operators if one.change == "moved" and not one.rescued]
    wanted: list[_Wanted] = [(one, None, one.operator_id) for one in moved]
    return _built(document, restore, [*_freeing(restore, document, wanted), *wanted])


def verify(baseline: Baseline, before: Restore, bridge: Bridge) -> Restore:
    """The restore verdict on the bridged document; operators are matched as in ``before``.

    Pins change no operator, so none is matched anew. Raises ``ExplorerError`` where Flink refuses
    the bridged program.
    """
    new = compile_program(bridge.document, before.flink)
    old = compile_baseline(baseline, before.flink)
    return restore(old, bridge.document, new, before.allow_non_restored, matches=before.matches)


def _freeing(restore: Restore, document: Document, wanted: list[_Wanted]) -> list[_Wanted]:
    """Uids for operators that have another one's old ID and are given no old ID themselves."""
    by_node = {one.node: one for one in restore.operators if one.node is not None}
    given = {one.node for one, _, _ in wanted}
    uids = _uids(document)
    used = {uid for uid in uids.values() if uid is not None}
    found: list[_Wanted] = []
    for node in dict.fromkeys(one.wrong_taker for one in restore.operators if one.node is not None):
        one = by_node.get(node) if node is not None else None
        if one is None or node in given or uids.get(_origin(document, one)) is not None:
            continue
        uid = new_id(used, _handle(one))
        used.add(uid)
        found.append((one, uid, None))
    return found


def give_uids(restore: Restore, document: Document) -> Bridge:
    """Give every operator that has or may have state a uid, and its old ID as uid hash.

    Those of the new program alone need no old one. A uid is the transformation's id, or the name.
    """
    uids = _uids(document)
    used = {uid for uid in uids.values() if uid is not None}
    wanted: list[_Wanted] = []
    squatting = {one.wrong_taker for one in restore.operators if one.node is not None}
    for one in restore.operators:
        unneeded = one.state == "none" and one.node not in squatting
        if is_unknown(one.operator_id):
            continue
        if one.node is None or unneeded or uids.get(_origin(document, one)) is not None:
            continue
        uid = new_id(used, _handle(one))
        used.add(uid)
        # Where it has its old ID as uid hash already, its state is found.
        wanted.append((one, uid, None if one.uid_hash == one.operator_id else one.operator_id))
    return _built(document, restore, wanted)


def pins_of(restore: Restore) -> tuple[Pin, ...]:
    """The pins of every operator with a changed ID: those that it has, and those that it lacks."""
    moved = [one for one in restore.operators if one.change == "moved" and one.taken_by is None]
    return tuple(
        Pin(operator=one.name, handle=_handle(one), uid=None, uid_hash=one.operator_id)
        for one in moved
    )


def _built(document: Document, restore: Restore, wanted: list[_Wanted]) -> Bridge:
    pins, left, given = [], list(_unmatched(restore)), document
    freed = {one.node for one, _, _ in wanted}
    for one, uid, uid_hash in wanted:
        why = _refusal(document, one, freed)
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
    """The changed document, or the reason why there is none."""
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


def _refusal(document: Document, one: RestoredOperator, freed: Collection[NodeId | None]) -> str:
    """Why an operator cannot be given its old ID; empty where it can.

    ``freed``: the operators that are given a uid or another old ID.
    """
    if one.taken_by is not None and one.wrong_taker not in freed:
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


def _unmatched(restore: Restore) -> Iterator[str]:
    """A sentence for state that has several matches or that another operator restores."""
    for one in restore.operators:
        if one.state != "none" and one.match == "ambiguous":
            yield (
                f"{one.name!r} ({one.operator_id}) is left as it is: {one.sentence}; choose with "
                f"--match {one.operator_id}=NEW"
            )
        elif one.outcome == "unknown":
            yield f"{one.name!r} is left as it is: {one.sentence}"
        elif one.taken_by is not None and one.node is None and one.state == "known":
            yield f"{one.name!r} ({one.operator_id}) is in no operator: {one.sentence}"


def _origin(document: Document, one: RestoredOperator) -> str | NodeId | None:
    """The key of an operator in ``_uids``."""
    return one.node if document.pipeline is None else one.transformation


def _uids(document: Document) -> dict[str | NodeId | None, str | None]:
    """By transformation, or by node where none is known, the uid that the document gives it."""
    if document.pipeline is not None:
        return {one.id: one.uid for one in document.pipeline.transformations}
    operators = document.operators
    return {node.id: node.uid for node in operators.stream_graph.nodes} if operators else {}


def _handle(one: RestoredOperator) -> str:
    return one.transformation or bare_name(one.name)
