"""Comparison of our JobGraph of a captured program with Flink's own.

A captured document carries Flink's own JobGraph; each compilation of the document for the release
that it was captured with is compared with it, member by member.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from explorer.flink import releases
from explorer.flink.compiler import Compilation
from explorer.flink.json_members import job_graph_members
from explorer.flink.passes.overrides import override_parallelism
from explorer.model.document import Document
from explorer.model.flink_job_graph import FlinkJobGraph
from explorer.wording import counted, quoted

SHOWN: Final = 3
"""Differences that the sentence repeats."""
_Members: TypeAlias = Mapping[str, Any]


class FlinkCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the comparison."""

    flink_version: str
    """The version that made the JobGraph, as in 1.20.5."""
    differences: tuple[str, ...]
    """The differences of ours, a sentence each, in the order of Flink's JobGraph."""
    cluster_not_compared: bool = False
    """Whether the job's own graph is one that only a running cluster makes."""

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    @property
    def short(self) -> str:
        """The verdict in a few words."""
        owner = "the client of " if self.cluster_not_compared else ""
        return f"{'equal to' if self.equal else 'differs from'} {owner}Flink {self.flink_version}"

    @property
    def sentence(self) -> str:
        """The verdict, with the first differences."""
        if self.equal and self.cluster_not_compared:
            return (
                "the client's JobGraph is equal to what the client of your Flink "
                f"{self.flink_version} makes of this program; the adaptive batch scheduler makes "
                "another one while the job runs, which was not compared"
            )
        if self.equal:
            return f"equal to what your Flink {self.flink_version} makes of this program"
        places = counted(len(self.differences), "place")
        first = "; ".join(self.differences[:SHOWN])
        ellipsis = "; ..." if len(self.differences) > SHOWN else ""
        return (
            f"differs in {places} from what your Flink {self.flink_version} makes of this program: "
            f"{first}{ellipsis}"
        )


def check_against_flink(compilation: Compilation, document: Document) -> FlinkCheck | None:
    """Compare a compilation of ``document`` with Flink's own JobGraph of it.

    None where the document carries none, or was compiled for another release than captured with.
    """
    flink_graph = document.flink_job_graph
    if flink_graph is None:
        return None
    version = flink_graph.flink or document.flink or releases.LATEST
    if releases.release(version) != compilation.release:
        return None
    return FlinkCheck(
        flink_version=version,
        differences=tuple(_differences(flink_graph, compilation)),
        cluster_not_compared=compilation.is_adaptive,
    )


def _differences(flink_graph: FlinkJobGraph, compilation: Compilation) -> Iterator[str]:
    # The client's JobGraph: a cluster overrides parallelism only after the submission.
    client = override_parallelism(compilation.client.job_graph, {})
    flinks, ours = msgspec.to_builtins(flink_graph), job_graph_members(client)
    yield from _compare_members("the job", flinks, ours, ("flink", "vertices", "edges"))
    for kind, text in (("vertices", "tasks"), ("edges", "edges")):
        if len(flinks[kind]) != len(ours[kind]):
            yield f"Flink makes {len(flinks[kind])} {text}, and here are {len(ours[kind])}"
            continue
        for position, (value, other_value) in enumerate(
            zip(flinks[kind], ours[kind], strict=True), 1
        ):
            if kind == "vertices":
                yield from _compare_vertices(position, value, other_value)
            else:
                yield from _compare_members(f"edge {position}", value, other_value)


def _compare_vertices(number: int, flinks: _Members, ours: _Members) -> Iterator[str]:
    place = f"task {number} {quoted(flinks['name'])}"
    yield from _compare_members(place, flinks, ours, ("operators",))
    nodes = [[item["node"] for item in side.get("operators", ())] for side in (flinks, ours)]
    if nodes[0] == nodes[1]:
        for value, other_value in zip(flinks.get("operators", ()), ours["operators"], strict=True):
            yield from _compare_members(f"{place}, operator {value['node']}", value, other_value)
    elif "operators" in flinks:
        yield f"{place} has the operators {nodes[0]} in Flink's and {nodes[1]} here"


def _compare_members(
    place: str, flinks: _Members, ours: _Members, without: Sequence[str] = ()
) -> Iterator[str]:
    for member, value in flinks.items():
        if member not in without and ours[member] != value:
            result = quoted(ours[member])
            yield f"{place}: {member} is {quoted(value)} in Flink's and {result} here"
