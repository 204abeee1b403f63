"""Which changes give operators uids, so that an old savepoint still finds them?"""

from collections.abc import Iterable, Iterator

from explorer.analysis.checks.case import Case
from explorer.edits import new_id
from explorer.flink.kinds import KINDS
from explorer.model.changes import Proposal, SetField, Together, to_set
from explorer.model.stream_graph import StreamNode


def uid_proposals(case: Case, node: StreamNode) -> tuple[Proposal, ...]:
    """A uid of its own; first one that lets an old savepoint find the operator by its ID of now."""
    transformation = case.declared(node)
    if transformation is None or transformation.uid is not None:
        return ()
    id = transformation.id
    uid = new_id(case.uids, id)
    alone = to_set(id, "uid", uid, f"Give {id} the uid {uid}")
    if transformation.uid_hash is not None or not KINDS[transformation.type].uid_hash:
        return (alone,)
    own = SetField(id=id, field="uid", value=uid)
    hash = SetField(id=id, field="uid_hash", value=case.compiled.hashes[node.id])
    label = f"Give {id} the uid {uid}, and its ID of now as uid hash"
    return Proposal(label=label, change=Together(changes=(own, hash))), alone


def all_pinned(case: Case) -> tuple[Proposal, ...]:
    """One change for all stateful operators: a uid alone moves the IDs of those behind it."""
    nodes = case.first_nodes(case.holding("known"))
    declared = {one.id: (one, node.id) for node in nodes if (one := case.declared(node))}
    without = {id: each for id, each in declared.items() if each[0].uid is None}
    if len(without) <= 1:  # Of one alone there is a change already.
        return ()
    changes: list[SetField] = []
    for own in fresh_uids(case, without):
        changes.append(own)
        one, node = without[own.id]
        if one.uid_hash is None and KINDS[one.type].uid_hash:
            hash = case.compiled.hashes[node]
            changes.append(SetField(id=own.id, field="uid_hash", value=hash))
    label = f"Give all {len(without):,} stateful operators uids, and their IDs of now as uid hashes"
    return (Proposal(label=label, change=Together(changes=tuple(changes))),)


def fresh_uids(case: Case, ids: Iterable[str]) -> Iterator[SetField]:
    """For each of these transformations a uid that no other has."""
    taken = set(case.uids)
    for id in ids:
        uid = new_id(taken, id)
        taken.add(uid)
        yield SetField(id=id, field="uid", value=uid)
