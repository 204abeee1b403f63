"""The trial tab before any run: what the first rows become, on the graphs and as rows."""

import re
from typing import Any

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from components.run.trial import previews
from components.session import link
from components.session.compiled import compile_document
from components.session.work import opened as opened_work
from explorer.documents import load_document, samples
from tests.pages.opened import drawn, html, opened, sent


def trial_tab(document: Any, selection: str | None = None) -> AppTest:
    work = replace(opened_work(load_document(document), ""), selection=selection)
    text = link.to_link(work)
    assert text is not None
    return opened(**{link.PARAMETER: text, "tab": "Local run"})


def sample(key: str) -> Any:
    return next(each.path for each in samples() if each.key == key)


def figures(page: AppTest) -> list[str]:
    """The rows on the cards of the StreamGraph, of those that have some."""
    cards = "".join(drawn(page, "stream").values())
    return re.findall(r'class="figure[^>]*>([^<]*)<', cards)


@pytest.mark.slow
def test_the_first_rows_are_drawn_on_both_graphs_and_updated_after_every_change() -> None:
    page = trial_tab(sample("01-word-count"), "n2")
    assert figures(page) == ["202", "202 → 1,589", "1,589 → 1,589", "1,589 → 1,589", "1,589"]
    assert all('class="share' in card for card in drawn(page, "job").values())
    assert "Preview: all rows" in html(page)

    work = page.session_state["work"]
    page.text_area(key=work.widget("words.split")).set_value(
        "value: lower(line)\npattern: '[^z]+'\nas: word"
    ).run()
    assert not page.exception
    assert figures(page)[1] != "202 → 1,589"


@pytest.mark.slow
def test_rows_are_those_of_the_selection() -> None:
    found = {}
    for selection in (None, "n2", "e0", "v2", "j0", "t:by-word"):
        page = trial_tab(sample("01-word-count"), selection)
        found[selection] = list(page.dataframe[0].value.columns)

    assert found[None] == found["t:by-word"] == ["subtask", "word", "n"]
    assert found["n2"] == ["subtask", "word"]
    assert found["e0"] == found["j0"] == ["subtask", "line"]
    assert found["v2"] == ["subtask", "word", "n"]


def test_figures_are_reported_as_tables_too() -> None:
    page = trial_tab(sample("01-word-count"))
    for view, label in (("Tasks", 3), ("Operators", 5)):
        page.session_state["preview"] = view
        page.run()
        assert len(sent(page, view)["rows"]) == label


def test_the_graphs_are_bare_in_other_tabs() -> None:
    page = opened(tab="IDs")
    assert not figures(page)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({"select": {"a": "n % 0"}}, "% by zero, at the row n = 0"),
        ({"select": {"a": "gone"}}, "there is no column"),
        ({"parallelism": 300}, "a preview runs at most 256"),
    ],
)
def test_why_there_is_no_preview_is_one_sentence(field: dict[str, Any], words: str) -> None:
    page = trial_tab(
        {
            "transformations": [
                {"id": "s", "type": "source"},
                {"id": "m", "type": "map", "inputs": ["s"], **field},
            ]
        }
    )
    assert words in html(page)
    assert not figures(page)
    assert page.button(key="start") is not None


def test_a_captured_program_whose_functions_are_not_there_has_no_preview() -> None:
    """Synthetic operators stand for its own and make up records: only a trial counts them."""
    captured = compile_document(load_document(sample("15-hourly-delays")))
    assert captured.compilation is not None
    assert previews.of(captured) is None
