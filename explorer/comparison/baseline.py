"""The baseline: the deployed program or savepoint from which changes are measured.

Nothing in Flink mirrors this. A document holds its baseline by value, so that it needs no
second file.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from explorer.comparison.matching import NOT_MATCHED, Match
from explorer.deployment.upgrades import StateOrigin
from explorer.documents import Document, Program, as_document, document_values, load_document
from explorer.documents.limits import MAX_ID
from explorer.flink.compiler import Compilation, compile_program, with_overrides
from explorer.flink.operator_state import HeldState
from explorer.flink.releases import LATEST, is_patch_level, release, writers_of_metadata
from explorer.locations import local_path
from explorer.model.document import DataSetDocument
from explorer.model.stream_graph import NodeId
from explorer.savepoints import (
    OperatorState,
    Savepoint,
    expected_savepoint,
    savepoint_from_values,
    savepoint_values,
)
from explorer.savepoints.loading import read_metadata, savepoint_at


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """A document, a savepoint, or a savepoint with the document of the job that wrote it."""

    name: str
    document: Document | None = None
    savepoint: Savepoint | None = None
    matches: Mapping[str, str] = {}
    """Maps operators of the baseline to the new operators chosen by the user; each is an ID, a
    uid, a name or the id of a transformation."""
    configuration: Mapping[str, object] = {}
    """Options of its cluster, which win over the document's own."""
    origin: StateOrigin = "savepoint"
    """What the new job restores, where the savepoint itself is not at hand."""
    flink_version: str | None = None
    """The release that the user names, which wins over the document's own."""

    @property
    def release(self) -> str | None:
        """The Flink release that the user or its document names; None where neither does."""
        named = self.flink_version or (self.document.flink if self.document else None)
        return release(named).version if named else None

    @property
    def version(self) -> str | None:
        """The named version with its patch level; None where none is named."""
        document = self.document
        job = document.submitted if document else None
        named = (
            self.flink_version,
            job.job.version if job else None,
            document.flink if document else None,
        )
        return next((item for item in named if item and is_patch_level(item)), None)

    def releases(self, otherwise: str) -> tuple[str, ...]:
        """The releases that it may be of, oldest first: the named one, else those of its format.

        ``otherwise``: the release of a document without a savepoint that names none.
        """
        if self.release is not None:
            return (self.release,)
        writers = writers_of_metadata(self.savepoint.version) if self.savepoint else ()
        return writers or (otherwise,)


Old: TypeAlias = Baseline | Savepoint | Program | bytes
"""The deployed program or its savepoint."""


def load_baseline(old: Old) -> Baseline:
    """Load the baseline; a folder, or a file that begins as Flink's metadata, is a savepoint."""
    if isinstance(old, Baseline):
        return old
    if isinstance(old, Savepoint):
        return Baseline(name=Path(old.path).name or "the savepoint", savepoint=old)
    if isinstance(old, bytes):
        return Baseline(name="the savepoint", savepoint=read_metadata(old))
    if isinstance(old, str | Path):
        name = Path(old).name
        savepoint = savepoint_at(old)
        if savepoint is not None:
            return Baseline(name=name, savepoint=savepoint)
        return Baseline(name=name, document=as_document(local_path(old)))
    document = as_document(old)
    return Baseline(name=document.name, document=document)


def pin_release(baseline: Baseline, version: str, *, replace: bool = False) -> Baseline:
    """Set the release of the baseline's document, unless it names one.

    ``replace``: the user names the release, of a savepoint without a document too.
    """
    document = baseline.document
    if not replace and (document is None or document.flink is not None):
        return baseline
    if document is not None and document.kind != DataSetDocument.kind:
        document = document.under(release(version).version)
    flink = version if replace else baseline.flink_version
    return msgspec.structs.replace(baseline, document=document, flink_version=flink)


def baseline_of(document: Document) -> Baseline | None:
    """Read the baseline in a document; raises ``ExplorerError`` if its savepoint is invalid."""
    values = document.baseline
    if values is None:
        return None
    program, savepoint = values.get("document"), values.get("savepoint")
    return Baseline(
        name=values["name"],
        document=None if program is None else load_document(program),
        savepoint=None if savepoint is None else savepoint_from_values(savepoint),
        matches=values.get("matches", {}),
        flink_version=values.get("flink"),
    )


def baseline_values(baseline: Baseline) -> dict[str, Any]:
    """Return the baseline as a document holds it; its own document is without a baseline."""
    values: dict[str, Any] = {"name": baseline.name[:MAX_ID] or "baseline"}
    if baseline.document is not None:
        values["document"] = document_values(baseline.document.with_baseline(None))
    if baseline.savepoint is not None:
        values["savepoint"] = savepoint_values(baseline.savepoint)
    if baseline.matches:
        values["matches"] = dict(baseline.matches)
    if baseline.flink_version is not None:
        values["flink"] = baseline.flink_version
    return values


