"""Pictures: every format of a part that is folded and highlighted, light and dark."""

import re
from collections import defaultdict
from typing import Final

import pytest

from components.session.compiled import compile_document
from components.session.routes import Visible
from components.widgets.picture import menu
from components.widgets.picture.formats import FORMATS, WHICH, Scene, lights_of
from explorer.documents import load_document, samples
from explorer.drawing.svg.both_graphs import Levels
from explorer.drawing.svg.svg_style import Theme
from explorer.drawing.view.annotations import BARE, Annotations, Figures, Mark
from explorer.drawing.view.elements import DATA_SET_WORDS, GraphWords
from explorer.drawing.view.reachability import isolate_operators

SAMPLE: Final = next(each for each in samples() if each.key == "01-word-count")


ADDED: Final = Annotations(
    figures=Figures(
        bars={"v3": (0.5, "36 in · 4.0 ms", (0.75, 0.25))},
        edges={"j1": "36 records · 2 KB"},
        operators={"n5": "36 → 36", "n1": "1 → 1"},
        loads={"n5": (0.5, "2.0 ms"), "n3": (0.0, "0.0 ms")},
    ),
    marks={
        "v2": Mark(severity="warning", line="warning: no-uid"),
        "n5": Mark(severity="error", line="error: lost <state>"),
        "e2": Mark(severity="note", line="note: skew"),
        "n1": Mark(severity="error", line="error: unseen"),
    },
)


def scene(theme: Theme = "dark", steps: object = None, added: Annotations = BARE) -> Scene:
    """Operators 2 to 5 alone, the chain of the first two folded, 5 selected."""
    made = compile_document(load_document(SAMPLE.path))
    assert made.compilation is not None
    assert made.view is not None
    part = isolate_operators(made.view, {"n2", "n3", "n5"})
    seen = Visible(view=part, folded=frozenset({"v2"}), around=frozenset(), operators=5)
    lights = lights_of(seen, frozenset({"v3"}), "n5", steps)
    return Scene(
        compilation=made.compilation,
        visible=seen,
        name="a <b>",
        theme=theme,
        lights=lights,
        added=added,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "which"),
    [(name, which) for name, one in FORMATS.items() for which in WHICH if one.holds(which)],
)
def test_every_format_shows_the_visible_elements(name: str, which: Levels) -> None:
    content = FORMATS[name].draw(scene(), which)

    if isinstance(content, bytes):
        assert name == "pdf"
        assert content.startswith(b"%PDF-")
        return
    assert "Source: licence" not in content  # it is not shown
    assert ">Sink: counts<" not in content
    if which == "job" or (which == "both" and FORMATS[name].both):
        assert "count -" in content or "count #45;" in content
    if which != "job":
        assert "words" in content
        assert "chain 2" not in content or "chain 2 · 2 operators" in content


def test_a_picture_of_the_execution_graph_has_a_card_for_each_subtask() -> None:
    drawn = str(FORMATS["svg"].draw(scene(), "execution"))

    assert "EXECUTIONGRAPH" in drawn
    assert drawn.count(">1 of 2</text>") == drawn.count(">2 of 2</text>") == 2
    assert "groups 0-63" in drawn
    assert "HASH" in drawn
    assert 'data-key="v3"' in drawn


def test_a_drawing_has_the_visible_background_and_highlights() -> None:
    steps = {"n5": ["now", "waiting", "url(x)"], "n9": ["now"], "v3": "ghost", "v2": ["ghost"]}
    dark, light = (
        str(FORMATS["svg"].draw(scene(theme, steps), "both")) for theme in ("dark", "light")
    )
    found = re.findall(r'class="([^"]*)" data-key="([^"]*)"', dark)
    classes = {key: names for names, key in found}

    assert "#12171e" in dark
    assert "#12171e" not in light
    assert "@media" not in dark + light
    assert classes["n5"].endswith("is-picked is-waiting is-now")
    assert classes["v3"].endswith("is-highlighted")
    assert classes["v2"].endswith("is-ghost")
    assert "url(x)" not in dark


