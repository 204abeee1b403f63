"""Plain English: terms that the glossary rejects do not come back, and modules have clear names.

The test reads strings, docstrings and identifiers of the Python code, all words of our JavaScript,
and the sentences of README and docs; a message names the word's place and its replacement. A
module's name occurs at most twice, unless all of its modules have one subject.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.python_sources import SAME_WORKER, parsed, syntax_nodes

pytestmark = SAME_WORKER
ROOT: Final = Path(__file__).resolve().parents[1]
CODE: Final = tuple(
    path
    for package in ("explorer", "components", "reference", "benchmarks")
    for path in sorted((ROOT / package).rglob("*.py"))
)
SCRIPTS: Final = tuple(
    path
    for package in ("explorer", "components")
    for path in sorted((ROOT / package).rglob("*.js"))
    if path.name != "codemirror.js"
)
"""Our own scripts, without the bundled editor."""
PAGES: Final = (
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
)
REJECTED: Final = {
    "mend mends mended mending": "fix, suggested fix",
    "heard unheard": "applied, accepted, read",
    "foretell foretold": "predict, predicted",
    "lit unlit": "highlighted",
    "told untold": "reported, shown",
    "thereby wherein thereof hence": "so, in which, of it",
    "shelf house houses": "row, package",
    "somebody someone anybody whoever": "user, caller, visitor",
    "wires": "data exchange, network exchange",
    "insides": "task internals",
}
"""Words that stand for a term of Flink or of the glossary, and the term to write."""

NAMED_AFTER_A_SUBJECT: Final = {
    "__init__": "a package",
    "stream_graphs": "StreamGraph documents: captured, read and edited",
}
"""Module names that more than two packages have, each with the common subject."""


class Place(NamedTuple):
    """A text of the project with its place."""

    path: Path
    line: int
    kind: str
    text: str


def in_code(path: Path) -> Iterator[Place]:
    """Yield the strings, docstrings and declared names of a module."""
    below = set[int]()
    for node in syntax_nodes(path):  # a statement's parent comes before its value
        if isinstance(body := getattr(node, "body", None), list):
            below.update(id(inner.value) for inner in body if isinstance(inner, ast.Expr))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            kind = "docstring" if id(node) in below else "string"
            yield Place(path, node.lineno, kind, node.value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield Place(path, node.lineno, "identifier", spelled(node.id))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield Place(path, node.lineno, "identifier", spelled(node.name))
        elif isinstance(node, ast.arg):
            yield Place(path, node.lineno, "identifier", spelled(node.arg))


@cache
def spelled(name: str) -> str:
    """Return the words of an identifier, separated by blanks."""
    return " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name))


def in_script(path: Path) -> Iterator[Place]:
    """Yield the lines of a script, the words of its identifiers separated by blanks."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        yield Place(path, number, "script", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", line))


def in_pages(path: Path) -> Iterator[Place]:
    """Yield the lines of a page outside code blocks."""
    text = re.sub(
        r"^```.*?^```",
        lambda block: "\n" * block[0].count("\n"),
        path.read_text(encoding="utf-8"),
        flags=re.DOTALL | re.MULTILINE,
    )
    for number, line in enumerate(text.splitlines(), start=1):
        yield Place(path, number, "page", re.sub(r"`[^`]*`", "", line))


@cache
def places() -> tuple[Place, ...]:
    """All texts and names of the project."""
    modules = [Place(path, 0, "identifier", spelled(path.stem)) for path in CODE]
    code = (place for path in CODE for place in in_code(path))
    scripts = (place for path in SCRIPTS for place in in_script(path))
    pages = (place for path in PAGES for place in in_pages(path))
    return (*modules, *code, *scripts, *pages)


@pytest.mark.slow
def test_a_rejected_term_stays_away() -> None:
    instead = {form: term for forms, term in REJECTED.items() for form in forms.split()}
    pattern = re.compile(rf"(?<![\w.#-])(?:{'|'.join(instead)})(?![\w-])", re.IGNORECASE)
    found = [
        f"{place.path.relative_to(ROOT)}:{place.line}: write {instead[match[0].lower()]}"
        for place in places()
        for match in pattern.finditer(place.text)
    ]

    assert found == []


def test_identifiers_are_read_word_by_word() -> None:
    assert spelled("_lit_way") == "lit way"
    assert spelled("CheckMend") == "Check Mend"
    assert spelled("MENDS") == "MENDS"


def test_a_modules_name_occurs_at_most_twice() -> None:
    names = [
        path.stem for path in CODE if path.parts[len(ROOT.parts)] in {"explorer", "components"}
    ]

    assert {name for name in names if names.count(name) > 2} == set(NAMED_AFTER_A_SUBJECT)


@pytest.mark.slow
@pytest.mark.parametrize("package", ["deployment", "drawing", "flink", "model", "savepoints"])
def test_a_module_is_described_by_a_statement(package: str) -> None:
    modules = sorted((ROOT / "explorer" / package).rglob("*.py"))
    summaries = {
        str(path.relative_to(ROOT)): (ast.get_docstring(parsed(path)) or "").partition("\n")[0]
        for path in modules
    }

    assert [
        path for path, summary in summaries.items() if summary.endswith("?") or "? " in summary
    ] == []
