"""What to change in a program, where only its StreamGraph is known: a call, an option or a hint.

A row for each chaining condition: the words for the DataStream API, and those for SQL.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from explorer.flink.passes.generation.options import CHAINING, CHAINING_ENABLED
from explorer.flink.rules import DIFFERENT_MAX, ChainingQuestion, Rule
from explorer.model.stream_graph import StreamNode
from explorer.wording import quoted

_TABLE: Final = "org.apache.flink.table."
CALLS: Final = {
    "REBALANCE": "rebalance()",
    "RESCALE": "rescale()",
    "SHUFFLE": "shuffle()",
    "BROADCAST": "broadcast()",
    "GLOBAL": "global()",
    "CUSTOM": "partitionCustom(...)",
}
"""By what a partitioner prints, the call that sets it."""
PLANNED: Final = "The planner decides this, and no option or hint of SQL changes it."


class _Advice(NamedTuple):
    """The sentences of one condition; each needs the edge's question."""

    of_calls: Callable[[ChainingQuestion], str]
    of_sql: Callable[[ChainingQuestion], str] = lambda _: PLANNED


def program_advice(rule: Rule, question: ChainingQuestion) -> str:
    """What to change in the program so that a condition that fails may hold."""
    advice = _ROWS.get(rule.code)
    is_sql = _is_planned(question.target) or _is_planned(question.source)
    sentence = "" if advice is None else (advice.of_sql if is_sql else advice.of_calls)(question)
    return sentence or rule.advice(question)


def _is_planned(node: StreamNode) -> bool:
    """Whether the planner of SQL made the operator; its sources may have Flink's own class."""
    facts = node.operator
    names = (facts.class_name, facts.factory) if facts else ()
    return any(name is not None and name.startswith(_TABLE) for name in names)


def _strategy_call(node: StreamNode) -> str:
    calls = {"NEVER": "disableChaining()", "HEAD": "startNewChain()"}
    call = calls.get(node.chaining_strategy or "")
    if call is None:
        return f"{node.chaining_strategy} comes with the operator {node.name} itself."
    return (
        f"Remove .{call} from {quoted(node.name)}, unless {node.chaining_strategy} comes with the "
        "operator itself."
    )


def _partitioner_call(question: ChainingQuestion) -> str:
    """Empty for HASH: an operator that is keyed needs it."""
    printed = question.edge.partitioner.partition("[")[0]
    if printed == "HASH":
        return ""
    if printed == "REBALANCE" and question.source.parallelism != question.target.parallelism:
        return "Flink may have chosen REBALANCE because the parallelism differs: first do CH08."
    call = CALLS.get(printed)
    if call is None:
        return f"Remove the partitioner {question.edge.partitioner} between both operators."
    return (
        f"Remove .{call} between {quoted(question.source.name)} and {quoted(question.target.name)}."
    )


def _parallelism_call(question: ChainingQuestion) -> str:
    return (
        f"Call .setParallelism({question.source.parallelism}) on {quoted(question.target.name)}, "
        f"or .setParallelism({question.target.parallelism}) on {quoted(question.source.name)}."
    )


def _parallelism_option(question: ChainingQuestion) -> str:
    """The option that gives one end of the edge the other's parallelism."""
    if question.target.sink:
        return _table_option("sink.parallelism", question.source.parallelism, question.target)
    if not question.graph.in_edges[question.source.id]:
        return _table_option("scan.parallelism", question.target.parallelism, question.source)
    return (
        "Operators have the parallelism of table.exec.resource.default-parallelism, or that of "
        "their input: SET 'table.exec.resource.default-parallelism' = "
        f"'{question.source.parallelism}'."
    )


def _table_option(option: str, value: int, node: StreamNode) -> str:
    return (
        f"Set '{option}' = '{value}' in the WITH clause of the table of {quoted(node.name)}, or in "
        f"a hint at its use, /*+ OPTIONS('{option}'='{value}') */, if its connector has the option."
    )


def _maximum_call(question: ChainingQuestion) -> str:
    number = question.source.max_parallelism
    call = f", or call .setMaxParallelism({number}) on {quoted(question.target.name)}"
    return f"Remove {DIFFERENT_MAX}: false from the options{call if number > 0 else ''}."


_ROWS: Final[Mapping[str, _Advice]] = {
    "CH02": _Advice(
        lambda question: (
            f"Call .slotSharingGroup({quoted(question.source.slot_sharing_group)}) on "
            f"{quoted(question.target.name)}, or give {quoted(question.source.name)} the group "
            f"{quoted(question.target.slot_sharing_group)}."
        )
    ),
    "CH03": _Advice(lambda question: _strategy_call(question.source)),
    "CH04": _Advice(lambda question: _strategy_call(question.target)),
    "CH05": _Advice(
        lambda _: "Read with fromSource(...) and a FLIP-27 source, in place of addSource(...).",
        lambda _: "Choose a connector with a FLIP-27 source, in place of the legacy source.",
    ),
    "CH06": _Advice(_partitioner_call),
    "CH07": _Advice(
        lambda _: (
            "Set execution.batch-shuffle-mode: ALL_EXCHANGES_PIPELINED, or remove the BATCH "
            "exchange mode of this partition."
        ),
        lambda _: "SET 'execution.batch-shuffle-mode' = 'ALL_EXCHANGES_PIPELINED'.",
    ),
    "CH08": _Advice(_parallelism_call, _parallelism_option),
    "CH09": _Advice(_maximum_call, lambda _: f"SET '{DIFFERENT_MAX}' = 'true'."),
    "CH10": _Advice(
        lambda _: (
            f"Remove disableOperatorChaining(), or {CHAINING_ENABLED}: false (up to 1.18 "
            f"{CHAINING}) from the options."
        ),
        lambda _: f"SET '{CHAINING_ENABLED}' = 'true' (up to 1.18 '{CHAINING}').",
    ),
}
"""By the condition's code; others have no change."""
