"""A join or a coGroup over windows becomes the operators, edges and tasks of sixteen Flinks."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.documents import load_document
from explorer.errors import FlinkRefusalError
from explorer.flink.kinds import KINDS
from explorer.flink.passes.generation.taggers import Tagger, declared_by, with_taggers
from explorer.model.pipeline import Pipeline, Transformation
from tests.golden_files import cases
from tests.many_cases import for_each

CASES = [(case, version) for case in cases("joins") for version in case["versions"]]
WINDOWS: dict[str, dict[str, Any]] = {
    "tumbling": {"assigner": "tumbling", "size": 5000},
    "sliding": {"assigner": "sliding", "size": 5000, "slide": 2000},
    "session": {"assigner": "session", "gap": 700},
    "processing": {"assigner": "tumbling", "size": 5000, "time": "processing"},
}


class Asked:
    """The program that a question asks of."""

    def __init__(self, question: str) -> None:
        self.call, self.assigner, *self.words = question.split()
        self.transformations: list[dict[str, Any]] = []

    def add(self, type_: str, *inputs: str, **fields: Any) -> str:
        """Declare a transformation; gives its id."""
        name = f"t{len(self.transformations)}"
        given = {"inputs": list(inputs)} if inputs else {}
        self.transformations.append({"id": name, "type": type_, **given, **fields})
        return name

    def source(self) -> str:
        """A source of the kind that the program reads."""
        if "batch" in self.words:
            return self.add("source", name="Sequence Source")
        return self.add("legacy_source", name="Collection Source", parallel=False)

    def joined(self, one: str, other: str, **fields: Any) -> str:
        """The call."""
        window = dict(WINDOWS[self.assigner])
        if "late" in self.words:
            window["allowed_lateness"] = 100
        return self.add(self.call, one, other, window=window, **fields)

    def document(self) -> dict[str, Any]:
        """All of it."""
        one = self.source()
        other = one if "same" in self.words else self.source()
        if "union" in self.words:
            one = self.add("union", one, self.source())
        if "mapped" in self.words:
            one = self.add("map", one, parallelism=2)
            other = self.add("map", other, parallelism=3)
        if "group" in self.words:
            one = self.add("map", one, slot_sharing_group="g")
            other = self.add("map", other, slot_sharing_group="g")
        if "keyed" in self.words:
            one, other = self.add("key_by", one), self.add("rebalance", other)
        made = self.joined(one, other, **self._set())
        if "twice" in self.words:
            made = self.joined(made, other)
        self.add("sink", made)
        environment: dict[str, Any] = {"parallelism": 4 if "mapped" in self.words else 2}
        environment |= {"runtime_mode": "BATCH"} if "batch" in self.words else {}
        environment |= {"chaining": False} if "unchained" in self.words else {}
        return {"environment": environment, "transformations": self.transformations}

    def _set(self) -> dict[str, Any]:
        if "set" in self.words:
            return {"uid": "u", "name": "named", "max_parallelism": 77, "parallelism": 1}
        return {"chaining_strategy": "HEAD"} if "starting" in self.words else {}


@pytest.mark.slow
@for_each(("case", "version"), CASES, lambda case, version: f"{case['question']} {version}")
def test_operators_edges_and_tasks_are_flinks(case: dict[str, Any], version: str) -> None:
    done = compile_graph(Asked(case["question"]).document(), version)
    graph = done.stream_graph

    described = case["nodes"][0]["description"] is not None
    settles = case["nodes"][0]["configured"] is not None
    assert [
        {
            "id": node.id,
            "name": node.name,
            "description": node.description or node.name if described else None,
            "parallelism": node.parallelism,
            "max_parallelism": node.max_parallelism,
            "configured": node.parallelism_configured if settles else None,
            "uid": node.uid,
            "slot_sharing_group": node.slot_sharing_group,
            "chaining_strategy": node.chaining_strategy,
        }
        for node in graph.nodes
    ] == case["nodes"]
    assert [
        {member: getattr(edge, member) for member in case["edges"][0]}
        for node in graph.nodes
        for edge in (graph.edges[position] for position in graph.in_edges[node.id])
    ] == case["edges"]
    assert [
        {"id": vertex.id, "name": vertex.name, "parallelism": vertex.parallelism}
        for vertex in done.client.job_graph.vertices
    ] == case["vertices"]


def test_a_refusal_and_a_node_speak_of_the_call_that_a_document_has() -> None:
    """A tagger has no uid, and none can be given to it."""
    asked = Asked("join tumbling set").document()
    for number, one in enumerate(asked["transformations"]):
        one["uid"] = str(number)

    done = compile_graph(asked)
    assert [node.transformation for node in done.stream_graph.nodes] == [
        *("t0", "t1", "t2", "t2", "t2", "t3"),
    ]
    assert [edge.via for edge in done.stream_graph.edges] == [()] * 5
    asked["environment"]["auto_generate_uids"] = False
    with pytest.raises(FlinkRefusalError, match="assigned to operator Map") as refusal:
        compile_graph(asked)
    assert refusal.value.transformations == ("t2",)


def test_taggers_stand_between_a_join_and_what_it_reads() -> None:
    loaded = load_document(Asked("join tumbling set").document())
    assert isinstance(loaded, Pipeline)
    plain = loaded.transformations

    found = with_taggers(plain)

    (join,) = (one for one in found.values() if KINDS[one.type].tagger)
    taggers = [found[id] for id in join.inputs]
    assert list(found)[2:4] == [one.id for one in taggers]
    assert [one.tags for one in taggers if isinstance(one, Tagger)] == [1, 2]
    assert [one.inputs for one in taggers] == [("t0",), ("t1",)]
    assert {declared_by(one) for one in taggers} == {declared_by(join)} == {"t2"}
    assert len(found) == len(plain) + 2


def test_a_program_without_a_join_has_no_taggers() -> None:
    steps = (
        Transformation(id="s", type="source"),
        Transformation(id="m", type="map", inputs=("s",)),
    )

    assert list(with_taggers(steps).values()) == list(steps)
