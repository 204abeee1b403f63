"""Names and descriptions of vertices: names in brackets, trees of lines.

Mirrors the texts of ``StreamingJobGraphGenerator.createChainedName``, ``buildTreeDescription`` and
``buildCascadingDescription``. The tree of a line of n operators has n squared characters, so a
description is written when it is asked for and not cached.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from explorer.flink.java_order import hash_order
from explorer.flink.releases import Release
from explorer.model.chains import Chains
from explorer.model.job_graph import JobVertex
from explorer.model.stream_graph import NodeId, StreamGraph


def name_vertices(
    graph: StreamGraph,
    chains: Chains,
    below: Mapping[NodeId, Sequence[NodeId]],
    release: Release,
) -> tuple[str, ...]:
    """Name each chain, in the order of ``chains``; ``below``: by node, those chained to it."""
    # Flink stored all of them in one HashMap by number, which every chain shared.
    # Before FLINK-32680 ``createChainedName`` was given all chained sources of the job: each head
    # that has one lists the sources of all.
    every = hash_order(source for chain in chains.chains for source in chain.sources)
    texts = {node.id: node.name for node in graph.nodes}
    for chain in chains.chains:
        sources = every if release.all_chained_sources_in_names else chain.sources
        if sources:
            texts[chain.head] += sources_suffix([graph.by_id[s].name for s in sources])
    return tuple([nested_text(chain.head, texts, below, ", ") for chain in chains.chains])


LONGEST_METRIC_NAME: Final = 80
"""``METRICS_OPERATOR_NAME_MAX_LENGTH``: characters of an operator's name in its metrics."""
_METRIC_ENDINGS: Final = (": Writer", ": Committer")


def metric_name(name: str, release: Release) -> str:
    """The operator's name in the scope of its metrics: ``MetricUtils.truncateOperatorName``."""
    endings = _METRIC_ENDINGS if release.metric_names_retain_endings else ()
    ending = next(filter(name.endswith, endings), "")
    if len(name) <= LONGEST_METRIC_NAME:
        return name
    return name[: LONGEST_METRIC_NAME - len(ending)] + ending


LONGEST_DESCRIPTION: Final = 40 << 20
"""Characters; a line of about 5,000 operators, more than Flink can describe."""

_MOST_LINES: Final = 100
_INDENT: Final = 3
"""Characters by which each level of the tree is indented."""


def sources_suffix(texts: Sequence[str]) -> str:
    """The part of a head's text on the sources that run in its task."""
    return f" [{', '.join(texts)}]"


def nested_text(
    head: NodeId,
    texts: Mapping[NodeId, str],
    below: Mapping[NodeId, Sequence[NodeId]],
    separator: str,
) -> str:
    """``A -> (B -> C, D)``: brackets where an operator has several outputs."""
    parts: list[str] = []
    stack: list[NodeId | str] = [head]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        parts.append(texts[item])
        children = below[item]
        while len(children) == 1:
            (item,) = children
            parts += (" -> ", texts[item])
            children = below[item]
        if children:
            stack.append(")")
            for child in reversed(children[1:]):
                stack += (child, separator)
            stack += (children[0], " -> (")
    return "".join(parts)


def tree_description(
    head: NodeId, texts: Mapping[NodeId, str], below: Mapping[NodeId, Sequence[NodeId]]
) -> str:
    """One line an operator, ``:- `` before a child that has siblings below it, else ``+- ``.

    Each line is indented by its depth, so a line of n operators has n squared characters. Past
    the depth at which Flink's own recursion ends in a stack overflow, the text is cut.
    """
    maximum = len(below) if _fits(head, texts, below) else _MOST_LINES
    lines: list[str] = []
    stack = [(head, "", "")]
    while len(lines) < maximum:
        node, own, indent = stack.pop()
        lines.append(f"{own}{texts[node]}\n")
        children = below[node]
        for position in range(len(children) - 1, -1, -1):
            last = position == len(children) - 1
            branch, deeper = ("+- ", "   ") if last else (":- ", ":  ")
            stack.append((children[position], indent + branch, indent + deeper))
    if maximum < len(below):
        lines.append(f"... {len(below) - maximum} more operators\n")
    return "".join(lines)


def _fits(
    head: NodeId, texts: Mapping[NodeId, str], below: Mapping[NodeId, Sequence[NodeId]]
) -> bool:
    """Whether the whole tree is short enough to write; a short chain is not traversed."""
    size = sum(map(len, texts.values())) + len(below)
    if size + _INDENT * len(below) ** 2 <= LONGEST_DESCRIPTION:
        return True
    level: Sequence[NodeId] = below[head]
    depth = 1
    while level and size <= LONGEST_DESCRIPTION:
        size += _INDENT * depth * len(level)
        level = [child for node in level for child in below[node]]
        depth += 1
    return size <= LONGEST_DESCRIPTION


def description(vertex: JobVertex) -> str | None:
    """Flink's ``operatorPrettyName`` of a vertex; None where the release has none."""
    if vertex.description_mode is None:
        return None
    texts = {o.node: o.description or o.name for o in vertex.operators}
    # ``getDescriptionWithChainedSourcesInfo`` writes them behind the head in brackets; as lines of
    # their own they would count as operators behind the head.
    sources = [texts.pop(source) for source in vertex.chained_sources]
    if sources:
        texts[vertex.head] += sources_suffix(sources)
    below = {o.node: o.chained_outputs for o in vertex.operators if o.node in texts}
    if vertex.description_mode == "CASCADING":
        return nested_text(vertex.head, texts, below, " , ")
    return tree_description(vertex.head, texts, below)
