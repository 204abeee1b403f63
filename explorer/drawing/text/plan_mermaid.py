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
    lines += (_operator(operator) for operator in graph.operators)
    lines += (_edge(edge) for edge in graph.edges)
    lines += _styles(graph)
    lines.append("```")
    if graph.left_out:
        lines.append(f"\n{counted(graph.left_out, 'more operator')} changed or next to a change.")
    return "\n".join(lines)


def _operator(operator: ShownOperator) -> str:
    below: list[str] = [operator.change] if operator.change in {"added", "removed"} else []
    below += [short_ids(f"{old} → {new}") for old, new in operator.changes]
    # Mermaid without HTML labels decodes entities only in a label of several lines.
    words = [escaped(operator.name), spread(operator.parallelism), *map(escaped, below)]
    return f'  n{operator.key}["{"<br/>".join(words)}"]'


def _edge(edge: ShownEdge) -> str:
    words = list(_edge_words(edge))
    arrow = "-->" if edge.chained else "-.->"
    label = f'|"{"<br/>".join(map(escaped, words))}"|' if words else ""
    return f"  n{edge.source} {arrow}{label} n{edge.target}"


def _edge_words(edge: ShownEdge) -> Iterator[str]:
    if edge.change == "removed":
        yield "removed"
    elif edge.change == "added" and edge.chained:
        yield "chained"
    if edge.change == "changed" and edge.chained != edge.was_chained:
        yield "chained now" if edge.chained else "not chained any more"
    if edge.partitioner != edge.old_partitioner:
        yield f"{edge.old_partitioner} → {edge.partitioner}"
    elif not edge.chained:
        yield edge.partitioner


def _styles(graph: ChangedGraph) -> Iterator[str]:
    for change, style in _STYLES.items():
        nodes = [f"n{operator.key}" for operator in graph.operators if operator.change == change]
        if nodes:
            yield f"  classDef {change} {style}"
            yield f"  class {','.join(nodes)} {change}"
        edges = [
            str(position) for position, edge in enumerate(graph.edges) if edge.change == change
        ]
        if edges:
            yield f"  linkStyle {','.join(edges)} {style}"
