"""Answers that sessions share: made once for those who look at the same document."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.compile.pipelines import SHAPES, document
from components.session.compiled import RECENT
from components.session.keys import Key
from components.session.work import opened as opened_work
from explorer.documents import load_document
from tests.deep_size import deep_size
from tests.pages.opened import opened

TABS = {
    "IDs": ("measured", "ids", "drawing", "annotations", "palette"),
    "Plan": ("plan",),
    "Compare": ("comparison",),
    "Check": ("findings",),
    "Resources": ("deployment",),
    "Local run": ("preview",),
    "Task internals": ("task internals", "stream configs"),
}
"""By tab, answers that it asks for."""


def answers(page: AppTest, names: tuple[str, ...]) -> list[Any]:
    return [page.session_state[Key.LATEST][name].answer for name in names]


@pytest.mark.slow
@pytest.mark.parametrize(("tab", "names"), TABS.items())
def test_two_sessions_with_one_sample_hold_the_same_answers(
    tab: str, names: tuple[str, ...]
) -> None:
    first, second = opened(tab=tab), opened(tab=tab)
    pairs = zip(names, answers(first, names), answers(second, names), strict=True)

    assert [name for name, a, b in pairs if a is not b] == []


def test_a_switch_that_is_turned_back_makes_nothing_again() -> None:
    RECENT.clear()
    page, names = opened(tab="IDs"), TABS["IDs"]
    states = []
    for chaining in (False, True, False, True):
        page.toggle(key="chaining@0").set_value(chaining).run()
        states.append(answers(page, names))

    assert [id(answer) for answer in states[0]] == [id(answer) for answer in states[2]]
    assert [id(answer) for answer in states[1]] == [id(answer) for answer in states[3]]
    assert not {id(answer) for answer in states[0]} & {id(answer) for answer in states[1]}


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [10, 100])
def test_an_outcome_counts_what_was_made_of_it(nodes: int) -> None:
    RECENT.clear()
    page = opened(tab="Check")
    page.session_state[Key.WORK] = opened_work(load_document(document(SHAPES[2], nodes)), "")
    page.run()
    page.toggle(key="chaining@0").set_value(False).run()
    *_, left = RECENT.outcomes()

    assert left.answers
    assert deep_size([left.outcome, left.answers]) <= left.bytes_held


def test_a_session_with_another_release_has_answers_of_its_own() -> None:
    names = TABS["IDs"]
    first, second = opened(tab="IDs"), opened(tab="IDs")
    second.selectbox(key="flink@0").set_value("1.20").run()
    pairs = zip(names, answers(first, names), answers(second, names), strict=True)

    assert [name for name, a, b in pairs if a is b] == []
