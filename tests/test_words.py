"""Plain English: private words for known things do not come back.

The test reads strings, docstrings and identifiers of the Python code, all words of our JavaScript,
and the sentences of README and docs; a message names the word's place and its replacement. Of tests
and samples it reads docstrings, names and texts, for the words that are clearly private. A module's
name occurs at most twice, unless all of its modules have one subject. A private function has a verb
in its name.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

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
TESTS: Final = tuple(sorted((ROOT / "tests").rglob("*.py")))
SAMPLES: Final = tuple(
    path
    for path in sorted((ROOT / "sample_graphs").rglob("*"))
    if path.suffix in {".yaml", ".ipynb"}
)
TEXT: Final = frozenset({"string", "docstring", "page", "script"})
ALL: Final = TEXT | {"identifier"}
IN_EXPLORER: Final = frozenset({"docstring", "identifier"})


class Word(NamedTuple):
    """A word that is not used, what is used instead, and in which kinds of text."""

    forms: str
    """Its forms, separated by blanks."""
    instead: str
    kinds: frozenset[str] = ALL
    folder: str = ""
    """The folder in which it is looked for; empty: everywhere."""
    allowed: str = ""
    """Phrases in which it is Flink's own term or a field's name: a regular expression."""


WORDS: Final = (
    Word("mend mends mended mending", "fix, suggested fix"),
    Word("heard hears unheard", "applied, accepted, read"),
    Word("foretell foretold", "predict, predicted"),
    Word("life lived", "lifecycle", kinds=TEXT),
    Word("lives", "exists; lifecycle of a task", folder="explorer"),
    Word("thereby wherein thereof hence", "so, in which, of it"),
    Word("besides beforehand", "also, before", kinds=TEXT - {"string"}),
    Word("besides beforehand", "also, before", folder="explorer"),
    Word("shelf house houses", "row, package"),
    Word("tell tells telling", "report, show, describe"),
    Word("told untold", "reported, shown", kinds=ALL - {"string"}),
    Word("seen unseen", "visible, read, found", folder="components"),
    Word("seen unseen", "visible, read, found", folder="explorer/drawing"),
    Word("whose", "with, of which"),
    Word("somebody someone anybody whoever", "user, caller, visitor", kinds=TEXT),
    Word("somebody someone anybody everybody whoever", "user, caller", folder="explorer"),
    Word("person people", "user, caller, reader", kinds=TEXT, folder="explorer"),
    Word("person people", "user, caller, reader", kinds=TEXT, folder="components"),
    Word("seen", "visible", kinds=frozenset({"identifier", "docstring"})),
    Word("says", "shows, reports, describes"),
    Word("said", "reported, text", kinds=ALL - {"string"}),
    Word("room rooms", "space, package", folder="explorer"),
    Word("way ways", "route, path, how", kinds=IN_EXPLORER | {"page"}),
    Word("walk walks walked", "traverse, upstream, downstream", kinds=IN_EXPLORER | {"page"}),
    Word("lit unlit", "highlighted"),
    Word("speaks", "names, reports, connects to"),
    Word("meant", "intended, expected, should"),
    Word("everybody nobody nobody's", "users, the public; no caller, or the passive voice"),
    Word(
        "taken",
        "accepted, read, chosen, in use",
        allowed=r"(savepoint|checkpoint|snapshot)s? (is|are|was|were) taken|^taken( by)?$",
    ),
    Word(
        "takes",
        "accepts, reads, needs, lasts, has",
        kinds=frozenset({"docstring", "identifier"}),
        allowed=r"takes (part|turns|checkpoints|a (third of a )?second|its head's maximum)",
    ),
    Word(
        r"hand(s|ed|ing)?\s(\w+\s)?(on|over|out|back)",
        "passes, forwards, emits, returns, sends",
        kinds=ALL - {"string"},
        allowed=r"^handed on$",
    ),
    Word(
        "kept keeps keeping",
        "retained, stored, has (state), unchanged",
        allowed="^kept$|``kept``",
    ),
    Word("wire wires", "data exchange, network exchange", allowed="^wire$|``wire``"),
    Word("beside", "next to, in addition to, compared with"),
    Word(r"what\sis\sdeployed", "baseline"),
    Word(r"so\smany", "limit, number of, this number of", allowed=r"so many tasks"),
    Word("lies lain", "is, is stored, is located", kinds=TEXT),
    Word(r"no\soperator\stakes", "belongs to no operator"),
    Word(r"takes?\s(it|them|one)?\s?(back|off)", "undo, remove, reset"),
    Word("inside insides", "task internals, in, within", allowed=r"^Inside$|\binside\.md\b"),
    Word(r"IDs?\s((that|which)\s)?move[sd]?", "changes, changed"),
    Word(r"key\sgroups?\s(of\sit\s)?(that\s)?move[sd]?", "reassigned"),
    Word(r"follow(s|ed)?\s(a|the|its|their|each|one)\s(row|record|edge)s?", "trace, visit"),
    Word(r"(row|record|edge)s?\sthat\s(is|are)\sfollowed", "traced, visited"),
)

CLEARLY_PRIVATE: Final = (
    "mend mends mended mending heard hears told untold tells telling foretell lit unlit "
    "thereby wherein thereof somebody someone whoever nobody everybody"
)
"""Words that docstrings and names of tests, and the texts of samples, do not use either."""

NOT_IN_TEST_NAMES: Final = (
    "say says laid lays meant beside keep keeps kept take takes taken hands handed way ways "
    "life walk walks walked wire wires seen said"
)
"""Words that names of tests and their helpers do not use: they name the expected behaviour.

