"""Findings as JUnit's XML, which every CI server draws: a suite a file, a case a rule."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from explorer.checks.findings import Finding
from explorer.checks.reporting import Checked
from explorer.checks.table import BY_CODE
from explorer.documents.text.places import TextPosition

Located = tuple[Finding, str, TextPosition]

_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def junit_report(files: Sequence[Checked]) -> str:
    """A failure for each finding at error level; other findings are standard output."""
    root = ET.Element("testsuites", name="streamgraph-explorer check")
    root.extend(_suite(file) for file in files)
    for count in ("tests", "failures"):
        root.set(count, str(sum(int(suite.get(count, 0)) for suite in root)))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False)


def _suite(checked: Checked) -> ET.Element:
    result: dict[str, list[Located]] = defaultdict(list)
    for located in checked.located():
        result[located[0].code].append(located)
    codes = dict.fromkeys((*result, *checked.findings.asked))
    cases = [_case(checked.file, code, result[code]) for code in codes]
    failures = sum(case.find("failure") is not None for case in cases)
    suite = ET.Element(
        "testsuite", name=_clean(checked.file), tests=str(len(cases)), failures=str(failures)
    )
    suite.extend(cases)
    return suite


def _case(file: str, code: str, result: Sequence[Located]) -> ET.Element:
    case = ET.Element("testcase", classname=_clean(file), name=f"{code} {BY_CODE[code].title}")
    failing = [
        checked for checked in result if checked[0].counts and checked[0].severity == "error"
    ]
    if failing:
        message = failing[0][0].message
        failure = ET.SubElement(case, "failure", message=_clean(message), type=code)
        failure.text = _lines(failing)
    elif result and not any(checked[0].counts for checked in result):
        ET.SubElement(case, "skipped", message=_clean(result[0][0].silenced or ""))
    not_failing = [checked for checked in result if checked not in failing]
    if not_failing:
        ET.SubElement(case, "system-out").text = _lines(not_failing)
    return case


def _lines(result: Sequence[Located]) -> str:
    return "\n".join(
        _clean(
            f"{file}:{place.line}: {finding.severity}: {finding.message}"
            + ("" if finding.counts else f" (silenced: {finding.silenced})")
        )
        for finding, file, place in result
    )


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
