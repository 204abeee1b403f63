"""Rules about intent: the document's expectations, and the content of its lock."""

from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from explorer.checks.check_case import CheckCase
from explorer.checks.exchanges import chaining_fixes
from explorer.checks.lock import LockedOperator, chain_line, fact_lines
from explorer.checks.rule import Found, error_rule, of_operator, of_operators, of_pair
from explorer.deployment.slots import slots_by_group
from explorer.flink.kinds import KINDS
from explorer.flink.rules import failed
from explorer.model.changes import Proposal, SetExpectation, SetExpectedId, SetRelease
from explorer.model.stream_graph import StreamNode, bare_name
from explorer.wording import counted, listed, quoted, step

SHOWN: Final = 8
"""Names that a message repeats."""


def _together(case: CheckCase, first: StreamNode, second: StreamNode) -> bool:
    vertex_of = case.compiled.job_graph.vertex_of
    return vertex_of[first.id] == vertex_of[second.id]


def _pairs(
    case: CheckCase, field: str, *, together: bool
) -> Iterator[tuple[str, tuple[StreamNode, StreamNode]]]:
    """The pairs that an expectation names and that do, or do not, share a task."""
    for position, pair in enumerate(getattr(case.document.expect, field)):
        first, second = map(case.operator, pair)
        if first is not None and second is not None and _together(case, first, second) == together:
            yield f"expect.{field}[{position}]", (first, second)


def _not_chained(case: CheckCase) -> Iterator[Found]:
    for path, (first, second) in _pairs(case, "chained", together=False):
        edge = _edge(case, first, second)
        rules = () if edge is None else failed(case.compiled.verdicts[edge])
        fail = "fails" if len(rules) == 1 else "fail"
        why = f": {listed(quoted(rule.title) for rule in rules)} {fail}" if rules else ""
        message = f"{first.handle} and {second.handle} should share a task but are in two{why}."
        yield of_pair((first, second), message, path, edge, _join_proposals(case, first, second))


def _edge(case: CheckCase, first: StreamNode, second: StreamNode) -> int | None:
    """The first edge between two operators, whichever comes first."""
    ends = {first.id, second.id}
    edges = enumerate(case.compiled.stream_graph.edges)
    return next((at for at, edge in edges if {edge.source, edge.target} == ends), None)


def _join_proposals(case: CheckCase, first: StreamNode, second: StreamNode) -> tuple[Proposal, ...]:
    edge = _edge(case, first, second)
    if edge is None:
        return ()
    codes = (rule.code for rule in failed(case.compiled.verdicts[edge]))
    return chaining_fixes(case, edge, *codes)


def _not_apart(case: CheckCase) -> Iterator[Found]:
    for path, (first, second) in _pairs(case, "apart", together=True):
        message = f"{first.handle} and {second.handle} should be in two tasks but share one."
        # The one that comes later is the better place to part them.
        parting = (*case.new_chain(second), *case.new_chain(first))
        yield of_pair((first, second), message, path, _edge(case, first, second), parting)


def _number(case: CheckCase, field: str, result: int) -> Iterator[Found]:
    wanted = getattr(case.document.expect, field)
    if wanted is None or wanted == result:
        return
    change = SetExpectation(field=field, value=result)
    yield Found(
        message=f"{counted(wanted, field[:-1])} {'is' if wanted == 1 else 'are'} expected, and the "
        f"job has {result:,}.",
        path=f"expect.{field}",
        proposals=(Proposal(label=f"Expect {counted(result, field[:-1])}", change=change),),
    )


def _ids(case: CheckCase) -> Iterator[Found]:
    for name, wanted in case.document.expect.ids.items():
        node = case.operator(name)
        if node is None or wanted.lower() in _found_by(case, node):
            continue
        hashes = case.compiled.hashes[node.id]
        accept = SetExpectedId(name=name, value=hashes)
        expecting = Proposal(label=f"Expect {hashes[:8]}… of {name}", change=accept)
        yield of_operators(
            (node,),
            f"{name} is expected to have the ID {wanted.lower()}, and has {hashes}.",
            f"expect.ids.{step(name)}",
            (*_uid_hash_proposals(case, node, wanted.lower()), expecting),
        )


def _found_by(case: CheckCase, node: StreamNode) -> set[str]:
    """The IDs under which a savepoint may hold the operator's state."""
    return {case.compiled.hashes[node.id], (node.uid_hash or "").lower()}


