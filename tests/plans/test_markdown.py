"""A plan as a comment of a pull request."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from explorer.plans.markdown import (
    LIMIT,
    inline_code,
    marker,
    plain_html,
    plain_markdown,
    plan_markdown,
)
from explorer.plans.record import FIRST_CHANGES
from explorer.wording import printable, without_turning
from tests.many_cases import for_each
from tests.plans.plans import COUNT, hostile, planned, program


def test_a_comment_has_its_verdict_first_and_shows_names_as_text() -> None:
    lines = plan_markdown(hostile()).splitlines()

    assert lines[:2] == [marker("words"), "## ⛔ Do not deploy"]
    assert marker("a--><b>") == "<!-- streamgraph-explorer plan a___b_ -->"
    assert not any("<script" in line or "@all" in line for line in lines if "`" not in line)
    rows = [line for line in lines if line.startswith("| ")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {5}


@pytest.mark.slow
def test_a_comment_of_a_large_plan_stays_below_its_limit() -> None:
    many: list[dict[str, Any]] = [{"id": "s", "type": "source"}]
    for number in range(400):
        node = {"id": f"m{number}", "type": "map", "name": f"{number} " + "x" * 300}
        many.append({**node, "inputs": [many[-1]["id"]], "chaining_strategy": "HEAD"})
    plan = planned(program(COUNT), program(many))

    text = plan_markdown(plan)

    assert len(plan.section("graph").changes) > FIRST_CHANGES
    assert 2_000 < len(text) <= LIMIT
    assert "left out" in text
    assert text.count("<details>") == text.count("</details>")


@for_each("text", ["", "a", "``", "x`y", "a\nb", "|" * 9, "y" * 5_000])
def test_no_text_ends_its_code_or_its_cell(text: str) -> None:
    code = inline_code(text)
    fence = code[: len(code) - len(code.lstrip("`"))]

    assert fence not in code[len(fence) : -len(fence)]
    assert "\n" not in plain_markdown(text)


HOSTILE_NAMES = (
    *("@all", "&#64;name", "&commat;name", "a@b.example", "'@team'", r"\@name", r"\\@name", "x`@y"),
    *("#1", r"\#1", "&#35;1", "o/r#1", "GH-7", "!12", "$3", "%1.0", "~bug", "&4", "JIRA-12"),
    *("https://example.org", "www.example.org", "ftp://example.org", "<https://a.example>"),
    *(
        "[a](https://b.example)",
        "![a](b.png)",
        "[a]: b",
        "<img src=x>",
        "<script>",
        "<!-- x",
        "a|b",
    ),
    *("`@x|y`", "``@x|y", "deadbeef", "0123456789abcdef0123456789abcdef01234567", "/close", ":x:"),
    *(
        "a\n@all",
        "a\u2028#1",
        "\u202e@all",
        "| --- |",
        "</summary>",
        "</details>",
        "- [ ] a",
        "***",
    ),
    *(
        "@`x`",
        "`",
        "``",
        "a ` @x ` b",
        "[issue:1]",
        "$$x$$",
        "http://a.example/`b`",
        "~~x~~",
        "> @a",
    ),
)
ACTIVE = re.compile(r"[@#!$%~&][\w'\"]|://|www\.|GH-\d|[A-Z]+-\d|[0-9a-f]{7}|^/|:x:|\[issue")


def visible(tokens: Sequence[Token]) -> Iterator[str]:
    """The text that a code host looks through: what is neither code nor HTML."""
    for token in tokens:
        if token.type == "inline":
            texts = (one.content for one in token.children or () if one.type == "text")
            yield "".join(texts)


@for_each("name", HOSTILE_NAMES)
@for_each("frame", ["{}", "The operator {} moved, ({})."])
def test_no_name_acts_on_a_code_host(name: str, frame: str) -> None:
    """By a parser of CommonMark with GitHub's tables: nothing but text and code is left."""
    text = frame.format(name, name)
    cell = f"| a | b |\n| --- | --- |\n| {plain_markdown(text, cell=True)} | 2 |\n"
    line = f"- {plain_markdown(text)}\n"
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    rows, item = parser.parse(cell), parser.parse(line)

    assert sum(token.type == "td_open" for token in rows) == 2
    assert [token.type for token in item if token.nesting == 1] == [
        *("bullet_list_open", "list_item_open", "paragraph_open")
    ]
    for tokens in (rows, item):
        inline = [one for token in tokens for one in token.children or ()]
        assert {one.type for one in inline} <= {"text", "code_inline", "text_special"}
        assert [found for found in visible(tokens) if ACTIVE.search(found)] == []
        assert "".join(one.content for one in inline).endswith(
            printable(without_turning(text)).rstrip() + "2" * (tokens is rows)
        )


def test_a_summary_shows_names_as_text() -> None:
    assert plain_html("a <b> of @all") == "a &lt;b&gt; of <code>@all</code>"
    assert plain_html("</summary>") == "&lt;/summary&gt;"
