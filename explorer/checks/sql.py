"""Rules about a SQL job's plan: whether its state is restored, and how large the state becomes."""

from collections.abc import Iterator
from typing import Final

import msgspec

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import Found, note_rule, of_operator, warning_rule
from explorer.flink.sql_operators import (
    UID_GENERATION,
    has_counted_uids,
    materializes_upserts,
    operators_of_nodes,
    sql_state,
)
from explorer.model.sql_plan import ExecNode
from explorer.model.stream_graph import StreamNode

_FILE: Final = "'plan.json'"
STATE_TTL: Final = "table.exec.state.ttl"
UPSERT_MATERIALIZE: Final = "table.exec.sink.upsert-materialize"


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


def _with_option(found: Found, key: str, value: str) -> Found:
    return msgspec.structs.replace(found, options={key: value})


def _generated_plan_ids(case: CheckCase) -> Iterator[Found]:
    for operator, _ in _stateful(case):
        if operator.uid is None:
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
        if state is None or state.removed != "ttl" or not state.key or not node.states:
            continue
        endless = [one.name for one in node.states if one.ttl == 0]
        if endless:
            message = (
                f"{operator.name} holds {state.contents} by {state.key} and never removes a key: "
                "set a TTL before the first deployment, with SET 'table.exec.state.ttl' = '1 d' "
                "or, for one input, the hint STATE_TTL."
            )
            yield _with_option(of_operator(case, operator, message), STATE_TTL, "1 d")


def _materialized_upserts(case: CheckCase) -> Iterator[Found]:
    for operator, node in _stateful(case):
        if node.type == "stream-exec-sink" and materializes_upserts(node):
            message = (
                f"{operator.name} holds every row of its input: the sink's primary key is no "
                "upsert key of the query. Write into a table with the query's key, or, where the "
                "order of a key's changes does not matter, SET "
                "'table.exec.sink.upsert-materialize' = 'NONE'."
            )
            yield _with_option(of_operator(case, operator, message), UPSERT_MATERIALIZE, "NONE")


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
        todo="Let the primary key be an upsert key of the query, or set "
        "table.exec.sink.upsert-materialize to NONE where the order does not matter.",
        finds=_materialized_upserts,
        needs="program",
    ),
)
"""Rules about a captured SQL job's plan."""
