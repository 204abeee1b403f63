"""Reference pages of the rules of ``check`` and of the chaining rules, from their tables."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from explorer.checks.rule import CheckRule
from explorer.checks.table import CHECKS
from explorer.flink.releases import VERSIONS, release
from explorer.flink.rules import RULES
from reference.markdown import block, plain, table, yaml_document


class Example(Protocol):
    """A document with a finding, and the same document after the fix."""

    @property
    def bad(self) -> Mapping[str, Any]:
        """The document with a finding."""

    @property
    def good(self) -> Mapping[str, Any]:
        """The document without one."""

    @property
    def flink(self) -> str:
        """The Flink release."""

    @property
    def locked(self) -> Mapping[str, Any] | None:
        """The document that the lock file was written for."""


class Scripts(NamedTuple):
    """A SQL script with a finding, and one without."""

    bad: str
    good: str


def check_index() -> str:
    """Return the page that lists all rules of ``check``."""
    rows = (
        (f"[{rule.code}]({rule.code}.md)", plain(rule.title), rule.severity, rule.releases)
        for rule in CHECKS
    )
    return (
        "# Check rules\n\n`check FILE` asks all rules below. Severities can be changed and findings"
        " silenced with a reason, in the document (`check: {severities: ..., silenced: ...}`) or on"
        " the command line.\n\n" + table(["code", "what is wrong", "severity", "releases"], rows)
    )


def check_page(rule: CheckRule, example: Example | Scripts) -> str:
    """Return the page of one rule: what, why, what to do, a bad example and the fix."""
    found = _scripts(example) if isinstance(example, Scripts) else _example(example)
    return f"{rule.page}\n{found}"


def _scripts(scripts: Scripts) -> str:
    bad, good = (block("sql", script.strip("\n") + "\n") for script in scripts)
    return f"## Bad example\n\n{bad}\n## Fix\n\n{good}"


def _example(example: Example) -> str:
    lock = ""
    if example.locked is not None:
        lock = (
            "The lock file was written for this document:\n\n"
            + block("yaml", _document(example.locked, example.flink))
            + "\n"
        )
    return (
        f"## Bad example\n\n{lock}{block('yaml', _document(example.bad, example.flink))}\n"
        f"## Fix\n\n{block('yaml', _document(example.good, example.flink))}"
    )


def _document(document: Mapping[str, Any], flink: str) -> str:
    return yaml_document({"flink": flink, **document})


def chaining_page() -> str:
    """Return the page of the conditions under which Flink chains two operators."""
    heads = ["code", "condition", "what must hold and why", "releases"]
    rows = ((rule.code, plain(rule.title), plain(rule.reason), _releases(rule)) for rule in RULES)
    return (
        "# Chaining rules\n\nTwo operators share a task if all conditions of the release hold for"
        " the edge between them. `explain FILE --edge A->B` lists each condition with the values it"
        " looked at. The table mirrors `StreamingJobGraphGenerator.isChainable`.\n\n"
        + table(heads, rows)
    )


def _releases(rule: Any) -> str:
    known = [version for version in VERSIONS if rule.applies(release(version))]
    return "all" if len(known) == len(VERSIONS) else f"{known[0]} to {known[-1]}"
