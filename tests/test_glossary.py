"""One word for one thing: the glossary, and the words of the page beside it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.documents import samples
from explorer.glossary import FORMS, TERMS
from tests.many_cases import for_each
from tests.python_sources import SAME_WORKER, syntax_nodes

pytestmark = SAME_WORKER
ROOT = Path(__file__).parent.parent
SHOWN = (
    "components",
    "explorer/drawing",
    "explorer/checks",
    "explorer/comparison",
    "explorer/explain",
    "explorer/lessons",
    "explorer/lookup",
    "explorer/plans",
    "explorer/restore",
    "explorer/running",
    "explorer/edits",
    "explorer/deployment",
)
"""Packages with texts that the page shows."""
OTHERWISE = {
    r"\bjob vert(ex|ices)\b|\bvert(ex|ices)\b": "task",
    r"\bstream nodes?\b|\bgraph nodes?\b": "operator",
    r"\b(network|data) connections?\b": "channel",
    r"\bfus(ed|ion)\b": "chain",
    r"\bmax par\.|\bpar\.": "parallelism, spelled out",
    r"\bslot groups?\b": "slot sharing group",
}
"""By what is not said, the glossary's word for it."""


def texts(path: Path) -> Iterator[str]:
    """What a module may show: its texts without docstrings, keys and Flink's own class names."""
    nodes = syntax_nodes(path)
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            text = re.sub(r"\{[^}]*\}", "", node.value)
            if text[:1].isupper() or not re.fullmatch(r"[\w:.\[\]*#>-]*", text):
                yield text


@pytest.mark.slow
@for_each("package", SHOWN)
def test_the_page_has_one_word_for_one_thing(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {text!r}: say {word}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for text in texts(path)
        for other, word in OTHERWISE.items()
        if re.search(other, text, re.IGNORECASE)
    ]

    assert wrong == []


def test_samples_and_lessons_use_no_other_word_either() -> None:
    for sample in samples():
        said = [sample.title, sample.teaches]
        if sample.lesson:
            said += [sample.lesson.lesson, *(step.say for step in sample.lesson.steps)]
        for other in OTHERWISE:
            assert not [text for text in said if re.search(other, text, re.IGNORECASE)]


def test_a_form_means_one_thing_and_every_term_has_a_sentence() -> None:
    assert len({term.word.lower() for term in TERMS}) == len(TERMS)
    assert len(FORMS) == sum(2 + len(term.also) for term in TERMS)
    for term in TERMS:
        assert term.means.endswith(".")
        assert term.means[0].isupper()


def test_terms_that_a_class_must_know_are_there() -> None:
    asked = ["operator", "edge", "task", "subtask", "chain", "channel", "slot", "uid", "barrier"]
    asked += ["watermark", "StreamGraph", "JobGraph"]
    asked += ["job vertex", "key group", "slot sharing group", "execution graph", "operator ID"]
    asked += ["result partition", "intermediate data set", "ship strategy", "network buffer"]

    assert {word.lower() for word in asked} <= FORMS.keys()
