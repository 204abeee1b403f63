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
    root.extend(_suite(one) for one in files)
    for count in ("tests", "failures"):
        root.set(count, str(sum(int(suite.get(count, 0)) for suite in root)))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False)


def _suite(one: Checked) -> ET.Element:
    found: dict[str, list[Located]] = defaultdict(list)
    for located in one.located():
        found[located[0].code].append(located)
    codes = dict.fromkeys((*found, *one.findings.asked))
    cases = [_case(one.file, code, found[code]) for code in codes]
    failures = sum(case.find("failure") is not None for case in cases)
    suite = ET.Element(
        "testsuite", name=_clean(one.file), tests=str(len(cases)), failures=str(failures)
    )
    suite.extend(cases)
    return suite


def _case(file: str, code: str, found: Sequence[Located]) -> ET.Element:
    case = ET.Element("testcase", classname=_clean(file), name=f"{code} {BY_CODE[code].title}")
    failing = [each for each in found if each[0].counts and each[0].severity == "error"]
    if failing:
        message = failing[0][0].message
        failure = ET.SubElement(case, "failure", message=_clean(message), type=code)
        failure.text = _lines(failing)
    elif found and not any(each[0].counts for each in found):
        ET.SubElement(case, "skipped", message=_clean(found[0][0].silenced or ""))
    others = [each for each in found if each not in failing]
    if others:
        ET.SubElement(case, "system-out").text = _lines(others)
    return case


def _lines(found: Sequence[Located]) -> str:
    return "\n".join(
        _clean(
            f"{file}:{place.line}: {finding.severity}: {finding.message}"
            + ("" if finding.counts else f" (silenced: {finding.silenced})")
        )
        for finding, file, place in found
    )


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
