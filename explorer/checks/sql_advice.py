"""Rules about results and cost of a SQL job's plan: order of changes, distinct counts, time.

Each message has the remedy in SQL and what it does to state. ``tests/golden/sql_advice.jsonl.gz``
has plans of Flink's planner on both sides of each rule.
"""

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import Found, note_rule, of_operator, of_operators, warning_rule
from explorer.checks.sql import NO_DURATION, ends_by_itself, keys_text, upstream_nodes
from explorer.flink.sql_operators import (
    materializes_upserts,
    mini_batches,
    operators_of_nodes,
    plan_attributes,
    split_list,
)
from explorer.flink.table_options import IDLE_TIMEOUT, UPSERT_MATERIALIZE
from explorer.model.sql_plan import ExecNode, SqlPlan
from explorer.model.stream_graph import StreamNode
from explorer.wording import listed

_NEW_STATE: Final = (
    "the operators are others then, with other state: make the change before the first "
    "deployment, or start without the state of {name}"
)
_CALL: Final = re.compile(r"([\w$]+?)(?:_RETRACT)?\((DISTINCT |distinct\$)?")
_SPLITTABLE: Final = frozenset(
    {"AVG", "COUNT", "FIRST_VALUE", "LAST_VALUE", "LISTAGG", "MAX", "MIN", "SINGLE_VALUE", "SUM"}
    | {"$SUM0"}
)
"""Aggregate functions of which ``SplitAggregateRule`` splits a distinct aggregate."""
_MINI_BATCH: Final = {
    "table.exec.mini-batch.enabled": "true",
    "table.exec.mini-batch.allow-latency": "1 s",
    "table.exec.mini-batch.size": "5000",
}
_SPLIT: Final = "table.optimizer.distinct-agg.split.enabled"
_ROWTIME: Final = "*ROWTIME*"
_WINDOW_COLUMNS: Final = ("window_start", "window_end")
_GROUPINGS: Final = frozenset({"stream-exec-group-aggregate", "stream-exec-global-group-aggregate"})


def _operators_of(case: CheckCase, *types: str) -> Iterator[tuple[StreamNode, ExecNode]]:
    """The last operator of each plan node of these types, or of all, in the plan's order."""
    if case.sql_plan is None:
        return
    graph = case.compiled.stream_graph
    last = {node.id: id for id, node in operators_of_nodes(case.sql_plan, graph).items()}
    for node in case.sql_plan.nodes:
        if (not types or node.type in types) and node.id in last:
            yield graph.by_id[last[node.id]], node


def _inputs(plan: SqlPlan, node: ExecNode) -> list[ExecNode]:
    by_id = {exec_node.id: exec_node for exec_node in plan.nodes}
    return [by_id[id] for id in node.inputs]


def _is_duration_set(case: CheckCase, key: str) -> bool:
    value = str(case.document.options.get(key, "0")).strip()
    return NO_DURATION.fullmatch(value) is None


def _unordered_changes(case: CheckCase) -> Iterator[Found]:
    for operator, node in _operators_of(case, "stream-exec-sink"):
        if node.materializes_by_default:
            message = (
                f"Changes of one row of {operator.name} may arrive out of order, and the older one "
                f"stays in the table ({keys_text(case, node)}); with AUTO Flink puts them back in "
                "order. Write into a table with an upsert key of the query as its primary key, "
                "which needs no state, or set 'table.exec.sink.upsert-materialize' to AUTO: an "
                "operator then holds all rows of each key, and restores from a savepoint without "
                "its state."
            )
            yield of_operator(case, operator, message)


def _needs_conflict_clause(case: CheckCase) -> Iterator[Found]:
    """Report the sinks for which Flink 2.3 asks for ON CONFLICT."""
    for operator, node in _operators_of(case, "stream-exec-sink"):
        (source,) = _inputs(case.sql_plan, node) if case.sql_plan else (node,)
        key = set(node.primary_key or ())
        is_ordered = any(key.issuperset(item) for item in source.upsert_keys or ())
        is_forced = str(case.document.options.get(UPSERT_MATERIALIZE)).upper() == "FORCE"
        if not key or is_ordered or is_forced or not materializes_upserts(node):
            continue
        message = (
            f"From Flink 2.3 on this INSERT is refused without ON CONFLICT "
            f"({keys_text(case, node)}). ON CONFLICT DO DEDUPLICATE plans the same operator as "
            "now, with all rows of each key in its state; DO ERROR and DO NOTHING plan another "
            "one, which asks for a WATERMARK on every source and starts without this state."
        )
        yield of_operator(case, operator, message)


