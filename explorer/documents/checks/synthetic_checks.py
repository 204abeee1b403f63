"""Checks of an operator's ``synthetic`` settings, which a trial runs in its place."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from explorer.documents.checks.faults import Problem
from explorer.model.stream_graph import StreamEdge, StreamNode, Synthetic
from explorer.wording import listed, quoted, step

MAX_RECORDS: Final = 1_000_000_000
MAX_RATIO: Final = 100.0
MAX_COST: Final = 1_000_000.0
"""Microseconds: a second a record."""


def synthetic_problems(
    nodes: Sequence[StreamNode], edges: Sequence[StreamEdge]
) -> Iterator[Problem]:
    """Yield a problem for every value that an operator cannot have."""
    if not any(node.synthetic for node in nodes):
        return
    fed = {edge.target for edge in edges}
    tags: dict[int, list[str]] = {}
    for edge in edges:
        if edge.side_output is not None:
            tags.setdefault(edge.source, []).append(edge.side_output)
    for position, node in enumerate(nodes):
        if node.synthetic is None:
            continue
        path = f"stream_graph.nodes[{position}].synthetic"
        problems = _problems(node.synthetic, source=node.id not in fed, tags=tags.get(node.id, ()))
        yield from ((f"{path}.{field}", problem) for field, problem in problems)


def _problems(synthetic: Synthetic, *, source: bool, tags: Sequence[str]) -> Iterator[Problem]:
    if source and (synthetic.records_out is not None or synthetic.side_outputs):
        field = "side_outputs" if synthetic.records_out is None else "records_out"
        yield field, "a source has no records in; give records, how many it sends"
    if not source and synthetic.records is not None:
        yield "records", "only a source sends records of its own; give records_out for each one in"
    if synthetic.records is not None and not 0 <= synthetic.records <= MAX_RECORDS:
        yield "records", f"must be 0 to {MAX_RECORDS:,}, but is {synthetic.records:,}"
    yield from _ratio("records_out", synthetic.records_out or 0.0, MAX_RATIO)
    yield from _ratio("cost", synthetic.cost, MAX_COST, " microseconds")
    yield from _side_outputs(synthetic.side_outputs, tags)


def _side_outputs(ratios: Mapping[str, float], tags: Sequence[str]) -> Iterator[Problem]:
    for tag, ratio in ratios.items():
        place = f"side_outputs.{step(tag)}"
        if tag not in tags:
            result = (
                f"they are {listed([quoted(item) for item in tags])}" if tags else "it has none"
            )
            yield place, f"no edge reads this side output of the operator; {result}"
        yield from _ratio(place, ratio, MAX_RATIO)


def _ratio(place: str, value: float, maximum: float, unit: str = "") -> Iterator[Problem]:
    if not (math.isfinite(value) and 0 <= value <= maximum):
        yield place, f"must be 0 to {maximum:,.0f}{unit}, but is {value}"
