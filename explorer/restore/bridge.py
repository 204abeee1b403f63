"""Uid hashes and uids that carry every operator's state over to the new program.

A uid hash is a second ID under which a restore looks for state. It is needed once: the next
savepoint has the state under the new ID.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

import msgspec

from explorer.comparison.baseline import Baseline, compile_baseline
from explorer.documents import Document, check_edit
from explorer.edits import new_id, set_operator_field
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.flink.kinds import KINDS
from explorer.model.operator_ids import is_unknown
from explorer.model.stream_graph import NodeId, bare_name
from explorer.restore.verdict import RestoredOperator, RestoreVerdict, restore


class Pin(msgspec.Struct, frozen=True, kw_only=True):
    """The uid and the uid hash that one operator is given."""

    operator: str
    handle: str
    """A name for its stream in a program: the transformation's id, else the operator's name."""
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
"""An operator with the uid and the uid hash that it is to be given."""


def pin_ids(restore: RestoreVerdict, document: Document) -> Bridge:
    """Give every operator with a changed ID its old ID as uid hash.

    An operator that has another one's old ID now, and no state of its own, is given a uid. An
    operator of which several may be the old one is left as it is.
    """
    moved = [
        operator
        for operator in restore.operators
        if operator.change == "moved" and not operator.rescued
    ]
    if is_sql(document):
        return Bridge(document=document, pins=(), left=(SQL_IDS,) if moved else ())
    moved_nodes = {operator.node for operator in moved}
    by_node = {
        operator.node: operator for operator in restore.operators if operator.node is not None
    }
    takers = _wrong_takers(restore)
    freed = [by_node[node] for node in takers if node in by_node and node not in moved_nodes]
    requests: list[_Wanted] = [
        (operator, uid, None) for operator, uid in _new_uids(document, freed)
    ]
    return _build(
        document, restore, requests + [(operator, None, operator.operator_id) for operator in moved]
    )


SQL_IDS: Final = (
    "SQL has no call that pins an ID. A statement has the IDs of the savepoint if it runs from the "
    "plan that its old version compiled (COMPILE PLAN, then EXECUTE PLAN, from 1.15 on), or with "
    "the options of the planner that the old version had; a query that changed gets new IDs, and "
    "its state is built anew"
)


def is_sql(document: Document) -> bool:
    """Whether the program is SQL, which has no calls of the DataStream API to change."""
    return getattr(document, "sql_plan", None) is not None


def verify(
    baseline: Baseline,
    verdict: RestoreVerdict,
    bridge: Bridge,
    configuration: Mapping[str, object] | None = None,
) -> RestoreVerdict:
    """Judge the restore of the bridged document; operators are matched as in ``before``.

    Pins change no operator, so none is matched anew. ``configuration``: options of the new cluster,
    as for ``verdict``. Raises ``ExplorerError`` where Flink refuses the bridged program.
    """
    new = compile_program(bridge.document, verdict.flink_version)
    old = compile_baseline(baseline, verdict.flink_version)
    return restore(
        old,
        bridge.document,
        new,
        verdict.allow_non_restored,
        configuration=configuration,
        matched=verdict.matches,
    )


def give_uids(restore: RestoreVerdict, document: Document) -> Bridge:
    """Give every operator that has or may have state a uid, and its old ID as uid hash.

    Those of the new program alone need no old one. A uid is the transformation's id, or the name.
    """
    if is_sql(document):
        return Bridge(document=document, pins=(), left=(SQL_IDS,))
    wrong_takers = _wrong_takers(restore)
    without_uid = [
        operator
        for operator in restore.operators
        if operator.node is not None
        and not is_unknown(operator.operator_id)
        and (operator.state != "none" or operator.node in wrong_takers)
    ]
    # Where it has its old ID as uid hash already, its state is found.
    requests: list[_Wanted] = [
        (operator, uid, None if operator.uid_hash == operator.operator_id else operator.operator_id)
        for operator, uid in _new_uids(document, without_uid)
    ]
    return _build(document, restore, requests)


def _wrong_takers(restore: RestoreVerdict) -> dict[NodeId, None]:
    """Return the new operators that Flink gives another operator's state, each once."""
    takers = (operator.wrong_taker for operator in restore.operators if operator.node is not None)
    return dict.fromkeys(taker for taker in takers if taker is not None)


def _new_uids(
    document: Document, operators: Iterable[RestoredOperator]
) -> Iterator[tuple[RestoredOperator, str]]:
    uids: dict[str | NodeId | None, str | None] = {}
    if document.pipeline is not None:
        uids |= {operator.id: operator.uid for operator in document.pipeline.transformations}
    elif document.operators is not None:
        uids |= {node.id: node.uid for node in document.operators.stream_graph.nodes}
    used_uids = {uid for uid in uids.values() if uid is not None}
    for operator in operators:
        handle = operator.node if document.pipeline is None else operator.transformation
        if uids.get(handle) is None:
            uid = new_id(used_uids, _handle(operator))
            used_uids.add(uid)
            yield operator, uid


