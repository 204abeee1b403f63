"""Rules about state: uids, IDs, names and maximum parallelisms."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import (
    Found,
    note_rule,
    of_operator,
    of_operators,
    of_refusal,
    refusal_rule,
    warning_rule,
)
from explorer.checks.uids import all_pinned, fresh_uids, uid_proposals
from explorer.edits import new_id
from explorer.flink.key_groups import (
    DEFAULT_LOWER_BOUND,
    MAX_PARALLELISM,
    default_max_parallelism,
    key_group_range,
    most_subtasks,
)
from explorer.flink.kinds import KINDS
from explorer.flink.names import LONGEST_METRIC_NAME, metric_name
from explorer.flink.passes.hashing import assign_hashes
from explorer.model.changes import Proposal, SetEnvironment, SetField, SetOption, Together, to_set
from explorer.model.job_graph import JobVertex
from explorer.model.operator_ids import is_unknown
from explorer.model.stream_graph import StreamNode, bare_name
from explorer.wording import counted, first_listed, listed, quoted

SKEWED: Final = 1.5
"""Ratio of key groups of two subtasks up to which their load counts as even."""
SHOWN: Final = 8
"""Names that a message repeats."""
_MAX_OPTION: Final = "pipeline.max-parallelism"
_TOO_PARALLEL: Final = re.compile(
    r"parallelism \((\d+)\) is higher than the max parallelism \((\d+)\)"
)
_RANDOM: Final = re.compile(
    r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", re.IGNORECASE
)
_CLOCK: Final = re.compile(r"(?<!\d)1[5-9]\d{8}(?:\d{3}|\d{6}|\d{9})?(?!\d)")
"""Seconds since 1970, from 2017 to 2033, or milli-, micro- or nanoseconds."""


def _no_uid(
    case: CheckCase, nodes: Iterator[StreamNode], more: tuple[Proposal, ...] = ()
) -> Iterator[Found]:
    for node in case.first_nodes(nodes):
        if node.uid is None:
            held_state = case.held[node.id]
            verb = "has" if held_state.certainty == "known" else "may have"
            kind = "a read position" if held_state.what == "read position" else held_state.what
            message = (
                f"{node.name} {verb} {kind} and has no uid: a restore finds it by its "
                f"generated ID {case.compiled.hashes[node.id]} alone."
            )
            proposals = (*more, *uid_proposals(case, node))
            yield of_operator(case, node, message, proposals=proposals)


def _depends_on_neighbours(case: CheckCase) -> Iterator[Found]:
    compilation = case.compiled
    if not compilation.stream_graph.chaining_enabled:
        return
    alone = assign_hashes(compilation.stream_graph, [False] * len(compilation.stream_graph.edges))
    for node in case.first_nodes(case.holding("known")):
        id = compilation.hashes[node.id]
        if node.uid is None and not is_unknown(id) and alone[node.id] != id:
            message = (
                f"The ID of {node.name} changes with the chains around it: it is {id}, and "
                f"without chaining it would be {alone[node.id]}."
            )
            yield of_operator(case, node, message, proposals=uid_proposals(case, node))


def _same_uid(case: CheckCase) -> Iterator[Found]:
    first, second = case.blamed if len(case.blamed) == 2 else ("", "")  # noqa: PLR2004 - a pair
    if not second:
        yield Found(message=case.flink_message)
        return
    for id in (second, first):
        if case.by_id[id].uid is not None:
            uid = new_id(case.uids, f"{case.by_id[id].uid}-{id}")
            yield Found(
                message=f"{first} and {second} end in the same operator ID, by the uid "
                f"{quoted(case.by_id[id].uid)}: Flink refuses the job.",
                about=(first, second),
                path=case.path_of(id, "uid"),
                proposals=(to_set(id, "uid", uid, f"Give {id} the uid {uid}"),),
            )
            return


def _uid_demanded(case: CheckCase) -> Iterator[Found]:
    names = [
        transformation.id
        for transformation in case.transformations
        if KINDS[transformation.type].node
        and transformation.uid is None
        and transformation.uid_hash is None
    ]
    switch = SetEnvironment(field="auto_generate_uids", value=None)
    option = SetOption(name="pipeline.auto-generate-uids", value=None)
    yield Found(
        message=f"Without a uid are {first_listed(names, SHOWN)}, and the job asks for one "
        f"everywhere. Flink: {case.flink_message}",
        about=tuple(names),
        path=case.path_of(names[0]),
        proposals=(
            Proposal(
                label=f"Give a uid to {counted(len(names), 'operator')}",
                change=Together(changes=tuple(fresh_uids(case, names))),
            ),
            Proposal(label="Let Flink generate IDs", change=Together(changes=(switch, option))),
        ),
    )


def _random_uid(case: CheckCase) -> Iterator[Found]:
    for node in case.first_nodes(case.compiled.stream_graph.nodes):
        uid = node.uid or ""
        if _RANDOM.search(uid) or _CLOCK.search(uid):
            message = (
                f"The uid of {node.name} is {quoted(uid)}, which looks random or derived from "
                "the clock: another build would have another one."
            )
            id = node.handle
            fresh = new_id(case.uids, id)
            proposals = case.to_set(node, "uid", fresh, f"Give {id} the uid {fresh}")
            yield of_operator(case, node, message, "uid", proposals)


def _hash_alone(case: CheckCase) -> Iterator[Found]:
    for node in case.first_nodes(case.compiled.stream_graph.nodes):
        if node.uid_hash is not None and node.uid is None:
            message = (
                f"{node.name} answers to {node.uid_hash} and has no uid: its generated ID stays "
                f"{case.compiled.hashes[node.id]}, and under that the next savepoint is written."
            )
            yield of_operator(case, node, message, "uid_hash", uid_proposals(case, node))


def _same_name(case: CheckCase) -> Iterator[Found]:
    named: dict[str, list[StreamNode]] = defaultdict(list)
    for node in case.compiled.stream_graph.nodes:
        # No program can name the ends of an iteration, nor what tags the inputs of a join.
        if node.chaining_strategy is not None and not node.tags:
            named[metric_name(node.name, case.release)].append(node)
    for name, nodes in named.items():
        if len(nodes) > 1:
            called = listed([node.handle for node in nodes[:SHOWN]])
            is_cut = any(node.name != name for node in nodes)
            cut = f"after {LONGEST_METRIC_NAME} characters, where Flink cuts them, " * is_cut
            message = (
                f"{counted(len(nodes), 'operator')} are {cut}called {quoted(name)} ({called}): "
                "their metrics have one scope."
            )
            yield of_operators(nodes, message, case.path(nodes[1]), _other_names(case, nodes))


def _other_names(case: CheckCase, nodes: list[StreamNode]) -> tuple[Proposal, ...]:
    """Propose to add the ID to the name of each operator but the first."""
    declared = [case.declared(node) for node in nodes]
    ids = list(
        dict.fromkeys(
            transformation.id for transformation in declared if transformation is not None
        )
    )
    if len(ids) != len(nodes):
        return ()
    names = {item.name or "" for item in case.transformations}
    changes = []
    for node, id in list(zip(nodes, ids, strict=True))[1:]:
        bare = bare_name(node.name)
        is_long = len(node.name) + len(id) + 1 > LONGEST_METRIC_NAME
        name = new_id(names, f"{id} {bare}" if is_long else f"{bare} {id}")
        changes.append(SetField(id=id, field="name", value=name))
    label = f"Name {listed(change.id for change in changes[:SHOWN])} apart"
    return (Proposal(label=label, change=Together(changes=tuple(changes))),)


def _derived_maximum(case: CheckCase) -> Iterator[Found]:
    for vertex, head in _keyed_heads(case):
        if vertex.max_parallelism > 0 or vertex.parallelism <= 0:
            continue
        derived = default_max_parallelism(vertex.parallelism)
        ceiling = most_subtasks(derived)
        above = f"above {ceiling:,} subtasks a larger one, " if ceiling < MAX_PARALLELISM else ""
        message = (
            f"{head.name} sets no maximum parallelism: at parallelism {vertex.parallelism} Flink "
            f"derives {derived:,}, {above}and a savepoint fixes the value it was written with."
        )
        recorded = case.recorded_maxima.get(head.id)
        proposals = _number(case, head, "max_parallelism", recorded or derived)
        yield of_operator(case, head, message, proposals=proposals)


def _different_records(case: CheckCase) -> Iterator[Found]:
    """Report tasks with keyed state in which a savepoint of the baseline records several maxima."""
    by_id = case.compiled.stream_graph.by_id
    for vertex, head in _keyed_heads(case):
        if vertex.max_parallelism > 0 or vertex.parallelism <= 0 or case.verdict is None:
            continue
        derived = default_max_parallelism(vertex.parallelism)
        records = {
            chained.node: case.recorded_maxima.get(chained.node, derived)
            for chained in vertex.operators
        }
        own = case.recorded_maxima.get(head.id)
        other_node_ids = [node for node, maximum in records.items() if maximum != own]
        if own is None or not other_node_ids:
            continue
        named = listed([f"{by_id[node].name} {records[node]:,}" for node in other_node_ids[:SHOWN]])
        message = (
            f"{head.name} was saved with {own:,} key groups, and its task has other numbers: "
            f"{named}. The last one in the order of a hash map over the operator IDs counts."
        )
        yield of_operators(
            [head, *(by_id[node] for node in other_node_ids)],
            message,
            case.path(head),
            _number(case, head, "max_parallelism", own),
        )


def _keyed_heads(case: CheckCase) -> Iterator[tuple[JobVertex, StreamNode]]:
    """The job vertices with a keyed head, and that head, in the order of node IDs."""
    compilation = case.compiled
    for node in compilation.stream_graph.nodes:
        vertex = compilation.job_graph.task_of(node.id)
        if node.id in case.keyed and vertex.id == compilation.hashes[node.id]:
            yield vertex, node


def _number(case: CheckCase, node: StreamNode, field: str, value: int) -> tuple[Proposal, ...]:
    label = f"Set {field.replace('_', ' ')} of {node.transformation} to {value}"
    return case.to_set(node, field, value, label)


def _mixed_maxima(case: CheckCase) -> Iterator[Found]:
    by_id = case.compiled.stream_graph.by_id
    for vertex in case.compiled.job_graph.vertices:
        head = by_id[vertex.head]
        values = f"a derived one of {default_max_parallelism(vertex.parallelism)}"
        if head.max_parallelism > 0:
            values = f"{head.max_parallelism}"
        for node in (by_id[operator.node] for operator in vertex.operators):
            if node.max_parallelism not in {head.max_parallelism, -1}:
                yield Found(
                    message=f"{node.name} sets the maximum parallelism {node.max_parallelism}, and "
                    f"is chained to {head.name}; their task has {values}: that one counts.",
                    nodes=(node.id, head.id),
                    about=(node.handle,),
                    path=case.path(node, "max_parallelism"),
                    proposals=(
                        *_same_maximum(case, node, head),
                        *_number(case, head, "max_parallelism", node.max_parallelism),
                    ),
                )


def _same_maximum(case: CheckCase, node: StreamNode, head: StreamNode) -> tuple[Proposal, ...]:
    declared = case.declared(node)
    if head.max_parallelism > 0:
        return _number(case, node, "max_parallelism", head.max_parallelism)
    if declared is None or declared.max_parallelism is None:
        return ()
    label = f"Remove the max parallelism of {declared.id}"
    return case.to_set(node, "max_parallelism", None, label)


def _find_skewed(case: CheckCase) -> Iterator[Found]:
    for vertex, head in _keyed_heads(case):
        maximum = vertex.max_parallelism
        maximum = maximum if maximum > 0 else default_max_parallelism(max(vertex.parallelism, 1))
        if not 1 < vertex.parallelism <= maximum:
            continue
        ends = [
            key_group_range(subtask, maximum, vertex.parallelism)
            for subtask in range(vertex.parallelism)
        ]
        sizes = [last - first + 1 for first, last in ends]
        if max(sizes) >= SKEWED * min(sizes):
            message = (
                f"{maximum:,} key groups are distributed over {vertex.parallelism:,} subtasks of "
                f"{head.name}: one has {min(sizes)}, another {max(sizes)}, and that much more "
                "work."
            )
            width = vertex.parallelism
            divisor = max(number for number in range(1, width + 1) if maximum % number == 0)
            proposals = _number(case, head, "parallelism", divisor)
            wide = width * max(-(-maximum // width), -(-DEFAULT_LOWER_BOUND // width))
            if wide <= MAX_PARALLELISM:
                proposals += _number(case, head, "max_parallelism", wide)
            yield of_operator(case, head, message, proposals=proposals)


def _too_parallel(case: CheckCase) -> Iterator[Found]:
    """Report a refusal of the execution graph, which Flink makes when the job starts."""
    numbers = _TOO_PARALLEL.search(case.flink_message)
    if numbers is None:
        return
    parallelism, maximum = map(int, numbers.groups())
    environment = case.environment
    raised: list[Proposal] = []
    if _MAX_OPTION in environment.configuration:
        option = SetOption(name=_MAX_OPTION, value=parallelism)
        raised.append(Proposal(label=f"Set {_MAX_OPTION} to {parallelism}", change=option))
    if environment.parallelism == parallelism:
        fewer = SetEnvironment(field="parallelism", value=maximum)
        raised.append(Proposal(label=f"Set the job's parallelism to {maximum}", change=fewer))
    raised += (
        to_set(id, "parallelism", maximum, f"Set parallelism of {id} to {maximum}")
        for id in case.blamed
    )
    yield of_refusal(case, case.path_of(case.blamed[0]) if case.blamed else "", raised)


STATE_RULES: Final = (
    warning_rule(
        code="ST01",
        by_api=True,
        title="A stateful operator has no uid.",
        why="Without a uid Flink generates the operator's ID from its position in the graph: how "
        "many operators were hashed before it, how many of its outputs are chained, and the IDs of "
        "its inputs. An operator added before it, or another chain around it, gives it another ID, "
        "and the next restore is refused because its state belongs to no operator.",
        todo="Call uid(...) with a text that never changes. A uid gives another ID, too: where a "
        "savepoint exists already, set the current ID as uid hash in the same change, so that the "
        "savepoint still finds the operator.",
        finds=lambda case: _no_uid(case, case.holding("known"), all_pinned(case)),
        needs="program",
    ),
    note_rule(
        code="ST02",
        by_api=True,
        title="An operator that may have state has no uid.",
        why="Flink does not report which functions register state. If this one does, it is found "
        "again by the generated ID alone, as under ST01.",
        todo="Give it a uid, or silence the finding with the reason that it is stateless.",
        finds=lambda case: _no_uid(case, case.holding("possible")),
        needs="program",
    ),
    note_rule(
        code="ST03",
        by_api=True,
        title="The ID of a stateful operator depends on the chains of its neighbours.",
        why="The generated ID counts the chained outputs of an operator and mixes in the IDs of "
        "its inputs. Turning chaining off, another parallelism or another slot sharing group "
        "of an upstream operator is enough to change it, although no operator was added.",
        todo="Give the operator a uid: its ID then depends on the uid alone.",
        finds=_depends_on_neighbours,
        needs="program",
    ),
    refusal_rule(
        code="ST04",
        title="Two operators have the same uid.",
        why="The ID is a hash of the uid alone, so both would have one ID; Flink refuses the job "
        "with 'Hash collision on user-specified ID'.",
        todo="Give one of them another uid. Keep the uid of the one with the state that matters.",
        finds=_same_uid,
        refusal="Hash collision on user-specified ID",
    ),
    refusal_rule(
        code="ST05",
        title="The job demands uids, and an operator has none.",
        why="With pipeline.auto-generate-uids set to false, or disableAutoGeneratedUIDs(), Flink "
        "refuses a job in which any operator has neither a uid nor a uid hash, those included "
        "that a library adds.",
        todo="Give every operator a uid, or let Flink generate the others.",
        finds=_uid_demanded,
        refusal="Auto generated UIDs have been disabled",
    ),
    warning_rule(
        code="ST06",
        title="A uid looks random or derived from the clock.",
        why="A uid identifies an operator across deployments. A uid that differs with each "
        "build gives another ID each time, so no savepoint restores its state.",
        todo="Write a constant text in its place.",
        finds=_random_uid,
    ),
    note_rule(
        code="ST07",
        by_api=True,
        title="An operator has a uid hash and no uid.",
        why="A uid hash is a second ID under which old state is found. The operator's own ID stays "
        "the generated one, under which the next savepoint has its state: the next edit may change "
        "that ID again.",
        todo="Set a uid in addition to the uid hash. After the next savepoint, "
        "remove the uid hash.",
        finds=_hash_alone,
        applies=lambda release: release.lists_user_hash,
    ),
    note_rule(
        code="MP01",
        title="A keyed operator leaves its maximum parallelism to Flink.",
        why="Flink derives it from the parallelism: one and a half times, up to a power of two, at "
        "least 128. It is how many key groups there are, and the most subtasks that the state can "
        "ever have. A savepoint records it; but where an operator without a record joins the chain "
        "and the parallelism changes, a restore can read the state with another number, and its "
        "keys start without state, without an error (FLINK-40113).",
        todo="Set it, for the job or for the operator: to the recorded value where a savepoint "
        "exists, else to a number with many divisors.",
        finds=_derived_maximum,
        needs="program",
    ),
    warning_rule(
        code="MP02",
        title="Operators of one chain set different maximum parallelisms.",
        why="A chain is one task, and the task takes the maximum of its head. What another "
        "operator of the chain sets is not applied until the chain is split: then its state "
        "has another number of key groups, and the savepoint does not restore.",
        todo="Set the same maximum for all of them.",
        finds=_mixed_maxima,
    ),
    warning_rule(
        code="MP03",
        title="Key groups cannot be distributed evenly.",
        why="A subtask owns a range of key groups. Where there are few of them for each subtask, "
        "one more is a lot: with 128 key groups and 100 subtasks some have two and most have one, "
        "and the job is as fast as those with two.",
        todo="Choose a parallelism that divides the maximum, or a maximum of several times the "
        "parallelism; another maximum makes old savepoints unreadable.",
        finds=_find_skewed,
    ),
    refusal_rule(
        code="MP04",
        title="An operator has more subtasks than key groups.",
        why="A subtask without a key group would have nothing to do, so Flink refuses the job when "
        "it is started.",
        todo="Raise the maximum parallelism, or lower the parallelism.",
        finds=_too_parallel,
        refusal="is higher than the max parallelism",
    ),
    warning_rule(
        code="MP05",
        title="Operators of one chain recorded different maximum parallelisms.",
        why="In a restore the record of each operator replaces a derived maximum of the task, and "
        "the last one stays. State that was written with another number of key groups is lost "
        "without an error, or a task fails (FLINK-40113). Where the last one happens to be the "
        "right one, the next change of a uid or of the parallelism can lose the state.",
        todo="Set the recorded maximum on the head of the chain, or start a new chain at the other "
        "operator.",
        finds=_different_records,
    ),
    note_rule(
        code="NM01",
        by_api=True,
        title="Operators have the same name.",
        why="By default the scope of an operator's metrics is host, task manager, job, operator "
        f"name and subtask: the task is not part of it, and a name counts up to its "
        f"{LONGEST_METRIC_NAME}th character. Of operators with one name a dashboard or an alert "
        "shows one, or their sum.",
        todo="Call name(...) on them. A name is no part of an ID: state is found all the same.",
        finds=_same_name,
    ),
)
"""Rules about state, IDs and the names in the scopes of metrics."""
