"""Rules about the lookup joins of a SQL job: how they wait, and what they ask again.

A remedy is an option or a hint of SQL that the table's connector has answered to; for a connector
without one nothing is said.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import Found, note_rule, of_operator
from explorer.flink.sql_operators import materializes_upserts, operators_of_nodes
from explorer.model.sql_plan import ExecNode, SqlLookup
from explorer.model.stream_graph import StreamNode


def _lookup_joins(case: CheckCase) -> Iterator[tuple[StreamNode, ExecNode, SqlLookup]]:
    """The operator of each lookup join whose table is known, in the graph's order."""
    if case.sql_plan is not None:
        graph = case.compiled.stream_graph
        for id, node in operators_of_nodes(case.sql_plan, graph).items():
            if node.lookup is not None:
                yield graph.by_id[id], node, node.lookup


def _set_in_table(lookup: SqlLookup, options: Mapping[str, str]) -> str:
    assignments = ", ".join(f"'{key}' = '{value}'" for key, value in options.items())
    return (
        f"set {assignments} in the WITH of {lookup.table}, or for this query alone in the hint "
        f"{lookup.table} /*+ OPTIONS({assignments}) */"
    )


def _synchronous_lookups(case: CheckCase) -> Iterator[Found]:
    for operator, node, lookup in _lookup_joins(case):
        options = lookup.asynchronous_options
        # Flink joins synchronously where it stores the rows that it has looked up.
        if lookup.asynchronous or materializes_upserts(node):
            continue
        if not options and not lookup.offers_asynchronous:
            continue
        remedy = (
            _set_in_table(lookup, options)
            if options
            else "remove 'async' = 'false' from its LOOKUP hint"
        )
        message = (
            f"{operator.name} waits for the answer of {lookup.table} with each record before it "
            f"reads the next one: {remedy}. Its state is then the records that wait for an "
            "answer, at most table.exec.async-lookup.buffer-capacity in a subtask; a savepoint of "
            f"now has none of them{_changed_ids(case, operator)}."
        )
        yield of_operator(case, operator, message)


def _changed_ids(case: CheckCase, operator: StreamNode) -> str:
    """The consequence for IDs: an asynchronous operator does not chain to a legacy source."""
    graph = case.compiled.stream_graph
    head = graph.by_id[case.compiled.job_graph.task_of(operator.id).head]
    if operator.uid is None and head.legacy_source:
        return (
            f". It leaves the task of {head.name}, which changes the generated IDs from there on: "
            "make the change before the first deployment"
        )
    return " and restores as before"


def _uncached_lookups(case: CheckCase) -> Iterator[Found]:
    for operator, _, lookup in _lookup_joins(case):
        if lookup.cache == "none" and lookup.cache_options:
            message = (
                f"{operator.name} asks {lookup.table} again for each record, also for a key that "
                f"it has just asked for: {_set_in_table(lookup, lookup.cache_options)}. A row may "
                "then be as old as the cache's expiry. A cache is memory of a subtask, not state: "
                "savepoints stay as they are, and it is empty after a restart."
            )
            yield of_operator(case, operator, message)


SQL_LOOKUP_RULES: Final = (
    note_rule(
        code="SQ13",
        title="A lookup join waits for each answer.",
        why="A synchronous lookup join handles one record at a time: its throughput is one record "
        "for each round trip to the table's system and subtask.",
        todo="Let the connector answer asynchronously, with an option of the table, or remove the "
        "hint that forbids it.",
        finds=_synchronous_lookups,
        needs="program",
    ),
    note_rule(
        code="SQ14",
        title="A lookup join has no cache.",
        why="Each record is a request to the table's system, also where the key was asked for a "
        "moment ago.",
        todo="Set the connector's cache, with an expiry as long as a row may be out of date.",
        finds=_uncached_lookups,
        needs="program",
    ),
)
"""Rules about lookup joins."""
