"""Two versions next to each other: level, marked, and each with what it has."""

import re
from xml.etree import ElementTree as ET

from explorer.drawing.svg.versions_svg import versions_svg
from explorer.plans.graph_comparison import compare_graphs
from tests.plans.plans import COUNT, FILTERED, compared, program

SVG = "{http://www.w3.org/2000/svg}"


def halves(svg: str) -> list[ET.Element]:
    """The drawings of the baseline and of the new version."""
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    return [half for half in root.findall(f"{SVG}g") if half.get("transform")]


def cards(half: ET.Element) -> dict[str, tuple[str, str]]:
    """Map the names of a half's operators to their class and their height."""
    return {
        card.findtext(f"{SVG}title", ""): (card.get("class", ""), card.find(f"{SVG}rect").get("y"))  # type: ignore[union-attr, misc]
        for card in half.findall(f"{SVG}g")
        if card.get("class", "").startswith("card")
    }


def test_an_operator_is_level_with_itself_and_marked_where_it_changed() -> None:
    graph = compare_graphs(compared(program(COUNT), program(FILTERED)), whole=True)
    assert graph is not None
    old, new = map(cards, halves(versions_svg(graph)))

    assert set(new) - set(old) == {"Filter"}
    assert new["Filter"][0] == "card added"
    assert new["count"][0] == old["count"][0] == "card changed"
    assert all(old[name][1] == new[name][1] for name in old)


def test_each_version_has_its_own_edges_and_its_own_ids() -> None:
    graph = compare_graphs(compared(program(FILTERED), program(COUNT)), whole=True)
    assert graph is not None
    old, new = halves(versions_svg(graph))
    edges = [len(half.findall(f"{SVG}g[{SVG}path]")) for half in (old, new)]
    ids = [re.findall(r"[0-9a-f]{8}…", "".join(half.itertext())) for half in (old, new)]

    assert edges == [len(cards(half)) - 1 for half in (old, new)]
    assert all(ids)
    assert set(ids[0]).isdisjoint(ids[1])
