"""Findings of a rule in a document, which may have a release and a lock beside it."""

from typing import Any

from explorer import compile_graph
from explorer.checks import Finding, Findings
from explorer.checks.checking import check_document
from explorer.checks.lock import Lock, make_lock
from explorer.documents import load_document
from tests.checks.pairs import Document, Pair


def lock_of(pair: Pair) -> Lock | None:
    return None if pair.locked is None else make_lock(compile_graph(**given(pair)))


def given(pair: Pair) -> dict[str, Any]:
    document = pair.locked or {}
    return {"document": document, "flink_version": document.get("flink", pair.flink)}


def asked(document: Document, pair: Pair) -> Findings:
    lock = lock_of(pair)
    return check_document(load_document({"flink": pair.flink, **document}), lock=lock)


def of(code: str, findings: Findings) -> list[Finding]:
    return [one for one in findings.findings if one.code == code]


def found(code: str, document: Document, flink: str = "1.20") -> list[Finding]:
    """The findings of one rule in a document."""
    loaded = load_document({"flink": flink, **document})
    return [*check_document(loaded, codes={code}).findings]


def messages(code: str, document: Document, flink: str = "1.20") -> list[str]:
    return [one.message for one in found(code, document, flink)]
