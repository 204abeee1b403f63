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


def _together(case: CheckCase, one: StreamNode, other: StreamNode) -> bool:
    vertex_of = case.compiled.job_graph.vertex_of
    return vertex_of[one.id] == vertex_of[other.id]


def _pairs(
    case: CheckCase, field: str, *, together: bool
) -> Iterator[tuple[str, tuple[StreamNode, StreamNode]]]:
    """The pairs that an expectation names and that do, or do not, share a task."""
    for position, pair in enumerate(getattr(case.document.expect, field)):
        one, other = map(case.operator, pair)
        if one is not None and other is not None and _together(case, one, other) == together:
            yield f"expect.{field}[{position}]", (one, other)


def _not_chained(case: CheckCase) -> Iterator[Found]:
    for path, (one, other) in _pairs(case, "chained", together=False):
        edge = _edge(case, one, other)
        rules = () if edge is None else failed(case.compiled.verdicts[edge])
        fail = "fails" if len(rules) == 1 else "fail"
        why = f": {listed(quoted(rule.title) for rule in rules)} {fail}" if rules else ""
        message = f"{one.handle} and {other.handle} should share a task but are in two{why}."
        yield of_pair((one, other), message, path, edge, _join_proposals(case, one, other))


def _edge(case: CheckCase, one: StreamNode, other: StreamNode) -> int | None:
    """The first edge between two operators, whichever comes first."""
    ends = {one.id, other.id}
    edges = enumerate(case.compiled.stream_graph.edges)
    return next((at for at, edge in edges if {edge.source, edge.target} == ends), None)


def _join_proposals(case: CheckCase, one: StreamNode, other: StreamNode) -> tuple[Proposal, ...]:
    edge = _edge(case, one, other)
    if edge is None:
        return ()
    codes = (rule.code for rule in failed(case.compiled.verdicts[edge]))
    return chaining_fixes(case, edge, *codes)


def _not_apart(case: CheckCase) -> Iterator[Found]:
    for path, (one, other) in _pairs(case, "apart", together=True):
        message = f"{one.handle} and {other.handle} should be in two tasks but share one."
        # The one that comes later is the better place to part them.
        parting = (*case.new_chain(other), *case.new_chain(one))
        yield of_pair((one, other), message, path, _edge(case, one, other), parting)


def _number(case: CheckCase, field: str, found: int) -> Iterator[Found]:
    wanted = getattr(case.document.expect, field)
    if wanted is None or wanted == found:
        return
    change = SetExpectation(field=field, value=found)
    yield Found(
        message=f"{counted(wanted, field[:-1])} {'is' if wanted == 1 else 'are'} expected, and the "
        f"job has {found:,}.",
        path=f"expect.{field}",
        proposals=(Proposal(label=f"Expect {counted(found, field[:-1])}", change=change),),
    )


def _ids(case: CheckCase) -> Iterator[Found]:
    for name, wanted in case.document.expect.ids.items():
        node = case.operator(name)
        if node is None or wanted.lower() in _found_by(case, node):
            continue
        now = case.compiled.hashes[node.id]
        accept = SetExpectedId(name=name, value=now)
        expecting = Proposal(label=f"Expect {now[:8]}… of {name}", change=accept)
        yield of_operators(
            (node,),
            f"{name} is expected to have the ID {wanted.lower()}, and has {now}.",
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
        was, now = fact_lines(self.old)[field], fact_lines(self.new)[field]
        message = f"{self.name}: '{was}' is now '{now}'. {means}"
        path = f"operators.{step(self.name)}.{field}"
        return of_operators((self.node,), message, path, proposals, in_lock=True)


def _locked_operators(case: CheckCase) -> Iterator[_Locked]:
    before, now = case.locks
    for name, old in before.operators.items():
        if name in now.operators:
            yield _Locked(name, case.locked_nodes[name], old, now.operators[name])


def _lock_ids(case: CheckCase) -> Iterator[Found]:
    for one in _locked_operators(case):
        ids = [one.old.id] if one.old.uid_hash is None else [one.old.id, one.old.uid_hash.lower()]
        if _found_by(case, one.node).isdisjoint(ids):
            means = (
                "An existing savepoint holds its state under the old ID, and its restore is "
                "refused."
            )
            yield one.moved("id", means, _uid_hash_proposals(case, one.node, one.old.id))


def _lock_names(case: CheckCase) -> Iterator[Found]:
    for one in _locked_operators(case):
        if one.old.name != one.new.name:
            name = bare_name(one.old.name)
            back = case.to_set(one.node, "name", name, f"Name {one.node.transformation} {name}")
            means = (
                "Its metrics continue under the new name: dashboards and alerts that use "
                "the old name lose them."
            )
            yield one.moved("name", means, back)


def _lock_maxima(case: CheckCase) -> Iterator[Found]:
    """The maximum of a chain is its head's, so it is set there."""
    for one in _locked_operators(case):
        old, new = one.old, one.new
        if (old.max_parallelism, old.derived) != (new.max_parallelism, new.derived):
            vertex = case.compiled.job_graph.task_of(one.node.id)
            head = case.compiled.stream_graph.by_id[vertex.head]
            value = None if old.derived else old.max_parallelism
            what = "Leave it to Flink" if value is None else f"Set max parallelism to {value}"
            label = f"{what} at {head.transformation}"
            back = case.to_set(head, "max_parallelism", value, label)
            yield one.moved("max_parallelism", _maximum_means(old, new), back)


def _maximum_means(old: LockedOperator, new: LockedOperator) -> str:
    if old.max_parallelism == new.max_parallelism:
        how = ("derived", "set") if old.derived else ("set", "derived")
        return (
            f"It was {how[0]} and is {how[1]} now: a savepoint restores only while the "
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
    before, now = case.locks
    for name in before.operators:
        if name not in now.operators:
            yield Found(
                message=f"{name} is in the lock, and the job no longer has it: no operator "
                "restores its state.",
                about=(name,),
                path=f"operators.{step(name)}",
                in_lock=True,
            )
    for name in now.operators:
        if name not in before.operators:
            message = f"{name} is new, and the lock does not have it: it starts without state."
            yield of_operator(case, case.locked_nodes[name], message)


def _lock_chains(case: CheckCase) -> Iterator[Found]:
    """Report each locked chain if its remaining operators no longer form one task."""
    before, now = case.locks
    chains = set(now.chains)
    for position, chain in enumerate(before.chains):
        here = tuple(name for name in chain if name in now.operators)
        if chain in chains or not here:
            continue
        tasks = [one for one in now.chains if set(one) & set(here)]
        nodes = [case.locked_nodes[name] for name in here]
        text = " and ".join(f"'{chain_line(one)}'" for one in tasks[:SHOWN])
        message = (
            f"The chain '{chain_line(chain)}' is now {text}. Other edges cross tasks, and "
            "generated IDs around it change."
        )
        back = [
            proposal
            for one in nodes
            for other in nodes
            if one.id < other.id and not _together(case, one, other)
            for proposal in _join_proposals(case, one, other)
        ]
        yield of_operators(nodes, message, f"chains[{position}]", back, in_lock=True)


def _lock_release(case: CheckCase) -> Iterator[Found]:
    before, now = case.locks
    if before.flink != now.flink:
        back = SetRelease(flink=before.flink)
        yield Found(
            message=f"'flink: \"{before.flink}\"' is now '\"{now.flink}\"': names, chains and "
            "generated IDs may be others for that alone.",
            path="flink",
            in_lock=True,
            proposals=(Proposal(label=f"Go back to Flink {before.flink}", change=back),),
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
