"""Drawing of a process's memory: a bar of its components, with their sizes below."""

from collections.abc import Mapping
from typing import Final

from explorer.deployment.memory_options import readable
from explorer.drawing.svg.palette import PARTS, SERIES, Pair, light_dark
from explorer.plans.sizes import readable_size

COLOURS: Final[dict[str, Pair]] = {
    "framework heap": SERIES[3],
    "task heap": SERIES[0],
    "heap": SERIES[0],
    "managed": SERIES[1],
    "framework off-heap": SERIES[5],
    "task off-heap": SERIES[4],
    "off-heap": SERIES[5],
    "network": SERIES[2],
    "JVM metaspace": PARTS["write"],
    "JVM overhead": PARTS["read"],
}
"""By part, its colour."""


def memory_bar(title: str, parts: Mapping[str, int]) -> str:
    """HTML: a bar as wide as its place, each part in proportion; a part of no bytes is left out."""
    whole = sum(parts.values())
    shown = {name: size for name, size in parts.items() if size}
    bars = "".join(
        f'<i style="flex:{size / whole:.5f};background:{light_dark(COLOURS[name])}" '
        f'title="{name}: {readable(size)}"></i>'
        for name, size in shown.items()
    )
    legend = "".join(
        f'<span><i style="background:{light_dark(COLOURS[name])}"></i>{name} {_size(size)}</span>'
        for name, size in shown.items()
    )
    return (
        f'<div class="x-memory"><div class="x-memory-head">{title} {_size(whole)}</div>'
        f'<div class="x-memory-bar" role="img" aria-label="{title}: {readable(whole)}">{bars}</div>'
        f'<div class="x-memory-parts">{legend}</div></div>'
    )


def _size(size: int) -> str:
    """A size for a reader; on hover as Flink writes it, with the exact number of bytes."""
    return f'<b title="{readable(size)}">{readable_size(size)}</b>'
