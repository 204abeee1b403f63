"""A plan as a comment of a pull request, with folded details and a limited length."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from explorer.plans.record import VERDICT_WORDS, Plan, PlanChange, PlanSection, PlanVerdict
from explorer.plans.words import MARKS, sentence, short_ids, side_words, values
from explorer.wording import counted, listed, printable, without_turning

_UNSAFE: Final = re.compile(r"[^\w./:-]|--")
LIMIT: Final = 60_000
"""Characters of a comment; GitHub accepts 65,536."""
_CELL: Final = 600
"""Characters of a cell or a line."""
_MOST_ROWS: Final = 400
"""Rows of a section's details, before they are halved until the comment fits."""
_SIGNS: Final[Mapping[PlanVerdict, str]] = {
    "deploy": "✅",
    "attention": "⚠️",
    "unchecked": "❔",
    "do_not_deploy": "⛔",
}
_STOPS: Final = ",;"
"""Behind a word that stands as code, and no part of it."""
_SPECIAL: Final = re.compile(r"([\\`*_\[\]~#|!>+=-])")
"""What Markdown reads as more than itself, in a line or at its start."""
_ACTIVE: Final = re.compile(
    r"[@#!$%~^&][\w\"'(\[{]|^/|://|\bwww\.|\bGH-\d|:[\w+-]+:|\[\w+:|\b[A-Z][A-Z\d_]+-\d"
    r"|(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])",
    re.IGNORECASE,
)
"""What a code host turns into a mention, a reference, an emoji, a link or a command.

It looks for these in the text that the Markdown was turned into, so that no escape and no entity
helps: only code is left alone.
"""


def plan_markdown(plan: Plan, diagram: str = "") -> str:
    """The comment, at most ``LIMIT`` characters: lines of the details are left out first.

    ``diagram``: Markdown with the changed part of the graph, for the section *Graph*.
    """
    rows = _MOST_ROWS
    while len(text := "\n".join(_lines(plan, rows, diagram)) + "\n") > LIMIT and rows:
        rows //= 2
    return text if len(text) <= LIMIT else f"{text[: LIMIT - 2]}…\n"


def marker(read_from: str) -> str:
    """The first line, by which the next run finds its own comment again: a comment of HTML.

    ``read_from``: what NEW was read from, so that a request with several jobs has several comments.
    """
    return f"<!-- streamgraph-explorer plan {_UNSAFE.sub('_', read_from[:200])} -->"


def plain_markdown(text: str, *, cell: bool = False) -> str:
    r"""A text that Markdown, HTML and code hosts show as it is: no markup, no line break.

    Words that a code host would act on, such as mentions and references, stand as code. ``cell``:
    within a table, where a bar ends a cell even in code.

    >>> plain_markdown("a|b <i> of @all, too")
    'a\\|b &lt;i&gt; of `@all`, too'
    """
    cut = text if len(text) <= _CELL else f"{text[:_CELL]}…"
    words = without_turning(printable(cut)).split(" ")
    return " ".join(_plain_word(word, cell=cell) for word in words)


def _plain_word(word: str, *, cell: bool) -> str:
    if _ACTIVE.search(word):
        bare = word.rstrip(_STOPS)
        code = inline_code(bare) + word[len(bare) :]
        return code.replace("|", r"\|") if cell else code
    return _SPECIAL.sub(r"\\\1", escape(word, quote=False))


def plain_html(text: str) -> str:
    """Escape a text where only HTML is read, as in a summary."""
    cut = text if len(text) <= _CELL else f"{text[:_CELL]}…"
    return " ".join(map(_plain_html_word, without_turning(printable(cut)).split(" ")))


def _plain_html_word(word: str) -> str:
    if _ACTIVE.search(word) is None:
        return escape(word)
    bare = word.rstrip(_STOPS)
    return f"<code>{escape(bare)}</code>{word[len(bare) :]}"


def inline_code(text: str) -> str:
    """A text as inline code, which no backtick in it can end."""
    cut = printable(text if len(text) <= _CELL else f"{text[:_CELL]}…")
    longest = max((len(run) for run in re.findall("`+", cut)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{cut}{pad}{fence}"


def _lines(plan: Plan, rows: int, diagram: str) -> Iterator[str]:
    yield marker(plan.new.read_from)
    yield f"## {_SIGNS[plan.verdict]} {VERDICT_WORDS[plan.verdict]}"
    yield ""
    yield plain_markdown(plan.sentence)
    yield ""
    if plan.old is not None:
        yield f"- OLD: {plain_markdown(side_words(plan.old))}"
    yield f"- NEW: {plain_markdown(side_words(plan.new))}"
    for section in plan.sections:
        yield from _section(section, rows)
        if section.name == "graph" and diagram:
            yield f"\n{diagram}"
    yield from _fixes(plan, rows)
    yield ""
    yield f"Checked: {plain_markdown(listed(plan.checked))}."
    yield from (f"- Not checked: {plain_markdown(item)}" for item in plan.unchecked)


def _section(section: PlanSection, rows: int) -> Iterator[str]:
    verdict = VERDICT_WORDS[section.verdict]
    yield ""
    yield f"### {section.name.capitalize()}: {_SIGNS[section.verdict]} {verdict}"
    yield ""
    yield plain_markdown(section.sentence)
    if section.first:
        yield from ("", *_table(section.first))
    details = (*section.rest, *section.unchanged)
    if details:
        yield ""
        yield f"<details><summary>{counted(len(details), 'more line')}</summary>"
        yield ""
        yield from _table(details[:rows])
        if len(details) > rows:
            left = counted(len(details) - rows, "line")
            yield f"\n{left} left out: a comment has at most {LIMIT:,} characters."
        yield ""
        yield "</details>"


def _table(changes: Sequence[PlanChange]) -> Iterator[str]:
    yield "| | What | Change | |"
    yield "| --- | --- | --- | --- |"
    for change in changes:
        fix = inline_code(short_ids(change.fix)).replace("|", r"\|") if change.fix else ""
        words = plain_markdown(short_ids(sentence(change)), cell=True)
        cells = (
            MARKS[change.severity],
            _cell(change.subject),
            _cell(values(change)),
            f"{words} Fix: {fix}" if fix else words,
        )
        yield f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return plain_markdown(short_ids(text), cell=True)


def _fixes(plan: Plan, rows: int) -> Iterator[str]:
    for fix in plan.fixes:
        yield ""
        yield f"<details><summary>Fix: {plain_html(fix.label)}</summary>"
        yield ""
        yield from (f"- {inline_code(line)}" for line in fix.lines[:rows])
        yield ""
        yield f"Then: {plain_markdown(fix.outcome)}"
        yield ""
        yield "</details>"