def pins_of(restore: RestoreVerdict) -> tuple[Pin, ...]:
    """Return the pins of every operator with a changed ID, whether the program has them or not."""
    moved = [
        operator
        for operator in restore.operators
        if operator.change == "moved" and operator.taken_by is None
    ]
    return tuple(
        Pin(
            operator=operator.name,
            handle=_handle(operator),
            uid=None,
            uid_hash=operator.operator_id,
        )
        for operator in moved
    )


def _build(document: Document, restore: RestoreVerdict, requests: list[_Wanted]) -> Bridge:
    pins, left, pinned = [], list(_describe_unmatched(restore)), document
    freed = {operator.node for operator, _, _ in requests}
    inner_nodes = _inner_nodes(restore)
    for operator, uid, uid_hash in requests:
        if operator.node in inner_nodes and operator.state == "none":
            continue
        why = _refusal(document, operator, freed) or inner_nodes.get(operator.node, "")
        if why:
            left.append(why)
            continue
        changed = pinned
        try:
            for field, value in (("uid", uid), ("uid_hash", uid_hash)):
                if value is not None and operator.node is not None:
                    place = operator.node, operator.transformation
                    changed = set_operator_field(changed, *place, field, value)
            check_edit(changed, pinned)
        except ExplorerError as error:
            left.append(f"{operator.name!r} is left as it is: {error}")
            continue
        pinned = changed
        pins.append(
            Pin(operator=operator.name, handle=_handle(operator), uid=uid, uid_hash=uid_hash)
        )
    return Bridge(document=pinned, pins=tuple(pins), left=tuple(left))


def _inner_nodes(restore: RestoreVerdict) -> dict[NodeId | None, str]:
    """Map operators that no call of a program reaches to the reason why they are left as they are.

    A call on a stream of several operators, as ``coGroup`` makes them, sets the ID of the last one:
    with the uid hash of another operator it would ask for that one's state instead of its own.
    """
    by_transformation: dict[str, list[RestoredOperator]] = {}
    for operator in restore.operators:
        if operator.node is not None and operator.transformation is not None:
            by_transformation.setdefault(operator.transformation, []).append(operator)
    reasons: dict[NodeId | None, str] = {}
    for operators in by_transformation.values():
        last = max(operators, key=lambda candidate: candidate.node or 0)
        for operator in operators:
            if operator is not last:
                reason = f"a call sets the ID of {last.name!r} alone"
                reasons[operator.node] = f"{operator.name!r} is left as it is: {reason}"
    return reasons


_CUSTOM: Final = (
    "sinkTo takes no uid hash; in Java write sinkTo(sink, CustomSinkOperatorUidHashes.builder()"
    '.{part}("{id}").build())'
)


def _refusal(
    document: Document, operator: RestoredOperator, freed: Collection[NodeId | None]
) -> str:
    """Return why an operator cannot be given its old ID, or an empty text.

    ``freed``: the operators that are given a uid or another old ID.
    """
    if operator.taken_by is not None and operator.wrong_taker not in freed:
        return (
            f"{operator.name!r} is left as it is: its old ID is {operator.taken_by!r}'s now; give "
            "that one a uid first"
        )
    pipeline = document.pipeline
    if pipeline is None or operator.transformation is None:
        return ""
    kind = KINDS[pipeline.transformation(operator.transformation).type]
    if kind.uid_hash or operator.operator_id is None:
        return ""
    part = "setCommitterUidHash" if operator.name.endswith("Committer") else "setWriterUidHash"
    return (
        f"{operator.name!r} is left as it is: {_CUSTOM.format(part=part, id=operator.operator_id)}"
    )


def _describe_unmatched(restore: RestoreVerdict) -> Iterator[str]:
    """Describe state that has several matches or that another operator restores."""
    for operator in restore.operators:
        if operator.state != "none" and operator.match == "ambiguous":
            yield (
                f"{operator.name!r} ({operator.operator_id}) is left as it is: "
                f"{operator.sentence}; choose with --match {operator.operator_id}=NEW"
            )
        elif operator.outcome == "unknown" and not operator.has_open_key_groups:
            yield f"{operator.name!r} is left as it is: {operator.sentence}"
        elif operator.taken_by is not None and operator.node is None and operator.state == "known":
            id = operator.operator_id
            yield f"{operator.name!r} ({id}) is in no operator: {operator.sentence}"


def _handle(operator: RestoredOperator) -> str:
    return operator.transformation or bare_name(operator.name)
