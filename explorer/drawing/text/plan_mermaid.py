"""The changed part of a plan's graph in Mermaid, as a pull request's comment shows it."""

from collections.abc import Iterator, Mapping
from typing import Final

from explorer.drawing.layout.captions import spread
from explorer.drawing.svg.palette import PARTS
from explorer.drawing.text.mermaid import escaped
from explorer.plans.changed_graph import ChangedGraph, PartChange, ShownEdge, ShownOperator
from explorer.plans.words import short_ids
from explorer.wording import counted

_STYLES: Final[Mapping[PartChange, str]] = {
    "added": f"stroke:{PARTS['good'][0]},stroke-width:3px",
    "removed": f"stroke:{PARTS['bad'][0]},stroke-width:3px,stroke-dasharray:5 4",
    "changed": f"stroke:{PARTS['now'][0]},stroke-width:3px",
}
"""Strokes alone, which a code host shows on a light and on a dark page."""
NO_BASELINE: Final = "No diagram: the graph of OLD is not known."
NO_CHANGE: Final = "No diagram: nothing of the graph changed."


def plan_diagram(graph: ChangedGraph | None) -> str:
    """The diagram in a fence of Markdown, or the line with the reason why there is none."""
    if graph is None:
        return NO_BASELINE
    if not graph.operators:
        return NO_CHANGE
    lines = ["```mermaid", "flowchart LR"]
    lines += (_operator(one) for one in graph.operators)
    lines += (_edge(one) for one in graph.edges)
    lines += _styles(graph)
    lines.append("```")
    if graph.left_out:
        lines.append(f"\n{counted(graph.left_out, 'more operator')} changed or next to a change.")
    return "\n".join(lines)


def _operator(one: ShownOperator) -> str:
    below: list[str] = [one.change] if one.change in {"added", "removed"} else []
    below += [short_ids(f"{old} → {new}") for old, new in one.changes]
    # Mermaid without HTML labels decodes entities only in a label of several lines.
    words = [escaped(one.name), spread(one.parallelism), *map(escaped, below)]
    return f'  n{one.key}["{"<br/>".join(words)}"]'


def _edge(one: ShownEdge) -> str:
    words = list(_edge_words(one))
    arrow = "-->" if one.chained else "-.->"
    label = f'|"{"<br/>".join(map(escaped, words))}"|' if words else ""
    return f"  n{one.source} {arrow}{label} n{one.target}"


def _edge_words(one: ShownEdge) -> Iterator[str]:
    if one.change == "removed":
        yield "removed"
    elif one.change == "added" and one.chained:
        yield "chained"
    if one.change == "changed" and one.chained != one.was_chained:
        yield "chained now" if one.chained else "not chained any more"
    if one.partitioner != one.old_partitioner:
        yield f"{one.old_partitioner} → {one.partitioner}"
    elif not one.chained:
        yield one.partitioner


def _styles(graph: ChangedGraph) -> Iterator[str]:
    for change, style in _STYLES.items():
        nodes = [f"n{one.key}" for one in graph.operators if one.change == change]
        if nodes:
            yield f"  classDef {change} {style}"
            yield f"  class {','.join(nodes)} {change}"
        edges = [str(position) for position, one in enumerate(graph.edges) if one.change == change]
        if edges:
            yield f"  linkStyle {','.join(edges)} {style}"
