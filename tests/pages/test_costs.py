"""On a public page each place and tab answers documents of every shape, or refuses in a sentence.

Bounds are CPU time and memory of one request, whatever else the machine does.
"""

import gc
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest

from components.server.hosting import MB, PUBLIC
from components.session.places import NAMES, place_of
from explorer.documents.text.link_text import pack_link
from explorer.locations import PUBLIC_VARIABLE
from explorer.process_memory import resident_bytes
from tests.pages.opened import html, opened

Step = dict[str, Any]
SECONDS: Final = 2.0
BYTES: Final = 200 * MB
COSTLY: Final = ("Graphs", "Check", "Local run", "Follow", "Lesson", "Steps")
"""Tabs that do the most for a document: the server has imported what they need."""


def sources(count: int, **more: object) -> list[Step]:
    return [{"id": f"s{n}", "type": "source", **more} for n in range(count)]


def union(width: int) -> list[Step]:
    """Every one of as many sources with every one of as many sinks."""
    ids = [f"s{n}" for n in range(width)]
    sinks = [{"id": f"o{n}", "type": "sink", "inputs": ["u"]} for n in range(width)]
    return [*sources(width), {"id": "u", "type": "union", "inputs": ids}, *sinks]


def layers(width: int, depth: int) -> list[Step]:
    """Layers of maps, each of which reads all of the layer before."""
    steps, before = sources(width), [f"s{n}" for n in range(width)]
    for layer in range(depth):
        steps.append({"id": f"u{layer}", "type": "union", "inputs": before})
        before = [f"m{layer}_{n}" for n in range(width)]
        steps += [{"id": key, "type": "map", "inputs": [f"u{layer}"]} for key in before]
    return steps


def fan(readers: int) -> list[Step]:
    maps = [{"id": f"m{n}", "type": "map", "inputs": ["s0"]} for n in range(readers)]
    return [*sources(1), *maps]


def chain(length: int) -> list[Step]:
    ids = ["s0", *(f"m{n}" for n in range(length))]
    maps = [{"id": ids[n + 1], "type": "map", "inputs": [ids[n]]} for n in range(length)]
    return [*sources(1), *maps]


def unions_of_unions(doublings: int) -> list[Step]:
    steps = [*sources(1), {"id": "u0", "type": "union", "inputs": ["s0", "s0"]}]
    steps += [
        {"id": f"u{n}", "type": "union", "inputs": [f"u{n - 1}"] * 2} for n in range(1, doublings)
    ]
    return [*steps, {"id": "o", "type": "sink", "inputs": [f"u{doublings - 1}"]}]


def long_names(width: int) -> list[Step]:
    return [
        step if step["type"] == "union" else step | {"name": "name " * 180} for step in union(width)
    ]


SHAPES: Final[dict[str, list[Step]]] = {
    "union of 1,936 edges": union(44),
    "union of 196 edges": union(14),
    "union of 20,164 edges": union(142),
    "layers of 1,920 edges": layers(4, 120),
    "wide layers of 1,900 edges": layers(10, 19),
    "fan of 1,900 edges": fan(1_900),
    "fan of 20,000 edges": fan(20_000),
    "chain of 1,900 edges": chain(1_900),
    "unions of 1,024 edges": unions_of_unions(10),
    "unions of 16,384 edges": unions_of_unions(14),
    "long names of 900 edges": long_names(30),
}
TRIED: Final[dict[str, Sequence[str]]] = {
    # Its graphs are one card each: a request reaches what the tab itself does.
    "chain of 1,900 edges": NAMES,
    # Those with graphs that cost too much are refused for them, whatever the tab.
    "union of 1,936 edges": ("Graphs", "Execution graph", "Check", "Plan", "Compare", "Resources"),
    "layers of 1,920 edges": ("Graphs", "Check", "Follow", "Steps"),
    "wide layers of 1,900 edges": ("Graphs", "Check"),
    "long names of 900 edges": ("Graphs", "Compare"),
    "fan of 1,900 edges": ("Graphs", "Lesson", "Steps"),
    "fan of 20,000 edges": ("Check",),
    "union of 196 edges": ("Graphs",),
    "union of 20,164 edges": ("Graphs",),
    "unions of 1,024 edges": ("Graphs", "Follow"),
    "unions of 16,384 edges": ("Graphs",),
}
"""By shape the tabs that open it."""


@pytest.fixture(autouse=True, scope="module")
def _public() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PUBLIC_VARIABLE, "1")
        # What the server has imported and made before its first visitor comes.
        for tab in ("Graphs", *COSTLY):
            opened(sample="09-delays-by-carrier", tab=tab, place=place_of(tab))
        # The garbage collector would go through all that other tests left, at the page's cost.
        # What is frozen stays so: thawed, every test that pytest collected would be visited, too.
        gc.collect()
        gc.freeze()
        yield


@pytest.mark.law
@pytest.mark.parametrize(
    ("shape", "tab"), [(shape, tab) for shape, tabs in TRIED.items() for tab in tabs]
)
def test_a_tab_answers_or_refuses_within_the_budget_of_a_request(shape: str, tab: str) -> None:
    text = pack_link({"document": {"transformations": SHAPES[shape]}, "origin": ""})
    before, begun = resident_bytes(), time.process_time()
    page = opened(s=text, tab=tab, place=place_of(tab))
    used, grown = time.process_time() - begun, resident_bytes() - before

    assert used < SECONDS
    assert grown < BYTES
    assert not page.exception
    assert "bug of the explorer" not in html(page)
    assert PUBLIC.work_seconds < SECONDS
