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


class Foreseen(msgspec.Struct, frozen=True, kw_only=True):
    """A change, and the document with it."""

    label: str
    document: Document


def foreseen_changes(document: Document) -> tuple[Foreseen, ...]:
    """Changes with an effect on IDs that a student may predict: the first few that apply."""
    pipeline = document.pipeline
    if pipeline is None:
        label = f"Turn chaining {'off' if document.chaining else 'on'}"
        toggled = document.with_chaining(on=not document.chaining)
        return (Foreseen(label=label, document=toggled),) if _compiles(toggled) else ()
    made = (
        Foreseen(label=one.label, document=changed)
        for one in _proposals(pipeline)
        if (changed := apply_if_allowed(pipeline, one.change)) is not None
        and changed != pipeline
        and _compiles(changed)
    )
    return tuple(islice(made, MOST))


def _compiles(document: Document) -> bool:
    try:
        compile_program(document)
    except ExplorerError:
        return False
    return True


def _proposals(pipeline: Pipeline) -> Iterator[Proposal]:
    """Propose a strategy or parallelism of each operator, then uids, then the job's chaining."""
    operators = [one for one in pipeline.transformations if KINDS[one.type].node]
    inner = [one for one in operators if one.inputs]
    for one in inner[:MOST]:
        yield to_set(one.id, "chaining_strategy", "HEAD", f"Start a new chain at {one.id}")
        yield to_set(one.id, "chaining_strategy", "NEVER", f"Set {one.id} to NEVER")
        more = (one.parallelism or pipeline.environment.parallelism) + 1
        yield to_set(one.id, "parallelism", more, f"Set parallelism of {one.id} to {more}")
    for one in operators[:MOST]:
        if one.uid is None:
            yield to_set(one.id, "uid", f"{one.id}-uid", f"Give {one.id} a uid")
    on = not pipeline.environment.chaining
    change = SetEnvironment(field="chaining", value=on)
    yield Proposal(label=f"Turn chaining {'on' if on else 'off'}", change=change)


def chains_question(done: Compilation, change: Foreseen | None = None) -> Answer:
    """Ask which edges chain in a compilation, or after a change of its document."""
    words = "Which edges will chain?"
    if change is not None:
        done = compile_program(change.document, done.release.version)
        words = f"{change.label}. {words}"
    found = chains(done, words)
    return msgspec.structs.replace(found, hides=True, partitioners=True)


def moved_ids_question(before: Compilation, change: Foreseen) -> Answer:
    """Ask which operators get another ID by the change; ``before`` must be traced."""
    after = compile_program(change.document, before.release.version, trace=True)
    words = f"{change.label}. Which operators will get another ID?"
    return moved_ids(Moves(before, after), words)
