"""Comparison of our JobGraph of a captured program with Flink's own.

A captured document carries Flink's own JobGraph; each compilation of the document for the release
that it was captured with is compared with it, member by member.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from explorer.flink import releases
from explorer.flink.compiler import Compilation
from explorer.flink.json_members import job_graph_members
from explorer.model.document import Document
from explorer.model.flink_job_graph import FlinkJobGraph
from explorer.wording import counted, quoted

SHOWN: Final = 3
"""Differences that the sentence repeats."""


class FlinkCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What the comparison found."""

    flink: str
    """The version that made the JobGraph, as in 1.20.5."""
    differences: tuple[str, ...]
    """Where ours differs, a sentence each, in the order of Flink's JobGraph."""
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
        return f"{'equal to' if self.equal else 'differs from'} {owner}Flink {self.flink}"

    @property
    def sentence(self) -> str:
        """The verdict, with the first differences."""
        if self.equal and self.cluster_not_compared:
            return (
                f"the client's JobGraph is equal to what the client of your Flink {self.flink} "
                "makes of this program; the adaptive batch scheduler makes another one while the "
                "job runs, which was not compared"
            )
        if self.equal:
            return f"equal to what your Flink {self.flink} makes of this program"
        places = counted(len(self.differences), "place")
        first = "; ".join(self.differences[:SHOWN])
        more = "; ..." if len(self.differences) > SHOWN else ""
        return (
            f"differs in {places} from what your Flink {self.flink} makes of this program: "
            f"{first}{more}"
        )


def check_against_flink(done: Compilation, document: Document) -> FlinkCheck | None:
    """Compare a compilation of ``document`` with Flink's own JobGraph of it.

    None where the document carries none, or was compiled for another release than captured with.
    """
    own = document.flink_job_graph
    if own is None:
        return None
    version = own.flink or document.flink or releases.LATEST
    if releases.release(version) != done.release:
        return None
    return FlinkCheck(
        flink=version,
        differences=tuple(_differences(own, done)),
        cluster_not_compared=done.is_adaptive,
    )


def _differences(own: FlinkJobGraph, done: Compilation) -> Iterator[str]:
    flinks, ours = msgspec.to_builtins(own), job_graph_members(done.client.job_graph)
    yield from _values("the job", _without(flinks, "flink", "vertices", "edges"), ours)
    for kind, text, called in (("vertices", "tasks", _vertex), ("edges", "edges", _edge)):
        if len(flinks[kind]) != len(ours[kind]):
            yield f"Flink makes {len(flinks[kind])} {text}, and here are {len(ours[kind])}"
            continue
        for position, (one, other) in enumerate(zip(flinks[kind], ours[kind], strict=True)):
            yield from called(position, one, other)


def _vertex(position: int, flinks: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    place = f"task {position + 1} {quoted(flinks['name'])}"
    yield from _values(place, _without(flinks, "operators"), ours)
    given: Sequence[Mapping[str, Any]] = flinks.get("operators", ())
    if [one["node"] for one in given] != [one["node"] for one in ours["operators"]]:
        if "operators" in flinks:
            nodes = [[one["node"] for one in side["operators"]] for side in (flinks, ours)]
            yield f"{place} has the operators {nodes[0]} in Flink's and {nodes[1]} here"
        return
    for one, other in zip(given, ours["operators"], strict=True):
        yield from _values(f"{place}, operator {one['node']}", one, other)


def _edge(position: int, flinks: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    yield from _values(f"edge {position + 1}", flinks, ours)


def _values(place: str, flinks: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    for member, value in flinks.items():
        if ours[member] != value:
            found = quoted(ours[member])
            yield f"{place}: {member} is {quoted(value)} in Flink's and {found} here"


def _without(members: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name not in names}
