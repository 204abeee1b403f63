"""Suggested fixes: each proposed change is made, compiled and checked again before it is shown."""

from typing import NamedTuple

import msgspec

from explorer.edits.applying import apply_if_allowed
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.changes import Proposal
from explorer.model.pipeline import Pipeline


class SuggestedFix(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a document that was made and checked again."""

    code: str
    """The chaining rule or the check that it is for."""
    label: str
    pipeline: Pipeline
    solved: bool
    """Whether the condition holds, or the finding is gone, with this change alone."""
    effect: str
    """Its effect on tasks and IDs, such as ``3 tasks → 2, 2 IDs change``, or the refusal."""


class Attempt(NamedTuple):
    """A proposed change that the document allows, made."""

    proposal: Proposal
    pipeline: Pipeline
    compilation: Compilation | None
    """None: the changed document does not compile."""
    refusal: str = ""


def attempt_change(
    pipeline: Pipeline,
    proposal: Proposal,
    *,
    flink_version: str | None = None,
    before: Compilation | None = None,
) -> Attempt | None:
    """Make a change and compile it.

    ``before``: the compilation of ``pipeline``, with which the new one shares unchanged passes.
    Returns None where the document does not allow the change, or stays the same with it.
    """
    changed = apply_if_allowed(pipeline, proposal.change)
    if changed is None or changed == pipeline:
        return None
    try:
        compilation = compile_program(changed, flink_version, previous=before)
    except ExplorerError as error:
        return Attempt(proposal, changed, None, str(error))
    return Attempt(proposal, changed, compilation)
