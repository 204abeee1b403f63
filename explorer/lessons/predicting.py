"""Questions that apply to any pipeline: its chains, and the IDs that a change alters."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec

from explorer.edits.applying import apply_if_allowed
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.kinds import KINDS
from explorer.lessons.graph_facts import chains
from explorer.lessons.id_facts import Moves, moved_ids
from explorer.model.changes import Proposal, SetEnvironment, to_set
from explorer.model.document import Document
from explorer.model.lesson import Answer
from explorer.model.pipeline import Pipeline

MOST: Final = 16
"""Limit of the proposed changes."""


class PredictableChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change, and the document with it."""

    label: str
    document: Document


def predictable_changes(document: Document) -> tuple[PredictableChange, ...]:
    """Changes with an effect on IDs that a student may predict: the first few that apply."""
    pipeline = document.pipeline
    if pipeline is None:
        label = f"Turn chaining {'off' if document.chaining else 'on'}"
        toggled = document.with_chaining(on=not document.chaining)
        return (PredictableChange(label=label, document=toggled),) if _compiles(toggled) else ()
    changes = (
        PredictableChange(label=proposal.label, document=changed)
        for proposal in _proposals(pipeline)
        if (changed := apply_if_allowed(pipeline, proposal.change)) is not None
        and changed != pipeline
        and _compiles(changed)
    )
    return tuple(islice(changes, MOST))


def _compiles(document: Document) -> bool:
    try:
        compile_program(document)
    except ExplorerError:
        return False
    return True


def _proposals(pipeline: Pipeline) -> Iterator[Proposal]:
    """Propose a strategy or parallelism of each operator, then uids, then the job's chaining."""
    operators = [
        transformation
        for transformation in pipeline.transformations
        if KINDS[transformation.type].node
    ]
    inner = [item for item in operators if item.inputs]
    for operator in inner[:MOST]:
        yield to_set(
            operator.id, "chaining_strategy", "HEAD", f"Start a new chain at {operator.id}"
        )
        yield to_set(operator.id, "chaining_strategy", "NEVER", f"Set {operator.id} to NEVER")
        raised = (operator.parallelism or pipeline.environment.parallelism) + 1
        yield to_set(
            operator.id, "parallelism", raised, f"Set parallelism of {operator.id} to {raised}"
        )
    for operator in operators[:MOST]:
        if operator.uid is None:
            yield to_set(operator.id, "uid", f"{operator.id}-uid", f"Give {operator.id} a uid")
    on = not pipeline.environment.chaining
    change = SetEnvironment(field="chaining", value=on)
    yield Proposal(label=f"Turn chaining {'on' if on else 'off'}", change=change)


def chains_question(compilation: Compilation, change: PredictableChange | None = None) -> Answer:
    """Ask which edges chain in a compilation, or after a change of its document."""
    words = "Which edges will chain?"
    if change is not None:
        compilation = compile_program(change.document, compilation.release.version)
        words = f"{change.label}. {words}"
    answer = chains(compilation, words)
    return msgspec.structs.replace(answer, hides=True, partitioners=True)


def moved_ids_question(old_compilation: Compilation, change: PredictableChange) -> Answer:
    """Ask which operators get another ID by the change; ``old_compilation`` must be traced."""
    new_compilation = compile_program(change.document, old_compilation.release.version, trace=True)
    words = f"{change.label}. Which operators will get another ID?"
    return moved_ids(Moves(old_compilation, new_compilation), words)
