"""Rules about a SQL job's plan: whether its state is restored, and how large the state becomes."""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import Found, note_rule, of_operator, warning_rule
from explorer.flink.regions import reachable_from
from explorer.flink.sql_operators import (
    UID_GENERATION,
    has_counted_uids,
    materializes_upserts,
    operators_of_nodes,
    sql_state,
)
from explorer.flink.table_options import STATE_TTL
from explorer.model.sql_plan import ExecNode, SqlPlan
from explorer.model.stream_graph import StreamNode
from explorer.wording import listed

_FILE: Final = "'plan.json'"
NO_DURATION: Final = re.compile(r"0(?:\s*\w+)?|PT0S", re.IGNORECASE)
"""A duration option that switches its feature off."""


def _stateful(case: CheckCase) -> Iterator[tuple[StreamNode, ExecNode]]:
    """The first operator of each plan node with state, in the graph's order."""
    plan = case.sql_plan
    if plan is None:
        return
    visited = set()
    by_id = case.compiled.stream_graph.by_id
    for id, node in operators_of_nodes(plan, case.compiled.stream_graph).items():
        stateful = sql_state(node) is not None and case.held[id].certainty != "none"
        if stateful and node.id not in visited and id in by_id:
            visited.add(node.id)
            yield by_id[id], node


def keys_text(case: CheckCase, sink: ExecNode) -> str:
    """The primary key of a sink's table and the upsert keys of what is written into it."""
    by_id = {node.id: node for node in case.sql_plan.nodes} if case.sql_plan else {}
    keys = [key for id in sink.inputs for key in by_id[id].upsert_keys or ()]
    upsert = listed([f"[{', '.join(key)}]" for key in keys], "or") if keys else "none"
    return f"primary key [{', '.join(sink.primary_key or ())}], upsert key {upsert}"


def ends_by_itself(case: CheckCase, node: ExecNode) -> bool:
    """Whether all scans upstream of a plan node are bounded: its state ends with the job."""
    upstream = upstream_nodes(case.sql_plan, node) if case.sql_plan else ()
    scans = [exec_node for exec_node in upstream if not exec_node.inputs]
    return all(scan.bounded or scan.type == "stream-exec-values" for scan in scans)


def upstream_nodes(plan: SqlPlan, node: ExecNode) -> tuple[ExecNode, ...]:
    """A plan node and every node upstream of it."""
    by_id = {exec_node.id: exec_node for exec_node in plan.nodes}
    return tuple(by_id[id] for id in sorted(reachable_from([node.id], lambda id: by_id[id].inputs)))


def _with_option(result: Found, key: str, value: str) -> Found:
    return msgspec.structs.replace(result, options={key: value})


def _generated_plan_ids(case: CheckCase) -> Iterator[Found]:
    stateful = {operator.id for operator, _ in _stateful(case)}
    for operator in case.compiled.stream_graph.nodes if case.sql_plan else ():
        has_state = operator.id in stateful or case.held[operator.id].certainty == "known"
        if operator.uid is None and has_state:
            message = (
                f"{operator.name} has the generated ID {case.compiled.hashes[operator.id]}, which "
                "depends on the plan: compile the plan once, with COMPILE PLAN "
                f"{_FILE} FOR INSERT ..., and start the job with EXECUTE PLAN {_FILE}."
            )
            yield of_operator(case, operator, message)


def _counted_uids(case: CheckCase) -> Iterator[Found]:
    if not has_counted_uids(case.document):
        return
    for operator, node in _stateful(case):
        message = (
            f"The UID {operator.uid} of {operator.name} contains the ExecNode ID {node.id}, and no "
            f"compiled plan fixes that ID: write COMPILE PLAN {_FILE} FOR INSERT ..., then "
            f"EXECUTE PLAN {_FILE}."
        )
        yield _with_option(of_operator(case, operator, message, "uid"), UID_GENERATION, "PLAN_ONLY")


