"""Changes that give operators uids, and a uid hash with which a savepoint finds their state."""

from collections.abc import Iterable, Iterator

from explorer.checks.check_case import CheckCase
from explorer.edits import new_id
from explorer.flink.kinds import KINDS
from explorer.model.changes import Proposal, SetField, Together, to_set
from explorer.model.pipeline import Transformation
from explorer.model.stream_graph import NodeId, StreamNode


def uid_proposals(case: CheckCase, node: StreamNode) -> tuple[Proposal, ...]:
    """Propose a uid, preferably with a uid hash by which a savepoint finds the operator."""
    transformation = case.declared(node)
    if transformation is None or transformation.uid is not None:
        return ()
    id = transformation.id
    uid = new_id(case.uids, id)
    alone = to_set(id, "uid", uid, f"Give {id} the uid {uid}")
    pinned = _uid_hash(case, transformation, node.id)
    if pinned is None:
        return (alone,)
    uid_change = SetField(id=id, field="uid", value=uid)
    label = f"Give {id} the uid {uid}, and its {_id_name(case)} as uid hash"
    return Proposal(label=label, change=Together(changes=(uid_change, pinned))), alone


def all_pinned(case: CheckCase) -> tuple[Proposal, ...]:
    """One change for all stateful operators, since a single uid changes downstream IDs."""
    nodes = case.first_nodes(case.holding("known"))
    declared = {
        transformation.id: (transformation, node.id)
        for node in nodes
        if (transformation := case.declared(node))
    }
    without = {id: pair for id, pair in declared.items() if pair[0].uid is None}
    if len(without) <= 1:  # Of one alone there is a change already.
        return ()
    changes: list[SetField] = []
    for fresh_uid in fresh_uids(case, without):
        changes.append(fresh_uid)
        pinned = _uid_hash(case, *without[fresh_uid.id])
        if pinned is not None:
            changes.append(pinned)
    all_ids = f"all {len(without):,} stateful operators uids, and their {_id_name(case)}s"
    change = Together(changes=tuple(changes))
    return (Proposal(label=f"Give {all_ids} as uid hashes", change=change),)


def _uid_hash(case: CheckCase, transformation: Transformation, node: NodeId) -> SetField | None:
    """Pin the ID under which the state is saved; None: no pin is needed or possible."""
    saved = case.saved_ids.get(node)
    is_settled = transformation.uid_hash is not None or not KINDS[transformation.type].uid_hash
    if saved is None or is_settled:
        return None
    return SetField(id=transformation.id, field="uid_hash", value=saved)


def _id_name(case: CheckCase) -> str:
    return "current ID" if case.verdict is None else "ID in the baseline"


def fresh_uids(case: CheckCase, ids: Iterable[str]) -> Iterator[SetField]:
    """Give each of these transformations a uid that no other has."""
    used_uids = set(case.uids)
    for id in ids:
        uid = new_id(used_uids, id)
        used_uids.add(uid)
        yield SetField(id=id, field="uid", value=uid)
