"""What can be clicked is what is drawn: cards up to their corners, labels of edges, badges."""

from typing import Any, Final

from playwright.sync_api import expect

from tests.journeys.screen import Screen

SAMPLES: Final = (
    "06-cut-by-partitioner",
    "11-multi-input",
    "16-airport-report",
    "19-harmless-deploy",
    "01-word-count",
)
TARGETS: Final = """() => {
  const targets = [];
  const add = (graph, kind, part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const key = part.getAttribute(`data-${kind}`);
    const inset = 6;
    const corners = [left + inset, right - inset].flatMap((x) => [top + inset, bottom - inset].map((y) => [x, y]));
    const points = kind === "card" ? corners : [[(left + right) / 2, (top + bottom) / 2]];
    if (right > left) for (const point of points) targets.push({ graph, kind, key, point });
  };
  for (const pane of document.querySelectorAll("[data-graph]"))
    for (const kind of ["card", "edge-label", "badge"])
      for (const part of pane.querySelectorAll(`[data-${kind}]`)) add(pane.dataset.graph, kind, part);
  return targets;
}"""  # noqa: E501
"""Where each card, label and badge is clicked: 6 px within each corner, or in the middle."""
MISSED: Final = """(targets) => targets.filter(({ graph, key, point }) => {
  const part = document.elementFromPoint(...point)?.closest("[data-key]");
  return part?.closest("[data-graph]").dataset.graph !== graph || part.dataset.key !== key;
})"""
"""The targets at which the browser finds another element, or one of another graph."""


DRAWN: Final = """() => new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(resolve)))"""
"""Waits until the browser has told the graphs the size of their panes."""


def test_every_corner_label_and_badge_selects_what_it_belongs_to(visitor: Screen) -> None:
    """Right after load in five samples, and after an edit that parts every chain."""
    screen = visitor
    for sample in SAMPLES:
        screen.open(f"/?sample={sample}")
        assert missed_targets(screen) == [], sample
    click_targets(screen)
    # What can be done with the selection stands at its card, and covers nothing else.
    expect(screen.page.get_by_role("toolbar", name="Commands for the selection")).to_be_visible()
    assert missed_targets(screen) == []
    screen.page.get_by_text("Chaining", exact=True).click()
    screen.wait_for("job", "keys().length === 5")
    assert missed_targets(screen) == []


def missed_targets(screen: Screen) -> list[dict[str, Any]]:
    """Return the targets at which the browser finds something else."""
    screen.page.evaluate(DRAWN)
    targets = screen.page.evaluate(TARGETS)
    assert {target["kind"] for target in targets} >= {"card", "edge-label"}
    missed: list[dict[str, Any]] = screen.page.evaluate(MISSED, targets)
    return missed


def click_targets(screen: Screen) -> None:
    """Click the first corner of each card, each label and each badge with the mouse."""
    targets = {(target["graph"], target["key"]): target for target in screen.page.evaluate(TARGETS)}
    for (graph, key), target in targets.items():
        screen.page.mouse.click(*target["point"])
        assert screen.graph(graph, "picked()") == key, target
    screen.idle()
