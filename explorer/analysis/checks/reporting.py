"""Findings of several files as one report: text, JSON, SARIF, JUnit or GitHub's annotations."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from explorer.analysis.checks.findings import Finding, Findings
from explorer.analysis.checks.table import BY_CODE
from explorer.analysis.suggested_fixes import SuggestedFix
from explorer.documents.places import TextPosition, places
from explorer.errors import DocumentError, ExplorerError


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """One file with what was found in it."""

    file: str
    lock_file: str
    findings: Findings
    places: tuple[TextPosition, ...]
    """By finding, where it stands: in the file, or in its lock."""
    fixes: tuple[tuple[SuggestedFix, ...], ...] = ()
    """By finding, what was tried and would fix it; empty: nothing was tried."""

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
    """A file's findings with their places; ``text`` and ``lock``: what both files hold."""
    found: dict[bool, Iterator[TextPosition]] = {}
    for in_lock, content in ((False, text), (True, lock)):
        paths = [one.path for one in findings.findings if one.in_lock == in_lock]
        found[in_lock] = iter(places(content, paths) if paths else ())
    return Checked(
        file=file,
        lock_file=lock_file,
        findings=findings,
        places=tuple(next(found[one.in_lock]) for one in findings.findings),
        fixes=tuple(fixes),
    )


def unreadable(file: str, error: ExplorerError, *, in_lock: bool = False) -> Findings:
    """Findings for a file that is no document, or no lock."""
    rule = BY_CODE["DC01"]
    path, message = (
        (error.path, str(error)) if isinstance(error, DocumentError) else ("", str(error))
    )
    finding = Finding(
        code=rule.code,
        severity="error",
        title=rule.title,
        message=message,
        path=path,
        in_lock=in_lock,
    )
    return Findings(name=file, flink="", findings=(finding,))


def text_report(files: Sequence[Checked]) -> str:
    """Each finding with its place, its code and what would fix it; the verdicts at the end."""
    lines = [line for one in files for line in _text_lines(one)]
    wording = [f"{one.file}: {one.findings.sentence}" for one in files]
    return "\n".join([*lines, *wording])


def _text_lines(one: Checked) -> Iterator[str]:
    for turn, (finding, file, place) in enumerate(one.located()):
        level = "silenced" if not finding.counts else finding.severity
        yield f"{file}:{place.line}: {level} {finding.code}: {finding.message}"
        if not finding.counts:
            yield f"    because: {finding.silenced}"
            continue
        tried = one.fixes[turn] if one.fixes else ()
        yield from (f"    fix: {fix.label}: {fix.effect}" for fix in tried)
        if finding.options:
            label = "fix" if finding.option_outcome else "possible fix"
            yield f"    {label}: {finding.option_fix}"
        if not tried:
            yield f"    {BY_CODE[finding.code].todo}"


def json_report(files: Sequence[Checked]) -> str:
    """Everything as JSON, a member a file."""
    return to_json({"files": [_members(one) for one in files]})


def _members(one: Checked) -> dict[str, Any]:
    members = one.findings.to_dict()
    for turn, ((_, file, place), finding) in enumerate(
        zip(one.located(), members["findings"], strict=True)
    ):
        finding |= {"file": file, "line": place.line, "column": place.column}
        if one.fixes:
            finding["fixes"] = [
                {"label": fix.label, "effect": fix.effect} for fix in one.fixes[turn]
            ]
    return {"file": one.file, **members}


def github_report(files: Sequence[Checked]) -> str:
    """A workflow command for each finding that counts, which GitHub shows at the line."""
    return "\n".join(line for one in files for line in _annotations(one))


_COMMANDS: Final = {"error": "error", "warning": "warning", "note": "notice"}


def _annotations(one: Checked) -> Iterator[str]:
    for finding, file, place in one.located():
        if finding.counts:
            title = f"{finding.code} {finding.title}"
            yield (
                f"::{_COMMANDS[finding.severity]} file={_property(file)},line={place.line},"
                f"col={place.column},title={_property(title)}::{_data(finding.message)}"
            )
    yield f"{one.file}: {one.findings.sentence}".replace("::", ": :")


def annotation(level: str, file: str, title: str, message: str) -> str:
    """A workflow command of GitHub for a finding that has no line of its own.

    ``level``: a severity of ``LEVELS``.
    """
    where = f"file={_property(file)},title={_property(title)}"
    return f"::{_COMMANDS[level]} {where}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def to_json(value: Any) -> str:
    """The value as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