def _unsplit_distinct(case: CheckCase) -> Iterator[Found]:
    for operator, node in _operators_of(case, *_GROUPINGS):
        attributes = plan_attributes(node.description)
        calls = [_CALL.match(item) for item in split_list(attributes.get("select", ""))]
        functions = [(call[1], bool(call[2])) for call in calls if call is not None]
        counts = any(name == "COUNT" and distinct for name, distinct in functions)
        is_split = str(case.document.options.get(_SPLIT, "false")).lower() == "true"
        if not counts or is_split or operator.parallelism == 1:
            continue
        if not {name for name, _ in functions} <= _SPLITTABLE or ends_by_itself(case, node):
            continue
        expected = {} if case.sql_plan and mini_batches(case.sql_plan) else _MINI_BATCH
        options = {**expected, _SPLIT: "true"}
        sets = ", ".join(f"'{key}' = '{value}'" for key, value in options.items())
        message = (
            f"{operator.name} counts distinct values, all those of a group in one subtask: where "
            f"few groups have most records, SET {sets} to count them in two steps; "
            f"{_NEW_STATE.format(name=operator.name)}."
        )
        yield replace(of_operator(case, operator, message), options=options)


def _unbounded_intervals(case: CheckCase) -> Iterator[Found]:
    """Report regular joins with an interval condition on columns that are no time attributes."""
    for operator, node in _operators_of(case, "stream-exec-join"):
        attributes = plan_attributes(node.description).get("where", "")
        sides = _inputs(case.sql_plan, node) if case.sql_plan else []
        names = _compared_times(attributes, node, sides)
        is_interval = all(re.search(sign, attributes) for sign in (r"<", r">", r"\bINTERVAL\b"))
        if not is_interval or len(names) != len(sides) or case.sql_plan is None:
            continue
        lacking = [
            name
            for name, side in zip(names, sides, strict=True)
            if not any(
                _ROWTIME in column.type
                for upstream_node in upstream_nodes(case.sql_plan, side)
                for column in upstream_node.columns
            )
        ]
        remedy = (
            f"declare a WATERMARK for {listed(lacking)}"
            if lacking
            else "compare the columns of the WATERMARKs as they are declared, without a cast or a "
            "function before the join"
        )
        message = (
            f"{operator.name} joins within an interval of {listed(names)}, and removes rows of "
            f"both inputs by a TTL alone, since not both are time attributes: {remedy}. Flink "
            "then plans an IntervalJoin, which removes a row when the watermark has passed its "
            f"interval; "
            f"{_NEW_STATE.format(name=operator.name)}."
        )
        yield of_operator(case, operator, message)


def _compared_times(where: str, join: ExecNode, sides: list[ExecNode]) -> list[str]:
    """The first timestamp of each input that a join's condition mentions, as the join names it."""
    if sum(len(side.columns) for side in sides) != len(join.columns):
        return []
    names, result = iter(column.name for column in join.columns), []
    for side in sides:
        columns = [(next(names), column.type) for column in side.columns]
        times = (name for name, type in columns if type.startswith("TIMESTAMP"))
        result += [name for name in times if re.search(rf"\b{re.escape(name)}\b", where)][:1]
    return result


def _window_without_end(case: CheckCase) -> Iterator[Found]:
    """Report group aggregates by a column of a window that Flink did not plan as windows."""
    for operator, node in _operators_of(case, *_GROUPINGS):
        keys = split_list(plan_attributes(node.description).get("groupBy", ""))
        grouped = [key for key in _WINDOW_COLUMNS if key in keys]
        upstream = upstream_nodes(case.sql_plan, node) if case.sql_plan else ()
        has_windows = any(
            exec_node.type == "stream-exec-window-table-function" for exec_node in upstream
        )
        missing = [key for key in _WINDOW_COLUMNS if key not in keys]
        if not grouped or not missing or not has_windows:
            continue
        message = (
            f"{operator.name} groups by {listed(grouped)} and not by {listed(missing)}: it is no "
            "aggregate over windows, emits an update for each record, and removes a window from "
            "its state by a TTL alone. Group by window_start and window_end: a window is then "
            f"emitted once and removed when the watermark passes it; "
            f"{_NEW_STATE.format(name=operator.name)}."
        )
        yield of_operator(case, operator, message)


_WINDOW_NODES: Final = (
    "stream-exec-group-window-aggregate",
    "stream-exec-window-aggregate",
    "stream-exec-global-window-aggregate",
)
_SESSION: Final = re.compile(r"SessionGroupWindow\('w\$, ([^,]+),|SESSION\(time_col=\[([^\]]+)\]")


def _open_sessions(case: CheckCase) -> Iterator[Found]:
    """Report event-time sessions that wait for subtasks of a source without records."""
    for operator, node in _operators_of(case, *_WINDOW_NODES):
        if case.sql_plan is None or not _is_event_time_session(case.sql_plan, node):
            continue
        upstream = upstream_nodes(case.sql_plan, node)
        scans = [exec_node for exec_node in upstream if not exec_node.inputs]
        widths = [
            stream_node.parallelism
            for stream_node, scan in _operators_of(case, *{scan.type for scan in scans})
        ]
        has_timeout = any("idletimeout" in scan.description.lower() for scan in scans)
        if has_timeout or _is_duration_set(case, IDLE_TIMEOUT) or max(widths, default=1) == 1:
            continue
        if ends_by_itself(case, node):
            continue
        message = (
            f"A session of {operator.name} ends when the watermark passes its gap, and a subtask "
            "or partition of the source without records holds the watermark back: all sessions "
            f"stay in state, and none is emitted. SET '{IDLE_TIMEOUT}' = '30 s' lets the others "
            "go on and changes no state; records of the idle one may be late then, and are "
            "dropped."
        )
        yield replace(of_operator(case, operator, message), options={IDLE_TIMEOUT: "30 s"})


