"""Answers that sessions share: made once for those who look at the same document."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.session.keys import Key
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


def test_a_session_with_another_release_has_answers_of_its_own() -> None:
    names = TABS["IDs"]
    first, second = opened(tab="IDs"), opened(tab="IDs")
    second.selectbox(key="flink@0").set_value("1.20").run()
    pairs = zip(names, answers(first, names), answers(second, names), strict=True)

    assert [name for name, a, b in pairs if a is b] == []