def _without_ttl(case: CheckCase) -> Iterator[Found]:
    for operator, node in _stateful(case):
        state = sql_state(node)
        if state is None or state.removed != "ttl" or not state.key:
            continue
        if _is_endless(case, node) and not ends_by_itself(case, node):
            message = (
                f"{operator.name} holds {state.contents} by {state.key} and never removes a key: "
                "set a TTL before the first deployment, with SET 'table.exec.state.ttl' = '1 d' "
                "or, for one input, the hint STATE_TTL. It removes a key's state that long after "
                f"its last update; {state.expired}."
            )
            yield _with_option(of_operator(case, operator, message), STATE_TTL, "1 d")


def _is_endless(case: CheckCase, node: ExecNode) -> bool:
    """Whether a state has no TTL; an OVER clause declares none, and a range of time ends itself."""
    if node.type == "stream-exec-over-aggregate":
        # Up to 1.20 Flink spells it RANG.
        is_range = re.search(r"RANGE? BETWEEN \d+ PRECEDING", node.description) is not None
        ttl = str(case.document.options.get(STATE_TTL, "0")).strip()
        return not is_range and NO_DURATION.fullmatch(ttl) is not None
    return any(state.ttl == 0 for state in node.states)


def _materialized_upserts(case: CheckCase) -> Iterator[Found]:
    for operator, node in _stateful(case):
        if node.type == "stream-exec-sink" and materializes_upserts(node):
            keys = f" ({keys_text(case, node)})" if node.primary_key else ""
            message = (
                f"{operator.name} holds every row of its input: the sink's primary key contains "
                f"no upsert key of the query{keys}. Write into a table with an upsert key of the "
                "query as its primary key: the operator goes, and with it its state, which a "
                "restore has to be allowed to drop."
            )
            yield of_operator(case, operator, message)


SQL_RULES: Final = (
    note_rule(
        code="SQ01",
        title="The IDs of a SQL job's state depend on its plan.",
        why="A changed query, another option of the planner or a new release may plan other "
        "operators. A generated ID hashes the graph around its operator, so the savepoint's state "
        "then has an ID that no operator has.",
        todo="Compile the plan (COMPILE PLAN), keep the file with the job and execute it "
        "(EXECUTE PLAN): the plan then stays as it is across releases, and its operators have "
        "UIDs.",
        finds=_generated_plan_ids,
        needs="program",
    ),
    warning_rule(
        code="SQ02",
        title="The UIDs of a SQL job hold ExecNode IDs that are counted anew.",
        why="With table.exec.uid.generation set to ALWAYS, a UID holds the ID of its plan node. "
        "Flink counts these IDs through all statements that one JVM plans: on a session cluster "
        "or an SQL gateway the same script gets other UIDs the second time.",
        todo="Compile the plan, which records the IDs, or leave table.exec.uid.generation at "
        "PLAN_ONLY.",
        finds=_counted_uids,
        needs="program",
    ),
    note_rule(
        code="SQ03",
        title="The state of a SQL operator has no TTL.",
        why="A join, an aggregate without windows, a ranking or a deduplication holds state for "
        "every key, and removes a key by its TTL alone. Before Flink 2.2 a TTL cannot be switched "
        "on later: the serializer of the state differs, and the restore fails.",
        todo="Set table.exec.state.ttl, or a STATE_TTL hint for one input (1.18 and later), to the "
        "longest time between two records of a key; a record after that starts anew.",
        finds=_without_ttl,
        needs="program",
    ),
    note_rule(
        code="SQ04",
        title="A SQL sink materializes upserts.",
        why="Where the sink's primary key is not the key by which the query emits changes, changes "
        "of one primary key may arrive out of order. Flink then inserts an operator before the "
        "sink that holds all rows of each key.",
        todo="Let an upsert key of the query be the primary key. NONE for "
        "table.exec.sink.upsert-materialize removes the operator and leaves changes out of order.",
        finds=_materialized_upserts,
        needs="program",
    ),
)
"""Rules about a captured SQL job's plan."""
