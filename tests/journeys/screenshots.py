"""The screenshots of README and docs: ``make screenshots`` takes all of them.

No test module by its name, so that a run of all tests leaves the images alone.
"""

from pathlib import Path

from tests.journeys.screen import Screen

IMAGES = Path(__file__).parents[2] / "docs" / "images"


def save_image(screen: Screen, name: str) -> None:
    """Write what the browser shows as an image of the documentation."""
    screen.idle()
    screen.page.wait_for_timeout(500)
    screen.page.screenshot(path=IMAGES / f"{name}.png", animations="disabled")


def test_page(screen: Screen) -> None:
    screen.tab("Graphs")
    screen.click("stream", "e0")
    save_image(screen, "page")


def test_edge(screen: Screen) -> None:
    screen.sample("A chain cut by a partitioner")
    edges = screen.graph("stream", "edges()")
    screen.click("stream", edges[-1])
    save_image(screen, "edge")


def test_restore(screen: Screen) -> None:
    screen.sample("A deploy that looks harmless")
    screen.tab("Restore")
    save_image(screen, "restore")


def test_lesson(screen: Screen) -> None:
    screen.sample("A to E in two chains")
    screen.tab("Lesson")
    save_image(screen, "lesson")


def test_preview(screen: Screen) -> None:
    screen.sample("Word count")
    screen.tab("Local run")
    save_image(screen, "preview")
