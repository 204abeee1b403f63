"""Options of the table planner that change a job's plan or its state, one per row.

Mirrors ``ExecutionConfigOptions`` and ``OptimizerConfigOptions``.
"""

from collections.abc import Mapping
from typing import Final

import msgspec


class TableOption(msgspec.Struct, frozen=True):
    """A row: an option's default and what another value changes."""

    default: str
    effect: str
    changes_state: bool = False
    """Whether operator IDs or state types may differ with it."""


STATE_TTL: Final = "table.exec.state.ttl"
UPSERT_MATERIALIZE: Final = "table.exec.sink.upsert-materialize"
IDLE_TIMEOUT: Final = "table.exec.source.idle-timeout"
TABLE_OPTIONS: Final[Mapping[str, TableOption]] = {
    STATE_TTL: TableOption(
        "0 ms",
        "keys without records for that long lose their state; switching a TTL on or off "
        "changes the serializers of states, which Flink before 2.2 refuses to restore",
        changes_state=True,
    ),
    "table.exec.mini-batch.enabled": TableOption(
        "false",
        "aggregates and joins work in mini-batches, for which the planner inserts a "
        "mini-batch assigner and may split aggregates in two phases: IDs change",
        changes_state=True,
    ),
    "table.exec.mini-batch.allow-latency": TableOption(
        "0 ms", "the longest time that a mini-batch collects records"
    ),
    "table.exec.mini-batch.size": TableOption(
        "-1", "the number of records after which a mini-batch is processed"
    ),
    "table.exec.uid.generation": TableOption(
        "PLAN_ONLY",
        "operators get UIDs of ExecNodes always, with a compiled plan alone, or never: "
        "their operator IDs change",
        changes_state=True,
    ),
    "table.exec.uid.format": TableOption(
        "<id>_<transformation>",
        "the UIDs of operators have another form, and with it other operator IDs",
        changes_state=True,
    ),
    UPSERT_MATERIALIZE: TableOption(
        "AUTO",
        "an operator with state before a sink with a primary key comes or goes",
        changes_state=True,
    ),
    "table.exec.sink.keyed-shuffle": TableOption(
        "AUTO", "records reach a sink by primary key, or as they are"
    ),
    "table.exec.sink.not-null-enforcer": TableOption(
        "ERROR", "rows with NULL in a NOT NULL column fail the job or are dropped"
    ),
    "table.exec.source.cdc-events-duplicate": TableOption(
        "false",
        "changes of a source with a primary key are deduplicated by an operator with state",
        changes_state=True,
    ),
    IDLE_TIMEOUT: TableOption("0 ms", "a source without records no longer holds back watermarks"),
    "table.exec.resource.default-parallelism": TableOption(
        "-1", "operators of SQL have another parallelism"
    ),
    "table.exec.async-state.enabled": TableOption(
        "false",
        "operators access state asynchronously, with operators and states of their own",
        changes_state=True,
    ),
    "table.optimizer.agg-phase-strategy": TableOption(
        "AUTO",
        "aggregates have one or two phases, each an operator: IDs change",
        changes_state=True,
    ),
    "table.optimizer.distinct-agg.split.enabled": TableOption(
        "false", "a distinct aggregate is split in two levels, each with state", changes_state=True
    ),
    "table.optimizer.reuse-sub-plan-enabled": TableOption(
        "true",
        "equal parts of the plan are planned once or each by itself: IDs change",
        changes_state=True,
    ),
    "table.optimizer.join-reorder-enabled": TableOption(
        "false", "joins are planned in another order: IDs and states change", changes_state=True
    ),
}
"""By key, in the order of Flink's documentation."""
