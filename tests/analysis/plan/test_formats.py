"""A plan's texts: what a terminal, a pull request, an annotation and a program read."""

import json
from typing import Any

import msgspec
import pytest

from explorer import ExplorerError
from explorer.analysis.checks.reporting import to_json
from explorer.analysis.plan import Plan, make_plan
from explorer.analysis.plan.markdown import (
    LIMIT,
    inline_code,
    marker,
    plain_markdown,
    plan_markdown,
)
from explorer.analysis.plan.reading import (
    MAX_PLAN,
    plan_from_values,
    plan_schema,
    read_plan,
)
from explorer.analysis.plan.record import FIRST_CHANGES
from explorer.analysis.plan.reports import github_plan, sarif_plan
from explorer.analysis.plan.text import WIDTH, plan_text
from explorer.documents import as_document
from explorer.drawing.plan_html import plan_html
from tests.analysis.plan.plans import COUNT, FILTERED, planned, program

HOSTILE = "a|b `c` <script>alert(1)</script> @all [x](y)\n::error::\u202e\x1b[31m"


def hostile() -> Plan:
    """A plan in which every operator has a name that would break a careless report."""
    old, new = (
        [
            one if one["type"] == "key_by" else {**one, "name": f"{one['id']} {HOSTILE}"}
            for one in side
        ]
        for side in (COUNT, FILTERED)
    )
    return planned(program(old), program(new))


def test_text_has_100_columns_and_no_escapes() -> None:
    text = plan_text(hostile(), details=True)

    assert max(map(len, text.splitlines())) <= WIDTH
    assert "\x1b" not in text
    assert text.startswith("Do not deploy: ")


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


def test_annotations_name_the_section_and_end_with_the_verdict() -> None:
    lines = github_plan(hostile()).splitlines()

    assert lines[0].startswith("::error file=words,title=State%3A ")
    assert lines[-1].startswith("Do not deploy: ")
    assert all(line.startswith(("::error ", "::warning ")) for line in lines[:-1])


def test_sarif_results_point_at_their_rules() -> None:
    run = json.loads(sarif_plan(hostile()))["runs"][0]
    rules = run["tool"]["driver"]["rules"]

    assert run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_a_plan_is_read_back_and_its_schema_describes_it() -> None:
    import jsonschema  # a second to import: not while collecting

    for plan in (hostile(), make_plan(as_document(program(COUNT)))):
        members = json.loads(to_json(plan.to_dict()))

        jsonschema.validate(members, plan_schema())
        assert read_plan(msgspec.json.encode(members)).to_dict() == plan.to_dict()


@pytest.mark.parametrize(
    "values",
    [None, [], {}, {"verdict": "deploy"}, {"verdict": "x", "sections": {}, "new": {}}],
)
def test_what_is_no_plan_is_refused(values: object) -> None:
    with pytest.raises(ExplorerError, match="no plan"):
        plan_from_values(values)


def test_a_plan_that_is_too_long_or_too_deep_is_refused() -> None:
    with pytest.raises(ExplorerError, match="at most"):
        read_plan(b" " * (MAX_PLAN + 1))
    with pytest.raises(ExplorerError, match="no plan"):
        read_plan(b"[" * 100_000)


def test_a_page_has_both_graphs_and_asks_for_nothing() -> None:
    page = plan_html(hostile())

    assert page.count("<svg ") == 2
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert 'class="mark error"' in page


def test_a_page_of_a_program_that_is_refused_has_the_graph_of_the_old_one() -> None:
    twice = [{**one, "uid": "u"} if one["id"] in {"words", "count"} else one for one in COUNT]

    page = plan_html(planned(program(COUNT), program(twice)))

    assert page.count("<svg ") == 1
