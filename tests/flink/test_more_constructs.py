"""Caches, partition windows, end-of-stream windows, keyed multiple inputs, global committers."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.errors import ExplorerError, UnsupportedReleaseError
from explorer.flink.names import description
from explorer.flink.releases import VERSIONS
from explorer.flink.tasks.stream_config_facts import slot_use_cases, sorted_inputs
from tests.golden_files import cases

CASES = [(case, version) for case in cases("more_constructs") for version in case["versions"]]


class Asked:
    """The program that a question asks of."""

    def __init__(self, question: str) -> None:
        self.construct, *self.words = question.split()
        self.transformations: list[dict[str, Any]] = []

    def add(self, type_: str, *inputs: str, **fields: Any) -> str:
        """Declare a transformation; gives its id."""
        name = f"t{len(self.transformations)}"
        given = {"inputs": list(inputs)} if inputs else {}
        self.transformations.append({"id": name, "type": type_, **given, **fields})
        return name

    def has(self, word: str) -> bool:
        """Whether the question has the word."""
        return word in self.words

    def source(self) -> str:
        """A bounded sequence."""
        return self.add("source", name="Sequence Source")

    def document(self) -> dict[str, Any]:
        """All of it."""
        stream = self.source()
        if self.has("mapped"):
            stream = self.add("process", stream, parallelism=3)
        if self.has("set"):
            stream = self.add("process", stream, uid="before", buffer_timeout=7)
        getattr(self, f"_{self.construct}")(stream)
        environment: dict[str, Any] = {"parallelism": 2}
        environment |= {"runtime_mode": "BATCH"} if self.has("batch") else {}
        environment |= {"chaining": False} if self.has("unchained") else {}
        return {"environment": environment, "transformations": self.transformations}

    def _cache(self, stream: str) -> None:
        if not self.has("source"):
            stream = self.add("process", stream)
        if self.has("side"):
            stream = self.add("side_output", stream, tag="late")
        cached = self.add("cache", stream)
        if self.has("unread"):
            return
        if self.has("keyed"):
            read = self.add("reduce", self.add("key_by", cached))
        elif self.has("rebalanced"):
            read = self.add("process", self.add("rebalance", cached))
        elif self.has("union"):
            read = self.add("process", self.add("union", cached, self.source()))
        else:
            read = self.add("process", cached)
        self.add("sink", read)
        if self.has("twice"):
            self.add("sink", self.add("process", cached, parallelism=1))

    def _partition(self, stream: str) -> None:
        function, *_ = self.words
        if self.has("rebalanced"):
            stream = self.add("rebalance", stream)
        keyed = "keyed_" if self.has("keyed") else ""
        if keyed:
            stream = self.add("key_by", stream)
        named = keyed and function in {"aggregate", "reduce"}
        called = {"function": "Total" if function == "aggregate" else "Sum"} if named else {}
        self._finish(self.add(f"{keyed}{function}_partition", stream, **called, **self._set()))

    def _window(self, stream: str) -> None:
        window = {"assigner": "end_of_stream"}
        if self.has("all"):
            fields = {name: value for name, value in self._set().items() if name != "parallelism"}
            made = self.add("window_all", stream, window=window, **fields)
        else:
            key = self.add("key_by", stream)
            made = self.add("window", key, window=window, **self._set())
        self._finish(made)

    def _multiple(self, stream: str) -> None:
        other = self.source()
        keys = [self.add("key_by", stream), self.add("key_by", other)]
        if self.has("three"):
            keys.append(self.add("key_by", self.add("process", other)))
        fields = {"uid": "u", "max_parallelism": 77} if self.has("set") else {}
        strategy = {"chaining_strategy": "ALWAYS"}
        multi = self.add("multiple_input", *keys, keyed=True, **fields, **strategy)
        self.add("sink", self.add("process", multi))

    def _global(self, stream: str) -> None:
        if self.has("rebalanced"):
            stream = self.add("rebalance", stream)
        fields = {"uid": "u", "name": "named", "parallelism": 1} if self.has("set") else {}
        strategy = {"chaining_strategy": "NEVER"} if self.has("starting") else {}
        self.add("sink_v2", stream, global_committer=True, **fields, **strategy)
        if self.has("twice"):
            self.add("sink", stream)

    def _set(self) -> dict[str, Any]:
        if self.has("set"):
            return {"uid": "u", "name": "named", "max_parallelism": 77, "parallelism": 1}
        return {"chaining_strategy": "HEAD"} if self.has("starting") else {}

    def _finish(self, made: str) -> None:
        if self.has("then"):
            made = self.add("process", self.add("process", made), parallelism=3)
        self.add("sink", made)


def differing(case: dict[str, Any], version: str) -> list[Any]:
    """Where a release's graphs are not ours: what it says, what we say."""
    done = compile_graph(Asked(case["question"]).document(), version)
    graph, job = done.stream_graph, done.client.job_graph
    ours: dict[str, list[dict[str, Any]]] = {
        "nodes": [
            {
                member: getattr(node, member)
                for member in case["nodes"][0]
                if member not in {"slot_memory_use_cases", "sorted_inputs"}
            }
            | {
                "slot_memory_use_cases": list(slot_use_cases(done, node)),
                "sorted_inputs": [number - 1 for number in sorted_inputs(done, node)],
            }
            for node in graph.nodes
        ],
        "edges": [
            {member: getattr(graph.edges[position], member) for member in case["edges"][0]}
            for node in graph.nodes
            for position in graph.in_edges[node.id]
        ],
        "vertices": [
            {
                "id": vertex.id,
                "name": vertex.name,
                "description": description(vertex),
                "parallelism": vertex.parallelism,
                "operator_ids": list(vertex.operator_ids),
            }
            for vertex in job.vertices
        ],
        "job_edges": [
            {member: getattr(edge, member) for member in case["job_edges"][0]} for edge in job.edges
        ]
        if case["job_edges"]
        else [],
    }
    for theirs, own in zip(case["vertices"], ours["vertices"], strict=False):
        # An object's number, and a line of the program that asked.
        if "@" in (theirs["description"] or "@"):
            own["description"] = theirs["description"]
    return [(one, ours[one], case[one]) for one in ours if ours[one] != case[one]]


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS[VERSIONS.index("1.12") :])
def test_operators_edges_and_tasks_are_flinks(version: str) -> None:
    wrong = []
    asked = [case for case in cases("more_constructs") if version in case["versions"]]
    for case in asked:
        if "error" not in case:
            wrong += [(case["question"], *one) for one in differing(case, version)]
            continue
        try:
            compile_graph(Asked(case["question"]).document(), version)
            wrong.append((case["question"], case["error"]))
        except ExplorerError as error:
            if case["error"].partition(": ")[2][:60] not in str(error):
                wrong.append((case["question"], case["error"], str(error)))

    assert asked
    assert wrong == []


@pytest.mark.parametrize(
    ("question", "since"),
    [("cache batch", "1.16"), ("partition map", "1.20"), ("window keyed", "1.20")],
)
def test_a_release_without_the_construct_refuses_it(question: str, since: str) -> None:
    before = VERSIONS[VERSIONS.index(since) - 1]

    compile_graph(Asked(question).document(), since)
    with pytest.raises(UnsupportedReleaseError, match=f"choose {since} or later"):
        compile_graph(Asked(question).document(), before)
