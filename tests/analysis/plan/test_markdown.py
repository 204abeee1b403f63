"""A plan as a comment of a pull request."""

from typing import Any

import pytest

from explorer.analysis.plan.markdown import (
    LIMIT,
    inline_code,
    marker,
    plain_markdown,
    plan_markdown,
)
from explorer.analysis.plan.record import FIRST_CHANGES
from tests.analysis.plan.plans import COUNT, hostile, planned, program


def test_a_comment_has_its_verdict_first_and_shows_names_as_text() -> None:
    lines = plan_markdown(hostile()).splitlines()

    assert lines[:2] == [marker("words"), "## ⛔ Do not deploy"]
    assert marker("a--><b>") == "<!-- streamgraph-explorer plan a___b_ -->"
    assert not any("<script" in line or "@all" in line for line in lines if "`" not in line)
    rows = [line for line in lines if line.startswith("| ")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {5}


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


@pytest.mark.parametrize("text", ["", "a", "``", "x`y", "a\nb", "|" * 9, "y" * 5_000])
def test_no_text_ends_its_code_or_its_cell(text: str) -> None:
    code = inline_code(text)
    fence = code[: len(code) - len(code.lstrip("`"))]

    assert fence not in code[len(fence) : -len(fence)]
    assert "\n" not in plain_markdown(text)