def test_an_operator_that_is_not_hashed_yet_shows_no_id() -> None:
    shown = str(FORMATS["svg"].draw(scene(steps={"n5": ["unhashed"]}), "stream"))

    assert shown.count("no ID yet") == 1
    assert ">b5c8d46f<" not in shown


def test_a_drawing_has_the_visible_figures_and_marks() -> None:
    drawn = {name: str(FORMATS[name].draw(scene(added=ADDED), "both")) for name in ("svg", "html")}

    for text in drawn.values():
        groups = re.split(r'<g class="[^"]*" data-key="([^"]*)"[^>]*>', text)
        parts: dict[str, str] = defaultdict(str)
        for key, inside in zip(groups[1::2], groups[2::2], strict=True):
            parts[key] += inside
        assert ">36 → 36</text>" in parts["n5"]
        assert ">b5c8d46f<" in parts["n5"]
        track, busy = re.findall(r'class="(?:track|busy)"[^>]* width="([^"]*)"', parts["n5"])
        assert float(busy) == float(track) / 2
        assert 'class="busy"' not in parts["n3"]
        assert re.search(r'<g class="mark error[^"]*" data-key="n5"', text)
        assert "error: lost &lt;state&gt;" in text
        assert re.search(r'<g class="mark warning[^"]*" data-key="v2"', text)
        assert text.count("<circle") == 3
        assert ">36 in · 4.0 ms</text>" in parts["v3"]
        widths = re.findall(r'class="(?:track|load)"[^>]* width="([^"]*)"', parts["v3"])
        track, load = map(float, widths)
        assert load == pytest.approx(track / 2, abs=0.1)
        assert '<path class="part" d="M' in parts["v3"]
        assert "36 records · 2 KB" in text
        assert "unseen" not in text
        assert "1 → 1" not in text
        assert re.search(r"\.mark circle\{stroke:(?:light-dark\(#fbfbfc,)?#12171e", text)


@pytest.mark.parametrize("name", ["mermaid", "dot"])
def test_a_text_has_the_visible_figures_and_marks(name: str) -> None:
    stream, job = (
        str(FORMATS[name].draw(scene(added=ADDED), which)) for which in ("stream", "job")
    )

    lines = {line.split("[")[0].strip(): line for line in stream.splitlines()}
    assert "36" in lines["n5"]
    assert "lost" in lines["n5"]
    assert "no-uid" in lines["v2"] or "no#45;uid" in lines["v2"]
    assert "4.0 ms" not in stream
    assert "4.0 ms" in job.replace("#46;", ".")
    assert "36 records · 2 KB" in job
    assert "uid" not in job
    assert "unseen" not in stream + job


def test_a_task_is_higher_by_its_bar_and_a_graph_alone_has_no_rules_for_it() -> None:
    alone, added = (str(FORMATS["svg"].draw(scene(added=one), "job")) for one in (BARE, ADDED))
    heights = [re.findall(r'width="238" height="([^"]*)"', text) for text in (alone, added)]

    assert [float(high) + 22 for high in heights[0]] == [float(high) for high in heights[1]]
    assert ".mark" in added
    assert ".mark" not in alone


def test_the_menu_offers_both_graphs_where_one_file_can_hold_them() -> None:
    rows = menu(GraphWords())
    offered = {row["which"]: {each["name"] for each in row["formats"]} for row in rows}

    assert offered["job"] == offered["stream"] == set(FORMATS)
    assert offered["both"] == set(FORMATS) - {"mermaid", "dot", "free"}
    assert offered["execution"] == set(FORMATS) - {"free"}


def test_the_menu_names_the_graphs_as_the_program_does() -> None:
    labels = {row["which"]: row["label"] for row in menu(DATA_SET_WORDS)}

    assert labels["stream"] == "DataSet operators"
    assert labels["job"] == "JobGraph"
