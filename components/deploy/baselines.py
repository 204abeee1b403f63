"""Callbacks that set the baseline and carry state over from it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from components.session import session, shared
from components.session.callbacks import BASELINE, attempt, with_document, with_widget_value
from components.session.measured import measured
from components.session.work import Work, replaced
from explorer.comparison.baseline import Baseline, baseline_of, baseline_values, pin_release
from explorer.documents import Document, load_document
from explorer.errors import ExplorerError, found_at, found_in
from explorer.flink.releases import LATEST, VERSIONS
from explorer.restore.bridge import Bridge
from explorer.restore.verdict import RestoreVerdict
from explorer.savepoints.loading import is_metadata, read_metadata

NOTHING = "there is no baseline to carry state over from, or it does not compile"


def make_this() -> None:
    """Make the document at hand the baseline."""
    attempt(BASELINE, lambda work: _measured_from(work, _of(work)))


def _of(work: Work) -> Baseline:
    document = work.document
    name = document.name if document.name != "pipeline" else work.origin
    return Baseline(name=name or document.name, document=document)


def forget() -> None:
    """Reset the baseline to the original document."""
    attempt(BASELINE, lambda work: _measured_from(work, None))


@with_widget_value
def upload(file: Any) -> None:
    """Make an uploaded document or savepoint the baseline."""
    if file is None:
        session.clear_messages(BASELINE)
        return
    take(file.getvalue(), str(file.name), place=BASELINE)


def take(content: bytes, name: str, *, place: str) -> bool:
    """Make a document or a savepoint the baseline; messages stand at ``place``."""
    return attempt(place, lambda work: _measured_from(work, read(content, name)))


def is_savepoint(content: bytes, name: str) -> bool:
    """Whether bytes begin as a savepoint's metadata, or are called so."""
    return is_metadata(content) or name.startswith("_metadata")


def read(content: bytes, name: str) -> Baseline:
    """A savepoint where the bytes begin as one, or are called so; else a document."""
    if is_savepoint(content, name):
        with found_at(name):
            return Baseline(name=name, savepoint=read_metadata(content))
    with found_in(name):
        return Baseline(name=name, document=shared.parse(content, name))


def _measured_from(work: Work, baseline: Baseline | None) -> Work:
    values = None
    if baseline is not None:
        values = baseline_values(pin_release(baseline, work.document.flink or LATEST))
    return replaced(work, work.document.with_baseline(values), work.selection)


def take_release(version: str | None) -> None:
    """Compile the baseline as this release does; the current version's release stays."""
    if version in VERSIONS:
        attempt(BASELINE, lambda work: _under(work, version))


set_release: Final = with_widget_value(take_release)
"""Compile the baseline as the release that was picked does."""


def _under(work: Work, version: str) -> Work:
    baseline = baseline_of(work.document)
    if baseline is None or baseline.document is None:
        return work
    values = baseline_values(pin_release(baseline, version, replace=True))
    return replaced(work, work.document.with_baseline(values), work.selection)


def _match(shown: str | None, old: str, names: Mapping[str, str]) -> None:
    attempt(BASELINE, lambda work: _with_match(work, old, names.get(shown or "")))


set_match: Final = with_widget_value(_match)
"""Say which new operator an old one is: the one that was picked, by its text in ``names``."""


def _with_match(work: Work, old: str, new: str | None) -> Work:
    """Add a match to the baseline; remove the one of ``old`` where ``new`` is None."""
    baseline = measured(work, session.compiled(work.document)).baseline
    if baseline is None:
        raise ExplorerError(NOTHING)
    matches = {name: current for name, current in baseline.matches.items() if name != old}
    if new is not None:
        matches = {name: now for name, now in matches.items() if now != new} | {old: new}
    values = baseline_values(msgspec.structs.replace(baseline, matches=matches))
    return replaced(work, work.document.with_baseline(values), work.selection)


def replace_program(values: Mapping[str, Any]) -> None:
    """Replace the open program by a changed one; the baseline stays."""
    attempt(BASELINE, lambda work: _with_program(work, values))


def _with_program(work: Work, values: Mapping[str, Any]) -> Work:
    changed = load_document(values)
    return with_document(work, changed.with_baseline(work.document.baseline))


def bridge(build: Callable[[RestoreVerdict, Document], Bridge]) -> None:
    """Give the operators what carries their state over."""
    attempt(BASELINE, lambda work: _with_bridge(work, build))


def _with_bridge(work: Work, build: Callable[[RestoreVerdict, Document], Bridge]) -> Work:
    restore = measured(work, session.compiled(work.document)).verdict
    if restore is None:
        raise ExplorerError(NOTHING)
    return with_document(work, build(restore, work.document).document)
