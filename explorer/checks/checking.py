"""Ask every rule of a document."""

from collections.abc import Collection, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import msgspec

from explorer.checks.check_case import CheckCase
from explorer.checks.findings import LEVELS, Finding, Findings
from explorer.checks.lock import Lock, read_lock
from explorer.checks.rule import CheckRule, Found
from explorer.checks.table import CHECKS, rule_called
from explorer.comparison.baseline import Baseline, baseline_of
from explorer.documents import Program, as_document
from explorer.documents.loading import read_file
from explorer.errors import ExplorerError, FlinkRefusalError, UnsupportedReleaseError, found_at
from explorer.flink import releases
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.document import Document
from explorer.model.pipeline import CheckSettings, Severity
from explorer.restore.verdict import RestoreVerdict
from explorer.wording import step

NOTHING: Final = CheckSettings()


def check(
    document: Program,
    *,
    lock: Lock | str | Path | None = None,
    flink_version: str | None = None,
) -> Findings:
    """Check a document by all rules.

    ``lock``: a ``Lock``, or the path of its file; its facts must not change. Raises
    ``ExplorerError`` if the document or its lock cannot be read; a refusal by Flink is a finding.
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
    verdict: RestoreVerdict | None = None,
    codes: Collection[str] | None = None,
) -> Findings:
    """Check a document and a lock that are loaded already.

    ``weights`` win over the document's own. ``before``: the document's compilation, where known.
    ``baseline``: default: the document's own. ``verdict``: the restore verdict from that baseline,
    where known. ``codes``: the rules to check; default: all. Raises ``TooLargeError`` for more
    edges than ``edge_limit`` allows.
    """
    release = releases.release(flink_version or document.flink or releases.LATEST)
    compilation, refusal = _compile(document, release.version, before)
    case = CheckCase(
        document=document,
        release=release,
        compilation=compilation,
        refusal=refusal,
        lock=lock,
        baseline=baseline or own_baseline(document),
        known_verdict=verdict,
    )
    weighed = weights_of(document.check, weights)
    rules = [
        rule
        for rule in applicable_rules(case)
        if (codes is None or rule.code in codes) and _severity(rule, weighed) != "off"
    ]
    findings = [
        _finding(case, rule, find, weighed)
        for rule in rules
        if rule.reports(case.flink_message)
        for find in rule.finds(case)
    ]
    # Sorting is stable: within a severity the order stays that of the rules and of the document.
    findings.sort(key=lambda finding: LEVELS.index(finding.severity))
    return Findings(
        name=document.name,
        flink_version=release.version,
        findings=tuple(findings),
        asked=tuple(rule.code for rule in rules),
    )


def _compile(
    document: Document, version: str, before: Compilation | None
) -> tuple[Compilation | None, ExplorerError | None]:
    """The compilation of a job that Flink submits and starts, or why there is none."""
    try:
        compilation = compile_program(document, version, previous=before)
        compilation.execution_graph  # noqa: B018 - Flink may refuse when the job starts
    except (FlinkRefusalError, UnsupportedReleaseError) as error:
        return None, error
    return compilation, None


def own_baseline(document: Document) -> Baseline | None:
    """The baseline that the document holds; None where it holds none that can be read."""
    try:
        return baseline_of(document)
    except ExplorerError:
        return None


def applicable_rules(case: CheckCase) -> Iterator[CheckRule]:
    """The rules that apply to a case and have what they need."""
    has = {
        "document": False,
        "refusal": case.refusal is not None,
        "compilation": case.compilation is not None,
        "program": case.compilation is not None and case.is_complete,
        "lock": case.compilation is not None and case.lock is not None,
    }
    unanswerable = unanswerable_rules()
    for rule in CHECKS:
        is_writable = case.sql_plan is None or not rule.by_api
        is_answerable = is_writable and rule not in unanswerable
        if has[rule.needs] and is_answerable and rule.applies(case.release):
            yield rule


def unanswerable_rules() -> tuple[CheckRule, ...]:
    """The rules with a library that is not installed."""
    return tuple(rule for rule in CHECKS if rule.library and find_spec(rule.library) is None)


def _severity(rule: CheckRule, weights: CheckSettings) -> Severity:
    return weights.severities.get(rule.code, rule.severity)


def _finding(case: CheckCase, rule: CheckRule, result: Found, weights: CheckSettings) -> Finding:
    if not case.transformations:
        # Proposals change a pipeline; a StreamGraph has none.
        result = msgspec.structs.replace(result, proposals=())
    silenced = weights.silenced.get(rule.code)
    if silenced is not None and not isinstance(silenced, str):
        silenced = next((silenced[name] for name in result.about if name in silenced), None)
    return Finding(
        code=rule.code,
        severity=_severity(rule, weights),
        title=rule.title,
        silenced=silenced,
        **msgspec.structs.asdict(result),
    )


def weights_of(
    document_settings: CheckSettings, settings: CheckSettings = NOTHING
) -> CheckSettings:
    """Merge others over the document's weights; raises ``DocumentError`` for an unknown code."""
    for member in ("severities", "silenced"):
        for code in getattr(document_settings, member):
            with found_at(f"check.{member}.{step(code)}"):
                rule_called(code)
    return CheckSettings(
        severities={**_upper(document_settings.severities), **settings.severities},
        silenced={**_upper(document_settings.silenced), **settings.silenced},
    )


def _upper(by_code: Mapping[str, Any]) -> dict[str, Any]:
    return {code.upper(): value for code, value in by_code.items()}
