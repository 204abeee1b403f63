"""Ask every rule of a document."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from explorer.analysis.baseline import Baseline, baseline_of
from explorer.analysis.checks.check_case import CheckCase
from explorer.analysis.checks.findings import LEVELS, Finding, Findings
from explorer.analysis.checks.rule import CheckRule, Found
from explorer.analysis.checks.table import CHECKS, rule_called
from explorer.analysis.lock import Lock, read_lock
from explorer.analysis.redeploy import Redeployment
from explorer.documents import as_document
from explorer.documents.loading import read_file
from explorer.errors import ExplorerError, FlinkRefusalError, UnsupportedReleaseError, found_at
from explorer.flink import releases
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.document import Document
from explorer.model.pipeline import CheckSettings, Severity
from explorer.wording import step

NOTHING: Final = CheckSettings()


def check(
    document: Document | Mapping[str, Any] | str | Path,
    *,
    lock: Lock | str | Path | None = None,
    flink_version: str | None = None,
) -> Findings:
    """All that may be wrong with a document, each with what to do about it.

    ``lock``: a ``Lock``, or the path of its file; what it holds must hold still. Raises
    ``ExplorerError`` where the document or its lock cannot be read; that Flink refuses the program
    is a finding.
    """
    if isinstance(lock, str | Path):
        lock = read_lock(read_file(Path(lock)))
    return check_document(as_document(document), lock=lock, flink_version=flink_version)


def check_document(
    document: Document,
    *,
    lock: Lock | None = None,
    flink_version: str | None = None,
    weights: CheckSettings = NOTHING,
    before: Compilation | None = None,
    baseline: Baseline | None = None,
    verdict: Redeployment | None = None,
    codes: Collection[str] | None = None,
) -> Findings:
    """The same for a document and a lock that were read.

    ``weights`` win over the document's own. ``before``: its compilation,
    where that is known. ``baseline``: default: the document's own. ``verdict``:
    the one on replacing the baseline by the document, where it is computed already. ``codes``: the
    rules to ask; default: all. Raises ``TooLargeError`` for more edges than ``edge_limit`` allows.
    """
    release = releases.release(flink_version or document.flink or releases.LATEST)
    done, refusal = _attempt(document, release.version, before)
    case = CheckCase(
        document=document,
        release=release,
        done=done,
        refusal=refusal,
        lock=lock,
        baseline=baseline or own_baseline(document),
        known_verdict=verdict,
    )
    weighed = weights_of(document.check, weights)
    rules = [
        rule
        for rule in asked(case)
        if (codes is None or rule.code in codes) and _severity(rule, weighed) != "off"
    ]
    found = [_finding(case, rule, one, weighed) for rule in rules for one in rule.found(case)]
    # Sorting is stable: within a severity the order stays that of the rules and of the document.
    found.sort(key=lambda one: LEVELS.index(one.severity))
    return Findings(
        name=document.name,
        flink=release.version,
        findings=tuple(found),
        asked=tuple(rule.code for rule in rules),
    )


def own_baseline(document: Document) -> Baseline | None:
    """The baseline that the document holds; None where it holds none that can be read."""
    try:
        return baseline_of(document)
    except ExplorerError:
        return None


def _attempt(
    document: Document, version: str, before: Compilation | None
) -> tuple[Compilation | None, ExplorerError | None]:
    try:
        done = compile_program(document, version, before=before)
        done.execution_graph  # noqa: B018 - what Flink refuses when the job starts is a refusal too
    except (FlinkRefusalError, UnsupportedReleaseError) as error:
        return None, error
    return done, None


def asked(case: CheckCase) -> Iterator[CheckRule]:
    """The rules that can be asked of a case."""
    has = {
        "document": False,
        "refusal": case.refusal is not None,
        "compilation": case.done is not None,
        "program": case.done is not None and case.reported,
        "lock": case.done is not None and case.lock is not None,
    }
    for rule in CHECKS:
        if has[rule.needs] and rule.applies(case.release):
            yield rule


def _severity(rule: CheckRule, weights: CheckSettings) -> Severity:
    return weights.severities.get(rule.code, rule.severity)


def _silenced(code: str, about: tuple[str, ...], weights: CheckSettings) -> str | None:
    """Why a finding does not count; None: it does."""
    reasons = weights.silenced.get(code)
    if reasons is None or isinstance(reasons, str):
        return reasons
    return next((reasons[name] for name in about if name in reasons), None)


def _finding(case: CheckCase, rule: CheckRule, found: Found, weights: CheckSettings) -> Finding:
    if not case.transformations:
        # Changes are those of a pipeline; a StreamGraph has none that could be tried.
        found = msgspec.structs.replace(found, proposals=())
    return Finding(
        code=rule.code,
        severity=_severity(rule, weights),
        title=rule.title,
        silenced=_silenced(rule.code, found.about, weights),
        **msgspec.structs.asdict(found),
    )


def weights_of(own: CheckSettings, more: CheckSettings = NOTHING) -> CheckSettings:
    """The document's weights with others on top; raises ``DocumentError`` for a code of no rule."""
    for member in ("severities", "silenced"):
        for code in getattr(own, member):
            with found_at(f"check.{member}.{step(code)}"):
                rule_called(code)
    return CheckSettings(
        severities={**_upper(own.severities), **more.severities},
        silenced={**_upper(own.silenced), **more.silenced},
    )


def _upper(by_code: Mapping[str, Any]) -> dict[str, Any]:
    return {code.upper(): value for code, value in by_code.items()}
