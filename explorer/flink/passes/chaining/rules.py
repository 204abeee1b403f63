"""All conditions as a table: a row a rule, each with a code that never changes its meaning."""

from collections.abc import Callable
from typing import Final

import msgspec

from explorer.flink.passes.chaining import conditions
from explorer.flink.passes.chaining.conditions import Question
from explorer.flink.release import Release


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One of Flink's conditions."""

    code: str
    title: str
    holds: Callable[[Question], bool]
    values: Callable[[Question], str]
    applies: Callable[[Release], bool] = lambda _release: True

    @property
    def reason(self) -> str:
        """Why Flink wants it: the docstring of the condition."""
        return " ".join((self.holds.__doc__ or "").split())


RULES: Final = (
    Rule(
        code="CH01",
        title="single input",
        holds=conditions.single_input,
        values=lambda q: _count(len(q.graph.in_edges[q.edge.target]), "input edge"),
    ),
    Rule(
        code="CH02",
        title="same slot sharing group",
        holds=conditions.same_slot_sharing_group,
        values=lambda q: f"{q.source.slot_sharing_group} / {q.target.slot_sharing_group}",
    ),
    Rule(
        code="CH03",
        title="upstream may lead",
        holds=conditions.upstream_may_lead,
        values=lambda q: str(q.source.chaining_strategy),
    ),
    Rule(
        code="CH04",
        title="downstream may follow",
        holds=conditions.downstream_may_follow,
        values=lambda q: str(q.target.chaining_strategy),
    ),
    Rule(
        code="CH05",
        title="no yielding operator behind a legacy source",
        holds=conditions.no_yielding_behind_legacy_source,
        values=lambda q: (
            ("yields" if q.target.yielding else "does not yield")
            + (", legacy source" if q.legacy_head(q.edge.source) else ", no legacy source")
        ),
        applies=lambda release: release.yielding_rule,
    ),
    Rule(
        code="CH06",
        title="forward partitioning",
        holds=conditions.forward_partitioning,
        values=lambda q: q.edge.partitioner,
    ),
    Rule(
        code="CH07",
        title="no batch exchange",
        holds=conditions.no_batch_exchange,
        values=lambda q: q.edge.exchange_mode,
    ),
    Rule(
        code="CH08",
        title="same parallelism",
        holds=conditions.same_parallelism,
        values=lambda q: f"{q.source.parallelism} / {q.target.parallelism}",
    ),
    Rule(
        code="CH09",
        title="same max parallelism",
        holds=conditions.same_max_parallelism,
        values=lambda q: (
            f"{q.source.max_parallelism} / {q.target.max_parallelism}"
            + (", may differ" if q.settings.chain_different_max_parallelism else ", may not differ")
        ),
        applies=lambda release: release.max_parallelism_rule,
    ),
    Rule(
        code="CH10",
        title="chaining enabled",
        holds=conditions.chaining_enabled,
        values=lambda q: "on" if q.graph.chaining_enabled else "off",
    ),
    Rule(
        code="CH11",
        title="both ends have an operator",
        holds=conditions.both_have_operators,
        values=lambda q: f"{q.source.vertex_class} / {q.target.vertex_class}",
    ),
    Rule(
        code="CH12",
        title="no union on this input",
        holds=conditions.no_union_on_input,
        values=lambda q: f"input {q.edge.type_number}",
        applies=lambda release: release.chained_sources,
    ),
)
"""Every condition, in the order in which the page shows them."""

BIT: Final = {rule.code: 1 << position for position, rule in enumerate(RULES)}
"""By code, the bit that is set where the rule does not hold."""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
