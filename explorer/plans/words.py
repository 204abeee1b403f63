"""How every text output of a plan spells a change: values, sizes and short IDs."""

import re
from collections.abc import Mapping
from typing import Final

from explorer.plans.record import ChangeSeverity, PlanChange, PlanSection, PlanSide
from explorer.plans.sizes import readable_size
from explorer.wording import counted, listed, printable

MARKS: Final[Mapping[ChangeSeverity, str]] = {
    "error": "✗",
    "unchecked": "?",
    "warning": "!",
    "note": "·",
}
"""By severity, the mark at the start of a line."""
_ID: Final = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{24}\b")


def short_ids(text: str) -> str:
    """A text with each operator or vertex ID cut to its first eight digits.

    >>> short_ids("90bea66de1c231edf33913ecd54406c1")
    '90bea66d…'
    """
    return _ID.sub(r"\1…", text)


def values(change: PlanChange) -> str:
    """A change's values and the size of its state, as ``keyed state → refused, 412 MiB``."""
    old, new = change.before, change.after
    spelled = f"{old} → {new}" if old and new else new or (f"removed: {old}" if old else "")
    size = readable_size(change.state_bytes) if change.state_bytes else ""
    return printable(", ".join(part for part in (spelled, size) if part))


def sentence(change: PlanChange) -> str:
    """A change's sentence; nothing where it only repeats the values of a figure."""
    if change.sentence.startswith(f"{change.subject}: "):
        return ""
    return printable(change.sentence)


def side_words(side: PlanSide) -> str:
    """One side: the job, the release, what it was read from, the size of its savepoint."""
    size = f", {readable_size(side.state_bytes)} of state" if side.state_bytes else ""
    release = f"Flink {side.release}" if side.release else "Flink release not known"
    job = f"{side.job}, " if side.job and side.job != side.read_from else ""
    # A savepoint alone is what the side was read from, under whichever name.
    saved = side.savepoint if side.job and side.savepoint != side.read_from else None
    named = "savepoint" if saved == "savepoint" else f"savepoint {saved}"
    savepoint = f", {named}" if saved else ""
    return printable(f"{job}{release}, {side.read_from}{savepoint}{size}")


def hidden_words(section: PlanSection) -> str:
    """How many lines only the details show; empty: none."""
    parts = []
    if section.rest:
        parts.append(counted(len(section.rest), "more change"))
    if section.unchanged:
        parts.append(counted(len(section.unchanged), "unchanged line"))
    return listed(parts) if parts else ""
