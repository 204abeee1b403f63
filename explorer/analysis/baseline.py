"""The baseline: the deployed program or savepoint from which changes are measured.

Nothing in Flink mirrors this. A document holds its baseline by value, so that it needs no
second file.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import msgspec

from explorer.documents import Document, document_values, load_document
from explorer.documents.limits import MAX_ID
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.operator_state import HeldState
from explorer.model.stream_graph import NodeId
from explorer.savepoints import (
    OperatorState,
    Savepoint,
    expected_savepoint,
    savepoint_from_values,
    savepoint_values,
)


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """A document, a savepoint, or a savepoint with the document of the job that wrote it."""

    name: str
    """What a reader calls it, such as its file."""
    document: Document | None = None
    savepoint: Savepoint | None = None
    matches: Mapping[str, str] = {}
    """By operator of the baseline, the new operator chosen by the user; either is an ID, a
    uid, a name or the id of a transformation."""

    @property
    def release(self) -> str | None:
        """The Flink release of its document; None where it has no document or names no release."""
        return self.document.flink if self.document else None


def pinned(baseline: Baseline, release: str, *, replace: bool = False) -> Baseline:
    """Give the baseline's document a release of its own, independent of the current one.

    A release that the document names is retained, unless ``replace``.
    """
    document = baseline.document
    if document is None or (document.flink is not None and not replace):
        return baseline
    return msgspec.structs.replace(baseline, document=document.under(release))


def baseline_of(document: Document) -> Baseline | None:
    """The one that a document holds; raises ``ExplorerError`` where its savepoint is none."""
    values = document.baseline
    if values is None:
        return None
    program, savepoint = values.get("document"), values.get("savepoint")
    return Baseline(
        name=values["name"],
        document=None if program is None else load_document(program),
        savepoint=None if savepoint is None else savepoint_from_values(savepoint),
        matches=values.get("matches", {}),
    )


def baseline_values(baseline: Baseline) -> dict[str, Any]:
    """A document's record of it: the program without a baseline, the savepoint, the matches."""
    values: dict[str, Any] = {"name": baseline.name[:MAX_ID] or "baseline"}
    if baseline.document is not None:
        values["document"] = document_values(baseline.document.with_baseline(None))
    if baseline.savepoint is not None:
        values["savepoint"] = savepoint_values(baseline.savepoint)
    if baseline.matches:
        values["matches"] = dict(baseline.matches)
    return values


VARIABLE: Final = "STREAMGRAPH_EXPLORER_BASELINE"
"""The environment variable that names the page's default baseline, set by its host."""


class Deployed(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A baseline, and what its release makes of it."""

    name: str
    program: Compilation | None
    """None where there is a savepoint alone."""
    savepoint: Savepoint
    """A real one, or one with the state that the program's operators have for certain."""
    fullest: Savepoint
    """The same if each function of the program that may have state has some."""
    held: Mapping[str, HeldState]
    """By operator ID, the operator's state."""
    real: bool
    """Whether the savepoint exists, so that its state sizes are known."""
    matches: Mapping[str, str] = {}
    """The baseline's: by operator, the new operator chosen by the user."""

    @cached_property
    def nodes(self) -> Mapping[str, NodeId]:
        """By operator ID, the program's node."""
        hashes = self.program.hashes if self.program else {}
        return {id: node for node, id in hashes.items()}


def compile_baseline(baseline: Baseline, flink_version: str | None = None) -> Deployed:
    """Compile the baseline's document for its own release, else for ``flink_version``.

    Raises ``ExplorerError`` where Flink refuses it.
    """
    name, document, savepoint = baseline.name, baseline.document, baseline.savepoint
    program = (
        None if document is None else compile_program(document, document.flink or flink_version)
    )
    if savepoint is not None:
        held = {one.operator_id: _held(one) for one in savepoint.operators}
        return Deployed(
            name=name,
            program=program,
            savepoint=savepoint,
            fullest=savepoint,
            held=held,
            real=True,
            matches=baseline.matches,
        )
    if program is None:
        msg = "a baseline is a document, a savepoint or both"
        raise ValueError(msg)
    return msgspec.structs.replace(deployed_program(name, program), matches=baseline.matches)


def deployed_program(name: str, program: Compilation) -> Deployed:
    """The same for a program that is compiled already, and of which there is no savepoint."""
    return _imagined(name, program, program.held_states)


def informed(
    old: Deployed, same: Mapping[NodeId, NodeId], held: Mapping[NodeId, HeldState]
) -> Deployed:
    """The baseline, completed with what only the new program knows about its operators.

    A cluster reports neither types nor classes of a running job: the state of such an operator is
    that of its counterpart. ``same``: by old node the new one; ``held``: by new node its state.
    """
    program = old.program
    if old.real or program is None:
        return old
    known = {node: old.held[id] for node, id in program.hashes.items()}
    reported = {
        node.id: held[same[node.id]]
        for node in program.stream_graph.nodes
        if node.transformation is None and node.operator is None and node.id in same
    }
    changed = {node: state for node, state in reported.items() if known[node] != state}
    if not changed:
        return old
    found = _imagined(old.name, program, known | changed)
    return msgspec.structs.replace(found, matches=old.matches)


def _imagined(name: str, program: Compilation, held: Mapping[NodeId, HeldState]) -> Deployed:
    """A program with the savepoint that it would leave."""
    return Deployed(
        name=name,
        program=program,
        savepoint=expected_savepoint(program, held),
        fullest=expected_savepoint(program, held, possible=True),
        held={program.hashes[node]: state for node, state in held.items()},
        real=False,
    )


def _held(state: OperatorState) -> HeldState:
    """The content of a savepoint for an operator."""
    if not state.has_state:
        return HeldState(certainty="none", what="no state")
    kinds = [kind for kind in state.kinds if kind in {"keyed", "operator"}]
    what = " and ".join(f"{kind} state" for kind in kinds)
    return HeldState(certainty="known", what=what or "state")
