"""The check tab, run by AppTest: findings, their fixes as buttons, and the marks on the graph."""

import json
import re
from html import unescape
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.checks.pairs import COUNT, LINE, changed, expecting
from tests.pages.opened import announce, drawn, html, opened, sent, uploader, with_graphs

MEANT = expecting(changed(LINE, "m", chaining_strategy="HEAD"), chained=[["s", "m"]])


def checking(document: dict[str, Any]) -> AppTest:
    page = opened(tab="Check")
    content = json.dumps({"flink": "1.20", **document}).encode()
    uploader(page).upload("mine.json", content, "application/json").run()
    assert not page.exception
    return with_graphs(page)


def rows(page: AppTest) -> list[str]:
    """The listed findings, as HTML."""
    texts: list[str] = sent(page, "Findings")["rows"]
    return texts


def fixes(row: str) -> list[str]:
    """The names of a row's fixes, as their buttons send them."""
    names = re.findall(r'<div class="fix"><button type="button" data-press="([^"]+)">', row)
    return [unescape(name) for name in names]


def press(page: AppTest, label: str) -> AppTest:
    """Press the first button with this text."""
    name = re.findall(rf'data-press="([^"]+)"><bdi>{label}</bdi>', "".join(rows(page)))[0]
    return announce(page, "Findings", "pressed", unescape(name))


def fix_first(page: AppTest) -> None:
    """Press the first fix of the first finding."""
    announce(page, "Findings", "pressed", fixes(rows(page)[0])[0])


def marks(page: AppTest) -> dict[str, str]:
    """By key of what is drawn of the StreamGraph, the mark at it."""
    badges = drawn(page, "stream", "badge")
    return {key: svg.split('class="mark ')[1].split('"')[0] for key, svg in badges.items()}


@pytest.mark.slow
def test_an_expectation_that_fails_is_marked_and_fixed_by_a_button() -> None:
    page = checking(MEANT)

    assert "1 error" in html(page)
    assert "s and m should share a task" in rows(page)[0]
    assert marks(page)["e0"] == "error"
    fix_first(page)
    assert not page.exception
    assert "1 error" not in html(page)
    assert "error" not in marks(page).values()


@pytest.mark.slow
def test_a_button_of_an_older_list_does_nothing() -> None:
    """A browser that is slower than its user still shows the list of the document before."""
    page = checking(MEANT)
    place, _, label = fixes(rows(page)[0])[0].partition(" ")
    announce(page, "Findings", "pressed", f"{place} Another fix")
    assert "1 error" in html(page)

    announce(page, "Findings", "pressed", f"{place} {label}")
    assert "1 error" not in html(page)


@pytest.mark.slow
def test_a_severity_is_chosen() -> None:
    page = checking(COUNT)
    assert "warning" in rows(page)[0]

    page.segmented_control(key="weight").set_value("error").run()
    assert "No findings of this severity." in html(page)


@pytest.mark.slow
def test_a_place_is_shown_and_its_panel_has_its_findings() -> None:
    page = checking(MEANT)
    press(page, "Show")

    assert sent(page, "graphs")["selection"] == "e0"
    assert "1 finding<" in html(page)
    # The edge's reasons have this fix already.
    assert not [button for button in page.button if str(button.key).startswith("panel-fix")]


@pytest.mark.slow
def test_a_finding_is_fixed_from_the_panel_of_its_operator() -> None:
    page = checking(COUNT)
    press(page, "Show")

    selection = sent(page, "graphs")["selection"]
    (fix, *_) = [button for button in page.button if str(button.key).startswith("panel-fix")]
    assert marks(page)[selection] == "warning"
    fix.click().run()
    assert not page.exception
    assert marks(page).get(selection) != "warning"


@pytest.mark.slow
def test_a_silenced_finding_is_shown_with_its_reason_and_not_marked() -> None:
    silenced = {"check": {"silenced": {"EX01": "cut for a test"}}}
    page = checking({**MEANT, **silenced})

    assert "because: <bdi>cut for a test</bdi>" in "".join(rows(page))
    assert "1 silenced" in html(page)
    assert marks(page).get("e0") != "error"


@pytest.mark.slow
def test_a_pipeline_that_flink_refuses_is_fixed_from_its_finding() -> None:
    page = checking(changed(COUNT, "count", uid="s"))

    assert "Two operators have the same uid." in rows(page)[0]
    fix_first(page)
    assert not page.exception
    assert "Two operators have the same uid." not in "".join(rows(page))
    assert len(drawn(page, "stream")) == 3


@pytest.mark.slow
def test_a_program_of_which_the_graph_alone_is_known_has_advice() -> None:
    facts = {"class_name": "org.apache.flink.streaming.api.operators.SourceOperator"}
    source = {"id": 1, "name": "Source: s", "parallelism": 1, "operator": facts}
    nodes = [{**source, "vertex_class": "SourceOperatorStreamTask"}]
    graph = {"nodes": nodes, "edges": []}
    page = checking({"stream_graph": graph, "name": "captured"})

    assert "Call uid(...) with a text that never changes" in "".join(rows(page))
    assert not fixes("".join(rows(page)))


@pytest.mark.slow
def test_fixes_of_a_large_document_are_tried_when_they_are_asked_for() -> None:
    maps = [{"id": f"m{n}", "type": "map", "inputs": [f"m{n - 1}"]} for n in range(1, 1_200)]
    page = checking({"transformations": [{"id": "m0", "type": "legacy_source"}, *maps]})

    assert not fixes("".join(rows(page)))
    press(page, "Suggest fixes")
    assert not page.exception
    assert fixes(rows(page)[0])
    assert "Suggest fixes" not in rows(page)[0]


def test_a_button_that_was_not_drawn_does_nothing() -> None:
    page = checking(COUNT)
    before = rows(page)
    for name in ("999", "-1", "__class__", None, {"key": "0"}, ["0"]):
        announce(page, "Findings", "pressed", name)
        assert not page.exception
    assert rows(page) == before