def _uid_hash_proposals(case: CheckCase, node: StreamNode, id: str) -> tuple[Proposal, ...]:
    declared = case.declared(node)
    if declared is None or not KINDS[declared.type].uid_hash:
        return ()
    return case.to_set(node, "uid_hash", id, f"Keep {id[:8]}… as uid hash of {declared.id}")


class _Locked(NamedTuple):
    """An operator in both the lock and the job."""

    name: str
    node: StreamNode
    old: LockedOperator
    new: LockedOperator

    def moved(self, field: str, means: str, proposals: tuple[Proposal, ...]) -> Found:
        """Build the finding of a line of the lock that no longer holds."""
        was, current = fact_lines(self.old)[field], fact_lines(self.new)[field]
        message = f"{self.name}: '{was}' is now '{current}'. {means}"
        path = f"operators.{step(self.name)}.{field}"
        return of_operators((self.node,), message, path, proposals, in_lock=True)


def _locked_operators(case: CheckCase) -> Iterator[_Locked]:
    old_lock, lock = case.locks
    for name, old in old_lock.operators.items():
        if name in lock.operators:
            yield _Locked(name, case.locked_nodes[name], old, lock.operators[name])


def _lock_ids(case: CheckCase) -> Iterator[Found]:
    for locked_operator in _locked_operators(case):
        ids = (
            [locked_operator.old.id]
            if locked_operator.old.uid_hash is None
            else [locked_operator.old.id, locked_operator.old.uid_hash.lower()]
        )
        if _found_by(case, locked_operator.node).isdisjoint(ids):
            means = (
                "An existing savepoint holds its state under the old ID, and its restore is "
                "refused."
            )
            yield locked_operator.moved(
                "id", means, _uid_hash_proposals(case, locked_operator.node, locked_operator.old.id)
            )


def _lock_names(case: CheckCase) -> Iterator[Found]:
    for locked_operator in _locked_operators(case):
        if locked_operator.old.name != locked_operator.new.name:
            name = bare_name(locked_operator.old.name)
            back = case.to_set(
                locked_operator.node,
                "name",
                name,
                f"Name {locked_operator.node.transformation} {name}",
            )
            means = (
                "Its metrics continue under the new name: dashboards and alerts that use "
                "the old name lose them."
            )
            yield locked_operator.moved("name", means, back)


def _lock_maxima(case: CheckCase) -> Iterator[Found]:
    """The maximum of a chain is its head's, so it is set there."""
    for locked_operator in _locked_operators(case):
        old, new = locked_operator.old, locked_operator.new
        if (old.max_parallelism, old.derived) != (new.max_parallelism, new.derived):
            vertex = case.compiled.job_graph.task_of(locked_operator.node.id)
            head = case.compiled.stream_graph.by_id[vertex.head]
            value = None if old.derived else old.max_parallelism
            what = "Leave it to Flink" if value is None else f"Set max parallelism to {value}"
            label = f"{what} at {head.transformation}"
            back = case.to_set(head, "max_parallelism", value, label)
            yield locked_operator.moved("max_parallelism", _maximum_means(old, new), back)


def _maximum_means(old: LockedOperator, new: LockedOperator) -> str:
    if old.max_parallelism == new.max_parallelism:
        pair = ("derived", "set") if old.derived else ("set", "derived")
        return (
            f"It was {pair[0]} and is {pair[1]} now: a savepoint restores only while the "
            "number stays the same."
        )
    if new.derived:
        return (
            "Flink derives it: a savepoint's own number wins, and is the most subtasks there are."
        )
    return (
        "Keyed state has another number of key groups, and the restore of an existing "
        "savepoint is refused."
    )


def _lock_operators(case: CheckCase) -> Iterator[Found]:
    old_lock, lock = case.locks
    for name in old_lock.operators:
        if name not in lock.operators:
            yield Found(
                message=f"{name} is in the lock, and the job no longer has it: no operator "
                "restores its state.",
                about=(name,),
                path=f"operators.{step(name)}",
                in_lock=True,
            )
    for name in lock.operators:
        if name not in old_lock.operators:
            message = f"{name} is new, and the lock does not have it: it starts without state."
            yield of_operator(case, case.locked_nodes[name], message)


