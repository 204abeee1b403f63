"""What would mend a finding? Its changes, tried: each is made, and the document checked again."""

from collections.abc import Iterator

import msgspec

from explorer.analysis.checks.checking import NOTHING, check_document
from explorer.analysis.checks.findings import Finding
from explorer.analysis.compare import compare
from explorer.analysis.lock import Lock
from explorer.edits.changes import allowed
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_graph
from explorer.model.pipeline import CheckSettings, Pipeline


class CheckMend(msgspec.Struct, frozen=True, kw_only=True):
    """A change after which the finding is gone."""

    label: str
    pipeline: Pipeline
    """The document with the change."""
    effect: str
    """What it does to tasks and IDs, such as ``3 tasks, 1 ID changes``."""


def mends(
    pipeline: Pipeline,
    finding: Finding,
    *,
    lock: Lock | None = None,
    flink_version: str | None = None,
    weights: CheckSettings = NOTHING,
) -> Iterator[CheckMend]:
    """The finding's changes that can be made and take it away, each tried when it is asked for."""
    for proposal in finding.proposals:
        changed = allowed(pipeline, proposal.change)
        if changed is None or changed == pipeline:
            continue
        try:
            after = check_document(
                changed,
                lock=lock,
                flink_version=flink_version,
                weights=weights,
            )
        except ExplorerError:  # It became too large to ask.
            continue
        refused = any(one.code == "RF01" for one in after.findings)
        if not refused and finding.key not in {one.key for one in after.findings}:
            effect = _effect(pipeline, changed, flink_version)
            yield CheckMend(label=proposal.label, pipeline=changed, effect=effect)


def _effect(pipeline: Pipeline, changed: Pipeline, version: str | None) -> str:
    try:
        after = compile_graph(changed, version)
    except ExplorerError as error:
        return str(error)
    try:
        before = compile_graph(pipeline, version)
    except ExplorerError:
        return "Flink takes the program then"
    return compare(before, after).sentence()
