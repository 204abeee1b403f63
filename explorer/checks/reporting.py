"""Findings of several files as one report: text, JSON, SARIF, JUnit or GitHub's annotations."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from explorer.checks.findings import Finding, Findings
from explorer.checks.table import BY_CODE
from explorer.documents.text.places import TextPosition, places
from explorer.errors import DocumentError, ExplorerError
from explorer.explain.suggested_fixes import SuggestedFix


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """One file with its findings."""

    file: str
    lock_file: str
    findings: Findings
    places: tuple[TextPosition, ...]
    """The position of each finding in the file or in its lock."""
    fixes: tuple[tuple[SuggestedFix, ...], ...] = ()
    """The tried fixes of each finding; empty: nothing was tried."""

    def located(self) -> Iterator[tuple[Finding, str, TextPosition]]:
        """Each finding with its file and its place there."""
        for finding, place in zip(self.findings.findings, self.places, strict=True):
            yield finding, self.lock_file if finding.in_lock else self.file, place


def checked(
    file: str,
    lock_file: str,
    text: str,
    lock: str,
    findings: Findings,
    fixes: Sequence[tuple[SuggestedFix, ...]] = (),
) -> Checked:
    """Locate a file's findings; ``text`` and ``lock``: the contents of the file and its lock."""
    result: dict[bool, Iterator[TextPosition]] = {}
    for in_lock, content in ((False, text), (True, lock)):
        paths = [finding.path for finding in findings.findings if finding.in_lock == in_lock]
        result[in_lock] = iter(places(content, paths) if paths else ())
    return Checked(
        file=file,
        lock_file=lock_file,
        findings=findings,
        places=tuple(next(result[finding.in_lock]) for finding in findings.findings),
        fixes=tuple(fixes),
    )


def unreadable(file: str, error: ExplorerError, *, in_lock: bool = False) -> Findings:
    """Findings for a file that is no document, or no lock."""
    rule = BY_CODE["DC01"]
    finding = Finding(
        code=rule.code,
        severity="error",
        title=rule.title,
        message=str(error),
        path=error.path if isinstance(error, DocumentError) else "",
        in_lock=in_lock,
    )
    return Findings(name=file, flink_version="", findings=(finding,))


def text_report(files: Sequence[Checked]) -> str:
    """Each finding with its place, code and fixes, then a verdict for each file."""
    lines = [line for file in files for line in _text_lines(file)]
    wording = [f"{file.file}: {file.findings.sentence}" for file in files]
    return "\n".join([*lines, *wording])


def _text_lines(checked: Checked) -> Iterator[str]:
    for turn, (finding, file, place) in enumerate(checked.located()):
        level = "silenced" if not finding.counts else finding.severity
        yield f"{file}:{place.line}: {level} {finding.code}: {finding.message}"
        if not finding.counts:
            yield f"    because: {finding.silenced}"
            continue
        tried = checked.fixes[turn] if checked.fixes else ()
        yield from (f"    fix: {fix.label}: {fix.effect}" for fix in tried)
        if finding.options:
            label = "fix" if finding.option_outcome else "possible fix"
            yield f"    {label}: {finding.option_fix}"
        if not tried:
            yield f"    {BY_CODE[finding.code].todo}"


def json_report(files: Sequence[Checked]) -> str:
    """All findings and fixes as JSON."""
    members = []
    for checked in files:
        values = checked.findings.to_dict()
        for finding, (_, file, place) in zip(values["findings"], checked.located(), strict=True):
            finding |= {"file": file, "line": place.line, "column": place.column}
        for turn, tried in enumerate(checked.fixes):
            fixes = [{"label": fix.label, "effect": fix.effect} for fix in tried]
            values["findings"][turn]["fixes"] = fixes
        members.append({"file": checked.file, **values})
    return to_json({"files": members})


def github_report(files: Sequence[Checked]) -> str:
    """A workflow command for each finding that counts, which GitHub shows at the line."""
    lines = []
    for checked in files:
        for finding, file, place in checked.located():
            if finding.counts:
                title = f"{finding.code} {finding.title}"
                lines.append(annotation(finding.severity, file, title, finding.message, place))
        lines.append(f"{checked.file}: {checked.findings.sentence}".replace("::", ": :"))
    return "\n".join(lines)


_COMMANDS: Final = {"error": "error", "warning": "warning", "note": "notice"}


def annotation(
    level: str, file: str, title: str, message: str, place: TextPosition | None = None
) -> str:
    """A workflow command of GitHub for a finding; ``level``: a severity of ``LEVELS``."""
    position = "" if place is None else f",line={place.line},col={place.column}"
    location = f"file={_property(file)}{position},title={_property(title)}"
    return f"::{_COMMANDS[level]} {location}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def to_json(value: Any) -> str:
    """The value as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