def _lock_chains(case: CheckCase) -> Iterator[Found]:
    """Report each locked chain if its remaining operators no longer form one task."""
    old_lock, lock = case.locks
    chains = set(lock.chains)
    for position, chain in enumerate(old_lock.chains):
        locked = tuple(name for name in chain if name in lock.operators)
        if chain in chains or not locked:
            continue
        tasks = [item for item in lock.chains if set(item) & set(locked)]
        nodes = [case.locked_nodes[name] for name in locked]
        text = " and ".join(f"'{chain_line(task)}'" for task in tasks[:SHOWN])
        message = (
            f"The chain '{chain_line(chain)}' is now {text}. Other edges cross tasks, and "
            "generated IDs around it change."
        )
        back = [
            proposal
            for first in nodes
            for second in nodes
            if first.id < second.id and not _together(case, first, second)
            for proposal in _join_proposals(case, first, second)
        ]
        yield of_operators(nodes, message, f"chains[{position}]", back, in_lock=True)


def _lock_release(case: CheckCase) -> Iterator[Found]:
    old_lock, lock = case.locks
    if old_lock.flink != lock.flink:
        back = SetRelease(flink=old_lock.flink)
        yield Found(
            message=f"'flink: \"{old_lock.flink}\"' is now '\"{lock.flink}\"': names, chains and "
            "generated IDs may be others for that alone.",
            path="flink",
            in_lock=True,
            proposals=(Proposal(label=f"Go back to Flink {old_lock.flink}", change=back),),
        )


_LOCK_TODO: Final = (
    "If the change is unintended, revert it. Otherwise write the lock again and commit it with "
    "the change."
)
_locked = partial(error_rule, todo=_LOCK_TODO, needs="lock")

INTENT_RULES: Final = (
    error_rule(
        code="EX01",
        title="Operators that are expected to be chained are not.",
        why="The document states that the two share a task. Between two tasks every record is "
        "serialised, and IDs are others.",
        todo="Fix the condition that fails; explain names it.",
        finds=_not_chained,
    ),
    error_rule(
        code="EX02",
        title="Operators that are expected to be apart share a task.",
        why="The document states that they run in two tasks, so that neither delays the other.",
        todo="Start a new chain between them.",
        finds=_not_apart,
    ),
    error_rule(
        code="EX03",
        title="The job has another number of tasks than expected.",
        why="A chain was split or merged.",
        todo="Look at Decisions for the edge; or expect the new number.",
        finds=lambda case: _number(case, "tasks", len(case.compiled.job_graph.vertices)),
    ),
    error_rule(
        code="EX04",
        title="The job needs another number of slots than expected.",
        why="It may need more slots than the cluster has, or leave slots idle.",
        todo="Look at parallelisms and slot sharing groups; or expect the new number.",
        finds=lambda case: _number(
            case, "slots", sum(slots_by_group(case.compiled.job_graph).values())
        ),
    ),
    error_rule(
        code="EX05",
        title="An operator has another ID than expected.",
        why="The document states under which ID a savepoint holds its state.",
        todo="Keep the old ID as uid hash; or expect the new one, where no state is to be found.",
        finds=_ids,
    ),
    _locked(
        code="LK01",
        title="A locked operator ID changed.",
        why="A savepoint knows operators by their IDs. State under the old one belongs to no "
        "operator, and Flink refuses the restore unless state may be dropped.",
        todo=f"Set the old ID as uid hash, and the state is found. {_LOCK_TODO}",
        finds=_lock_ids,
    ),
    _locked(
        code="LK02",
        title="A locked chain is split or merged.",
        why="Tasks, threads and serialised edges change, and so do generated IDs.",
        finds=_lock_chains,
    ),
    _locked(
        code="LK03",
        title="A locked operator name changed.",
        why="Metrics, and the dashboards and alerts that use them, contain the name.",
        finds=_lock_names,
    ),
    _locked(
        code="LK04",
        title="A locked maximum parallelism changed.",
        why="It is the number of key groups in a savepoint, and a restore asks for the same one "
        "where the program sets it.",
        finds=_lock_maxima,
    ),
    _locked(
        code="LK05",
        title="The lock and the job have other operators.",
        why="The state of a removed operator belongs to no operator; a new operator starts empty.",
        finds=_lock_operators,
    ),
    _locked(
        code="LK06",
        title="The lock was written for another release.",
        why="Releases differ in chaining, in names and in defaults, and with them in IDs.",
        finds=_lock_release,
    ),
)
"""Rules about the document's expectations and its lock."""