def _is_event_time_session(plan: SqlPlan, node: ExecNode) -> bool:
    session = _SESSION.search(node.description)
    time = (session[1] or session[2]) if session else None
    columns = [column for input_ in _inputs(plan, node) for column in input_.columns]
    return any(column.name == time and _ROWTIME in column.type for column in columns)


def _flinks_advice(case: CheckCase, kind: str) -> Iterator[Found]:
    plan = case.sql_plan or SqlPlan()
    operators = {node.id: operator for operator, node in _operators_of(case)}
    for advice in plan.advice:
        if advice.kind != kind:
            continue
        nodes = [operators[id] for id in advice.nodes if id in operators]
        text = advice.text.partition(" related rel plan:")[0]
        names = listed([stream_node.name for stream_node in nodes])
        state = f" Note: {_NEW_STATE.format(name=names)}." if "two-phase" in text else ""
        message = f"Flink on {names if nodes else 'the plan'}: {text}{state}"
        yield of_operators(nodes, message, case.path(nodes[0]) if nodes else "")


SQL_ADVICE_RULES: Final = (
    warning_rule(
        code="SQ05",
        title="Changes of a SQL sink's primary key may arrive out of order.",
        why="Where no upsert key of the query is part of the table's primary key, changes of one "
        "row come from several subtasks. Flink would put them back into order with an operator "
        "before the sink; table.exec.sink.upsert-materialize is NONE, so the table may retain an "
        "older value, or a row that is deleted.",
        todo="Let an upsert key of the query be the primary key, or set the option to AUTO.",
        finds=_unordered_changes,
        needs="program",
    ),
    note_rule(
        code="SQ06",
        title="Flink 2.3 refuses an INSERT without ON CONFLICT.",
        why="From 2.3 on the planner asks what happens when rows of several upsert keys have one "
        "primary key, in place of materialising upserts without a word.",
        todo="Write into a table with an upsert key of the query as its primary key, or add ON "
        "CONFLICT DO DEDUPLICATE with the upgrade.",
        finds=_needs_conflict_clause,
        needs="program",
        applies=lambda release: not release.asks_on_conflict,
    ),
    note_rule(
        code="SQ07",
        title="COUNT DISTINCT is not split.",
        why="One subtask holds the distinct values of a group. A group with most of the records "
        "makes that subtask the slowest one, whatever the parallelism.",
        todo="Enable mini-batches and table.optimizer.distinct-agg.split.enabled: values are "
        "counted in buckets first.",
        finds=_unsplit_distinct,
        needs="program",
    ),
    warning_rule(
        code="SQ08",
        title="A join within an interval is planned as a regular join.",
        why="Only time attributes, columns with a WATERMARK, bound a join in time. Without them "
        "it holds every row of both inputs.",
        todo="Declare a WATERMARK on both tables, and compare these columns unchanged.",
        finds=_unbounded_intervals,
        needs="program",
    ),
    warning_rule(
        code="SQ09",
        title="A grouping by a window's start is no aggregate over windows.",
        why="Flink plans an aggregate over windows where window_start and window_end are both "
        "grouped by. With one of them it is an aggregate over ordinary columns, with a state that "
        "grows with time and a result that is updated with each record.",
        todo="Group by window_start and window_end.",
        finds=_window_without_end,
        needs="program",
    ),
    note_rule(
        code="SQ10",
        title="Sessions wait for idle sources.",
        why="The watermark of an operator is the lowest of its inputs. A subtask or a partition of "
        "a source that has no records has no watermark, and no session downstream ends.",
        todo="Set table.exec.source.idle-timeout, or scan.watermark.idle-timeout for one table.",
        finds=_open_sessions,
        needs="program",
    ),
    note_rule(
        code="SQ11",
        title="Flink's planner has advice on the plan.",
        why="EXPLAIN PLAN_ADVICE prints what Flink's analyzers advise, from 1.17 on.",
        todo="Follow it before the first deployment: other operators have other state.",
        finds=lambda case: _flinks_advice(case, "ADVICE"),
        needs="program",
    ),
    warning_rule(
        code="SQ12",
        title="Flink's planner warns of the plan.",
        why="EXPLAIN PLAN_ADVICE prints what Flink's analyzers warn of, from 1.17 on: columns that "
        "are computed anew with another value make deletions of rows that were never emitted.",
        todo="Follow Flink's text.",
        finds=lambda case: _flinks_advice(case, "WARNING"),
        needs="program",
    ),
)
"""Rules about results and cost."""
