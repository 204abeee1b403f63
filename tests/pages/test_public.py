"""A public page: previews, no data uploads, fewer edges, no trial whatever is asked for."""

import ast
import json
from typing import Any

import pytest
from msgspec.structs import replace

from components.run.trial import data, runs
from components.server.hosting import HOSTED, OWN, PUBLIC, hosting
from components.session.keys import Key
from components.session.places import NAMES
from components.widgets.packaged import ROOT
from explorer.documents.text.link_text import pack_link
from explorer.flink import compiler
from explorer.locations import PUBLIC_VARIABLE
from explorer.model.pipeline import Pipeline
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


def test_a_public_page_previews_and_accepts_no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PUBLIC_VARIABLE, "1")
    page = opened(tab="Local run")
    labels = [button.label for button in page.button]

    assert not any("rial run" in label for label in labels)
    assert not any(each.label.startswith("Add files") for each in page.file_uploader)
    page.session_state[Key.ERRORS] = {}
    assert not page.exception


def test_a_public_page_starts_no_trial_that_a_browser_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = opened(tab="Local run")
    monkeypatch.setenv(PUBLIC_VARIABLE, "1")
    started: list[Any] = []
    monkeypatch.setattr(runs, "start_trial", started.append)
    next(each for each in page.button if "Start a trial" in each.label).click().run()

    assert "shows previews only" in html(page)
    assert started == []


@pytest.mark.slow
@pytest.mark.parametrize("edges", [PUBLIC.edges, PUBLIC.edges + 1])
def test_a_public_page_limits_the_number_of_edges(
    monkeypatch: pytest.MonkeyPatch, edges: int
) -> None:
    monkeypatch.setenv(PUBLIC_VARIABLE, "1")
    page = opened()
    page.file_uploader[0].upload("fan.json", fan(edges), "application/json").run()

    assert ("until the pipeline compiles" in html(page)) is (edges > PUBLIC.edges)
    assert not page.exception


def unions(doublings: int) -> dict[str, Any]:
    """A few operators that stand for ``2 ** doublings`` edges."""
    steps: list[dict[str, Any]] = [
        {"id": "s", "type": "source"},
        {"id": "m", "type": "map", "inputs": ["s"]},
        {"id": "u0", "type": "union", "inputs": ["m", "m"]},
    ]
    for turn in range(1, doublings):
        before = f"u{turn - 1}"
        steps.append({"id": f"u{turn}", "type": "union", "inputs": [before, before]})
    last = {"id": "o", "type": "map", "inputs": [f"u{doublings - 1}"]}
    return {"transformations": [*steps, last]}


def hostile_links() -> dict[str, str]:
    """By what is large in it, a link that is short."""
    small, large = {"transformations": [{"id": "s", "type": "source"}]}, unions(17)
    states: dict[str, dict[str, Any]] = {
        "document": {"document": large},
        "opened": {"document": small, "opened": large},
        "baseline": {"document": small | {"baseline": {"name": "b", "document": large}}},
        "all": {"document": large | {"baseline": {"name": "b", "document": large}}},
    }
    return {name: pack_link({"origin": "", **state}) for name, state in states.items()}


@pytest.fixture
def limits_used(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The edge limits under which pipelines are compiled from now on."""
    found: list[int] = []
    make = compiler.STREAM_GRAPHS[Pipeline.kind]

    def recorded(*args: Any, most_edges: int, **more: Any) -> Any:
        found.append(most_edges)
        return make(*args, most_edges=most_edges, **more)

    graphs = {**compiler.STREAM_GRAPHS, Pipeline.kind: recorded}
    monkeypatch.setattr(compiler, "STREAM_GRAPHS", graphs)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile_links())
def test_a_hostile_link_is_compiled_under_the_pages_limit_alone(
    monkeypatch: pytest.MonkeyPatch, limits_used: list[int], name: str
) -> None:
    monkeypatch.setenv(PUBLIC_VARIABLE, "1")
    text = hostile_links()[name]
    assert len(text) < 500
    tabs = NAMES if name in ("document", "all") else ("Check", "Compare", "Find ID", "Restore")
    for tab in tabs:
        page = opened(s=text, tab=tab)
        if tab == "Find ID":
            page.text_area(key=Key.ASKED).set_value("cbc357ccb763df2852fee8c4fc7d55f2")
            next(each for each in page.button if each.label == "Find").click().run()
        assert not page.exception
        assert len(limits_used) > 0

    assert set(limits_used) == {PUBLIC.edges}


@pytest.mark.slow
def test_one_module_of_the_page_calls_the_compiler() -> None:
    """And that one compiles under the page's limit; what compiles deeper is guarded."""
    calls = {"compile_program", "compile_graph", "generate"}
    for path in sorted(ROOT.rglob("*.py")):
        names = {
            getattr(node, "id", getattr(node, "attr", getattr(node, "name", "")))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        }
        assert not names & calls or path == ROOT / "session" / "compiled.py", path


@pytest.mark.slow
@pytest.mark.parametrize("beyond", [0, 1])
def test_files_up_to_the_limit_are_stored_and_their_uploads_are_freed(
    monkeypatch: pytest.MonkeyPatch, beyond: int
) -> None:
    freed: list[str] = []
    monkeypatch.setattr(data, "_release", lambda file: freed.append(file.name))
    monkeypatch.setattr(data, "hosting", lambda: replace(OWN, data_bytes=len(b"a\n1\n") - beyond))
    page = opened(tab="Local run")
    uploader = next(each for each in page.file_uploader if each.label.startswith("Add files"))
    uploader.upload("mine.csv", b"a\n1\n", "text/csv").run()

    assert freed == ["mine.csv"]
    assert ("does not fit" in html(page)) is bool(beyond)
    uploader = next(each for each in page.file_uploader if each.label.startswith("Add files"))
    assert not uploader.value
