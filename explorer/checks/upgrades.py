"""Rules about the next release: legacy constructs, refusals, changed IDs."""

from collections.abc import Iterator
from typing import Final

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import Found, note_rule, of_operator, warning_rule
from explorer.checks.uids import uid_proposals
from explorer.errors import ExplorerError
from explorer.flink.rules import as_new_source
from explorer.lookup.identity import operator_identities


def _legacy_source(case: CheckCase) -> Iterator[Found]:
    deprecated = case.release.legacy_sources == "deprecated"
    place = "is deprecated" if deprecated else "is not part of the public API"
    for node in case.compiled.stream_graph.nodes:
        if node.legacy_source:
            declared = case.declared(node)
            yield of_operator(
                case,
                node,
                f"{node.name} is a SourceFunction, which {place} in Flink {case.release.version}.",
                "type" if declared else "",
                (as_new_source(declared),) if declared else (),
            )


def _next_refuses(case: CheckCase) -> Iterator[Found]:
    if isinstance(case.upgraded, ExplorerError):
        yield Found(message=f"Flink {case.next_release}: {case.upgraded}", path="flink")


def _next_changes_ids(case: CheckCase) -> Iterator[Found]:
    new_upgraded = case.upgraded
    if new_upgraded is None or isinstance(new_upgraded, ExplorerError):
        return
    next_ids = {
        pair: new_upgraded.hashes[node]
        for node, pair in operator_identities(new_upgraded.stream_graph).items()
    }
    pairs = operator_identities(case.compiled.stream_graph)
    for node in case.first_nodes(case.holding("known")):
        current_id, next_id = case.compiled.hashes[node.id], next_ids.get(pairs[node.id])
        if node.uid is None and next_id not in {None, current_id}:
            message = (
                f"{node.name} has the ID {current_id}, and under Flink {case.next_release} it will "
                f"have {next_id}: an upgrade does not find its state."
            )
            yield of_operator(case, node, message, proposals=uid_proposals(case, node))


UPGRADE_RULES: Final = (
    note_rule(
        code="RL01",
        by_api=True,
        title="A legacy source is used.",
        why="SourceFunction was deprecated in 1.18 and moved out of the API in 2.0. It emits from "
        "a thread of its own, so some operators cannot be chained to it, and it has neither "
        "splits nor watermark alignment.",
        todo="Use a FLIP-27 source with fromSource.",
        finds=_legacy_source,
        applies=lambda release: release.legacy_sources != "current",
    ),
    warning_rule(
        code="RL02",
        title="The next release refuses the program.",
        why="What a release drops is refused when the program is compiled against it or started "
        "on it. Iterations went in 2.0, for one.",
        todo="Replace the construct before the upgrade.",
        finds=_next_refuses,
    ),
    warning_rule(
        code="RL03",
        by_api=True,
        title="The next release gives a stateful operator another ID.",
        why="Where a release chains otherwise, for instance because an operator's own chaining "
        "strategy changed, generated IDs are others, and a savepoint of the old release does not "
        "fit the same program on the new one.",
        todo="Give the operator a uid before the upgrade, with its current ID as uid hash.",
        finds=_next_changes_ids,
        needs="program",
    ),
)
"""Rules about the next release."""