Neither does one begin with "what".
"""

FORBIDDEN_STRINGS: Final = {
    "It is what was meant": "3 warnings, 6 notes",
    "its ID of now": "keep its current ID (uid hash)",
    "what speaks against it": "Why not chained",
    "downstream may not follow": "downstream strategy forbids chaining",
    "upstream may not lead": "upstream strategy forbids chaining",
    "if it keeps any, its state is lost": "State, if any, cannot be mapped",
    "as it was opened": "original version",
    "Allow state that no operator takes": "Allow non-restored state",
    "for what would mend it": "suggested fixes",
    "of yours one command": "Import a program, a running job or a savepoint with one command",
    "Upload what it wrote": "Upload the generated file",
    "its place in the graph": "generated (no uid); its position in the graph",
    'hint="the job\'s"': "job default",
    "with what is lit around it": "Show only the highlighted part",
    "Fold away the tables": "Hide panel",
    "The way there": "Deployment steps",
    "hands nothing on": "emits nothing",
    "Rows to follow": "Choose record",
    '"Other end"': "Linked records",
    "What to play": "Mode",
    '"not so"': "wrong",
    "No cluster was named when": "Not connected to a cluster",
    "laid beside": "compared with",
    "assumed, as a distribution has it": "Flink defaults",
    "lies in the package legacy": "is not part of the public API",
    "It is there before any": "Created before the operators",
    "a page that stands alone": "Save as standalone HTML",
    "so that nothing is shown": "so no difference can be claimed",
}
"""Sentences that were rewritten, with what is written instead."""
READ_AS_TEXT: Final = (
    *PAGES,
    *(
        path
        for folder in ("explorer", "components", "sample_graphs")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".js", ".html", ".yaml", ".ipynb"}
    ),
)


NAMED_AFTER_A_SUBJECT: Final = {
    "__init__": "a package",
    "data_sets": "DataSet programs: captured, read as a document and shown in the panel",
    "stream_graphs": "StreamGraph documents: captured, read and edited",
}
"""Module names that more than two packages have, each with the common subject."""


class Place(NamedTuple):
    """A text of the project with its place."""

    path: Path
    line: int
    kind: str
    text: str


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def in_code(path: Path) -> Iterator[Place]:
    """Yield the strings, docstrings and declared names of a module."""
    tree = parsed(path)
    below = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(body := getattr(node, "body", None), list)
        for statement in body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            kind = "docstring" if id(node) in below else "string"
            yield Place(path, node.lineno, kind, node.value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield Place(path, node.lineno, "identifier", spelled(node.id))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield Place(path, node.lineno, "identifier", spelled(node.name))
        elif isinstance(node, ast.arg):
            yield Place(path, node.lineno, "identifier", spelled(node.arg))


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


def pattern_of(words: Iterable[Word]) -> re.Pattern[str]:
    forms = "|".join(word.forms.replace(" ", "|") for word in words)
    return re.compile(rf"(?<![\w.#-])(?:{forms})(?![\w-])", re.IGNORECASE)


@pytest.fixture(scope="module")
def places() -> list[Place]:
    """All texts, and the names of modules, that contain a word of the list."""
    modules = [Place(path, 0, "identifier", spelled(path.stem)) for path in CODE]
    code = (place for path in CODE for place in in_code(path))
    scripts = (place for path in SCRIPTS for place in in_script(path))
    pages = (place for path in PAGES for place in in_pages(path))
    pattern = pattern_of(WORDS)
    return [one for one in (*modules, *code, *scripts, *pages) if pattern.search(one.text)]


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.forms.split()[0])
def test_a_private_word_stays_away(word: Word, places: list[Place]) -> None:
    pattern = pattern_of([word])
    allowed = re.compile(word.allowed or r"(?!)", re.IGNORECASE)
    found = [
        f"{place.path.relative_to(ROOT)}:{place.line}: write {word.instead}: {match[0]!r}"
        for place in places
        if place.kind in word.kinds and place.path.is_relative_to(ROOT / word.folder)
        for match in pattern.finditer(allowed.sub("", place.text) if word.allowed else place.text)
    ]

    assert found == []


def test_tests_and_samples_use_plain_words_too() -> None:
    pattern = re.compile(rf"\b(?:{CLEARLY_PRIVATE.replace(' ', '|')})\b", re.IGNORECASE)
    texts = [place for path in TESTS for place in in_code(path) if place.kind != "string"]
    samples = [place for path in SAMPLES for place in in_script(path)]
    found = [
        f"{place.path.relative_to(ROOT)}:{place.line}: {match[0]!r}"
        for place in (*texts, *samples)
        for match in pattern.finditer(place.text)
    ]

    assert found == []


def test_a_tests_name_reports_the_expected_behaviour() -> None:
    words = f"{CLEARLY_PRIVATE} {NOT_IN_TEST_NAMES}".replace(" ", "|")
    pattern = re.compile(rf"(?:^|_)(?:{words})(?=_|$)|^test_what_")
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}"
        for path in TESTS
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and pattern.search(node.name)
    ]

    assert found == []


def test_a_rewritten_sentence_stays_away() -> None:
    found = [
        f"{path.relative_to(ROOT)}: write {instead!r}, not {sentence!r}"
        for path in READ_AS_TEXT
        for text in [re.sub(r'"\s*\n\s*f?"', "", path.read_text(encoding="utf-8"))]
        for sentence, instead in FORBIDDEN_STRINGS.items()
        if sentence in text
    ]

    assert found == []


def test_identifiers_are_read_word_by_word() -> None:
    assert spelled("_lit_way") == "lit way"
    assert spelled("CheckMend") == "Check Mend"
    assert spelled("MENDS") == "MENDS"


PARTICIPLE: Final = re.compile(
    "_([a-z]+[^e]ed|found|shown|made|known|given|gone|left|sent|written|held|built|drawn|chosen)"
)


def test_a_private_function_is_not_named_by_a_participle_alone() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}"
        for path in CODE
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef)
        and PARTICIPLE.fullmatch(node.name)
        and not any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
    ]

    assert found == []


def test_a_modules_name_occurs_at_most_twice() -> None:
    names = [
        path.stem for path in CODE if path.parts[len(ROOT.parts)] in {"explorer", "components"}
    ]

    assert {name for name in names if names.count(name) > 2} == set(NAMED_AFTER_A_SUBJECT)


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
