"""Parts of a graph as SVG."""

import re
from collections.abc import Iterable
from itertools import pairwise

import pytest

from explorer.drawing.layout.blocks import EdgeLine, Pane, job_pane, stream_pane
from explorer.drawing.layout.captions import job_labels, labels_for, stream_labels
from explorer.drawing.layout.labels import LINE, Label, label_area
from explorer.drawing.layout.orientation import ORIENTATIONS, Orientation
from explorer.drawing.svg.svg_parts import (
    DrawnPart,
    badge_parts,
    edge_part,
    job_parts,
    label_parts,
    stream_parts,
)
from explorer.drawing.view.annotations import BARE, Annotations, Figures, Mark
from tests.drawing.drawn import view_of

VIEW = view_of()
RECTANGLE = re.compile(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"')
TEXTS = re.compile(r'<text class="[^"]+" x="(\S+)" y="([^"]+)"( text-anchor="end")?>')
STREAM, JOB = stream_labels(VIEW), job_labels(VIEW)


def stream(added: Annotations = BARE) -> list[str]:
    return svgs(stream_parts(VIEW, stream_pane(VIEW, STREAM), STREAM, added))


def svgs(parts: Iterable[DrawnPart]) -> list[str]:
    return [part.svg for part in parts]


def part(parts: list[str], key: str) -> str:
    (found,) = (one for one in parts if f'data-key="{key}"' in one and "data-edge-label" not in one)
    return found


def test_borders_lie_below_edges_and_edges_below_cards() -> None:
    kinds = [one.split('"')[1].split()[0] for one in stream()]

    assert kinds == sorted(kinds, key=["box", "edge", "label", "card"].index)
    assert kinds.count("box") == len(VIEW.vertices)
    assert kinds.count("card") == len(VIEW.nodes)


def test_a_card_names_its_operator_and_begins_its_id() -> None:
    node = VIEW.node_of["n1"]
    svg = part(stream(), "n1")

    assert f"<title>{node.title} ({node.name})\n{node.hash}</title>" in svg
    assert f">{node.hash[:8]}</text>" in svg
    assert ">×1</text>" in svg


def test_a_cut_edge_looks_otherwise_than_a_chained_one() -> None:
    for edge in VIEW.edges:
        looks = part(stream(), edge.key).split('"')[1]
        assert (looks == "edge cut") == (not edge.chained)


def test_figures_and_findings_stand_on_a_card() -> None:
    added = Annotations(
        figures=Figures(operators={"n1": "10 → 20"}, loads={"n1": (0.5, "5 ms")}),
        marks={"n1": Mark(severity="error", line="error RF01")},
    )
    card, badge = (one for one in stream(added) if 'data-key="n1"' in one)

    assert ">10 → 20</text>" in card
    assert 'class="busy"' in card
    assert "\nbusy for 5 ms\nerror RF01</title>" in card
    assert 'data-badge="n1"><title>error RF01</title>' in badge


def test_a_task_has_its_whole_id_and_its_bar() -> None:
    added = Annotations(figures=Figures(bars={"v1": (1.0, "5 ms", ())}))
    svg = part(svgs(job_parts(VIEW, job_pane(VIEW, JOB), JOB, added)), "v1")

    assert f">{VIEW.vertices[0].id}</text>" in svg
    assert 'class="load"' in svg


def test_a_line_ends_at_its_tip_and_is_straight_where_it_can_be() -> None:
    edge = VIEW.edges[0]
    straight = edge_part(
        edge, EdgeLine(key="e0", points=((5.0, 0.0), (5.0, 50.0)), label=None), "edge"
    ).svg
    bent = edge_part(
        edge, EdgeLine(key="e0", points=((0.0, 0.0), (9.0, 50.0)), label=None), "edge"
    ).svg

    assert 'class="route" d="M5 0V45"' in straight
    assert 'class="tip" d="M5 50l-4 -7.5h8z"' in straight
    assert re.search(r'd="M0 0C0 22.5 9 22.5 9 45"', bent)


def test_a_label_without_a_place_is_left_out() -> None:
    pane = job_pane(VIEW, JOB)

    assert len([*label_parts(pane, JOB)]) == sum(line.label is not None for line in pane.lines)
    assert [*label_parts(pane, {})] == []


def test_a_chains_heading_stands_at_the_left_top_of_its_border() -> None:
    box = stream_pane(VIEW, STREAM).boxes[0]
    svg = part(stream(), box.key)
    (left, top), (x, y) = (
        [float(one) for one in found]
        for found in re.findall(r'<(?:rect|text class="small mute") x="(\S+)" y="(\S+)"', svg)
    )

    assert left == pytest.approx(box.x - box.width / 2, abs=0.1)
    assert top == pytest.approx(box.y - box.height / 2, abs=0.1)
    assert (x - left, y - top) == pytest.approx((11, 17))


def test_the_lines_of_a_label_stand_around_its_place() -> None:
    line = EdgeLine(key="e0", points=((0.0, 0.0), (0.0, 90.0)), label=(9.0, 40.0))
    pane = Pane(shapes=(), boxes=(), lines=(line,), left=0.0, right=0.0, height=0.0)
    label = Label(lines=("HASH", "10 rows"), tip="parallelism 1 / 2")
    (svg,) = svgs(label_parts(pane, {"e0": label}))
    places = [float(y) for y in re.findall(r' y="(\S+)"', svg)]

    assert sum(places) / 2 == 40.0 + 4
    assert "<title>parallelism 1 / 2</title>" in svg
    assert places[1] - places[0] == LINE


def test_the_texts_of_a_card_stand_within_it_and_apart() -> None:
    nodes, tasks = [node.key for node in VIEW.nodes], [task.key for task in VIEW.vertices]
    figures = Figures(
        operators=dict.fromkeys(nodes, "10 → 20"), bars=dict.fromkeys(tasks, (1.0, "5 ms", ()))
    )
    folded = stream_pane(VIEW, STREAM, folded=tasks)
    drawn = [
        *stream(),
        *stream(Annotations(figures=figures)),
        *svgs(stream_parts(VIEW, folded, STREAM, BARE)),
        *svgs(
            job_parts(VIEW, job_pane(VIEW, JOB, figures=True), JOB, Annotations(figures=figures))
        ),
    ]
    cards = [one for one in drawn if one.startswith('<g class="card')]

    assert len(cards) == 2 * (len(nodes) + len(tasks))
    for card in cards:
        left, top, width, height = (float(one) for one in RECTANGLE.findall(card)[0])
        rows: dict[float, list[str]] = {}
        for x, y, end in TEXTS.findall(card):
            assert left + 11 < float(x) < left + width - 11
            assert top + 11 < float(y) < top + height
            rows.setdefault(float(y), []).append(end)
        heights = sorted(rows)
        assert all(below - above > 10 for above, below in pairwise(heights))
        assert all(len(set(ends)) == len(ends) for ends in rows.values())


@pytest.mark.parametrize("orientation", ORIENTATIONS.values(), ids=ORIENTATIONS)
def test_a_badge_of_an_edge_covers_no_letter_of_its_label(orientation: Orientation) -> None:
    labels = labels_for(orientation, STREAM)
    pane = stream_pane(VIEW, labels, orientation=orientation)
    mark = Mark(severity="error", line="error CH01")
    badges = badge_parts(pane, {line.key: mark for line in pane.lines})

    places = {line.key: line.label for line in pane.lines if line.label}
    areas = {key: label_area(labels[key], place) for key, place in places.items()}
    assert areas
    for badge in badges:
        if badge.key not in areas:
            continue
        (left, top, right, foot), (x, y, u, v) = badge.area, areas[badge.key]
        # The last line's space below its letters may be covered.
        assert right <= x or left >= u or foot <= y or top >= v - LINE / 4