class CompiledBaseline(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A baseline, compiled for its release."""

    name: str
    document: Document | None = None
    program: Compilation | None
    """The document's compilation; None where there is a savepoint alone."""
    savepoint: Savepoint
    """A real savepoint, or one with the state that the program's operators have for certain."""
    possible_savepoint: Savepoint
    """The savepoint with state for each function of the program that may have some."""
    held: Mapping[str, HeldState]
    """Maps operator IDs to the operators' state."""
    real: bool
    """Whether the savepoint exists, so that its state sizes are known."""
    matches: Mapping[str, str] = {}
    configuration: Mapping[str, object] = {}
    origin: StateOrigin = "savepoint"
    releases: tuple[str, ...]
    """The Flink releases that it may be of, oldest first: the program's, else those that write
    the savepoint's format."""
    version: str | None = None
    """Its version with the patch level; None: not known."""

    @property
    def options(self) -> Mapping[str, object]:
        """The options of the program and of its cluster."""
        return {**(self.document.options if self.document else {}), **self.configuration}

    @cached_property
    def nodes(self) -> Mapping[str, NodeId]:
        """Maps operator IDs to the program's nodes."""
        hashes = self.program.hashes if self.program else {}
        return {id: node for node, id in hashes.items()}

    def matched_nodes(self, matches: Mapping[str, Match]) -> dict[NodeId, NodeId]:
        """Map nodes of the program to the new program's nodes that are the same operators."""
        pairs = {node: matches.get(id, NOT_MATCHED).node for id, node in self.nodes.items()}
        return {old_node: node for old_node, node in pairs.items() if node is not None}


def compile_baseline(baseline: Baseline, flink_version: str | None = None) -> CompiledBaseline:
    """Compile the baseline's document for its own release.

    That is the one that the user or the document names, else ``flink_version``; a savepoint of
    another format names the newest release that writes it. Raises ``ExplorerError`` where Flink
    refuses the document.
    """
    name, document, savepoint = baseline.name, baseline.document, baseline.savepoint
    other_version = release(flink_version or LATEST).version
    versions = baseline.releases(other_version)
    if document is not None:
        versions = (other_version if other_version in versions else versions[-1],)
    program = None
    if document is not None:
        program = compile_program(document, versions[0])
        program = with_overrides(program, {**document.options, **baseline.configuration})
    if savepoint is not None:
        return CompiledBaseline(
            name=name,
            document=document,
            program=program,
            savepoint=savepoint,
            possible_savepoint=savepoint,
            held={operator.operator_id: _saved_state(operator) for operator in savepoint.operators},
            real=True,
            matches=baseline.matches,
            configuration=baseline.configuration,
            origin=baseline.origin,
            releases=versions,
            version=baseline.version,
        )
    if program is None:
        msg = "a baseline is a document, a savepoint or both"
        raise ValueError(msg)
    deployed = deployed_program(name, program, document=document, matches=baseline.matches)
    return msgspec.structs.replace(
        deployed,
        configuration=baseline.configuration,
        origin=baseline.origin,
        version=baseline.version,
    )


def deployed_program(
    name: str,
    program: Compilation,
    held: Mapping[NodeId, HeldState] | None = None,
    *,
    document: Document | None = None,
    matches: Mapping[str, str] | None = None,
) -> CompiledBaseline:
    """Return a compiled program with the savepoint that it is expected to leave.

    ``held``: the state of its nodes, if it is not the program's ``held_states``.
    """
    held = program.held_states if held is None else held
    return CompiledBaseline(
        name=name,
        document=document,
        program=program,
        savepoint=expected_savepoint(program, held),
        possible_savepoint=expected_savepoint(program, held, possible=True),
        held={program.hashes[node]: state for node, state in held.items()},
        real=False,
        matches=matches or {},
        releases=(program.release.version,),
    )


def complete_states(
    old: CompiledBaseline, matches: Mapping[str, Match], held: Mapping[NodeId, HeldState]
) -> CompiledBaseline:
    """Complete the baseline with the state that only the new program shows for its operators.

    A cluster reports neither types nor classes of a running job: such an operator has the state of
    its counterpart. ``held`` maps new nodes to their state.
    """
    program = old.program
    if old.real or program is None:
        return old
    pairs = old.matched_nodes(matches)
    held_states = {node: old.held[id] for node, id in program.hashes.items()}
    reported = {
        node.id: held[pairs[node.id]]
        for node in program.stream_graph.nodes
        if node.is_reported and node.id in pairs
    }
    completed = held_states | reported
    if completed == held_states:
        return old
    states = deployed_program(old.name, program, completed)
    return msgspec.structs.replace(
        old,
        savepoint=states.savepoint,
        possible_savepoint=states.possible_savepoint,
        held=states.held,
    )


def _saved_state(state: OperatorState) -> HeldState:
    if not state.has_state:
        return HeldState(certainty="none", what="no state")
    kinds = [kind for kind in state.kinds if kind in {"keyed", "operator"}]
    kinds_text = " and ".join(f"{kind} state" for kind in kinds)
    return HeldState(
        certainty="known",
        what=kinds_text or ("state" if state.has_own_state else "records in flight"),
    )
