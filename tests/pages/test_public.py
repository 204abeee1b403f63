"""A page for everybody: previews, no data uploads, fewer edges, no trial whatever is asked for."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from components.hosting import HOSTED, OWN, PUBLIC, hosting
from components.keys import Key
from components.trial import data, runs
from explorer.cli.running import PUBLIC_VARIABLE
from tests.pages.opened import html, opened


def fan(edges: int) -> bytes:
    """A source and as many readers."""
    readers = [{"id": f"m{n}", "type": "map", "inputs": ["s"]} for n in range(edges)]
    return json.dumps({"transformations": [{"id": "s", "type": "source"}, *readers]}).encode()


def test_a_page_of_ones_own_and_a_hosted_one_have_their_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from streamlit import config

    assert hosting() is OWN
    monkeypatch.setattr(config, "get_option", lambda _: "0.0.0.0")  # noqa: S104
    assert hosting() is HOSTED
    monkeypatch.setenv(PUBLIC_VARIABLE, "1")
    assert hosting() is PUBLIC


def test_a_public_page_previews_and_takes_no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PUBLIC_VARIABLE, "1")
    page = opened(tab="Trial")
    labels = [button.label for button in page.button]

    assert not any("rial run" in label for label in labels)
    assert not any(each.label.startswith("Add files") for each in page.file_uploader)
    page.session_state[Key.ERRORS] = {}
    assert not page.exception


def test_a_public_page_starts_no_trial_that_a_browser_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = opened(tab="Trial")
    monkeypatch.setenv(PUBLIC_VARIABLE, "1")
    started: list[Any] = []
    monkeypatch.setattr(runs, "start_trial", started.append)
    next(each for each in page.button if "Start a trial" in each.label).click().run()

    assert "shows previews only" in html(page)
    assert started == []


@pytest.mark.parametrize("edges", [PUBLIC.edges, PUBLIC.edges + 1])
def test_a_public_page_takes_so_many_edges(monkeypatch: pytest.MonkeyPatch, edges: int) -> None:
    monkeypatch.setenv(PUBLIC_VARIABLE, "1")
    page = opened()
    page.file_uploader[0].upload("fan.json", fan(edges), "application/json").run()

    assert ("until the pipeline compiles" in html(page)) is (edges > PUBLIC.edges)
    assert not page.exception


@pytest.mark.parametrize("beyond", [0, 1])
def test_files_up_to_the_limit_are_kept_and_their_uploads_are_freed(
    monkeypatch: pytest.MonkeyPatch, beyond: int
) -> None:
    freed: list[str] = []
    monkeypatch.setattr(data, "_release", lambda file: freed.append(file.name))
    monkeypatch.setattr(data, "hosting", lambda: replace(OWN, data_bytes=len(b"a\n1\n") - beyond))
    page = opened(tab="Trial")
    uploader = next(each for each in page.file_uploader if each.label.startswith("Add files"))
    uploader.upload("mine.csv", b"a\n1\n", "text/csv").run()

    assert freed == ["mine.csv"]
    assert ("does not fit" in html(page)) is bool(beyond)
    uploader = next(each for each in page.file_uploader if each.label.startswith("Add files"))
    assert not uploader.value
