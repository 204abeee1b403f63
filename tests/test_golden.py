"""Every member of every golden case, for every release, equal to what Flink printed."""

from functools import lru_cache
from typing import Any

import pytest

from explorer import compile_graph
from explorer.documents import load_document
from explorer.errors import ExplorerError
from explorer.flink.releases import LATEST, VERSIONS
from tests.golden_files import FILES, as_printed, cases, differences, iterations_before

SINCE = {**dict.fromkeys(FILES, "1.9"), "data_sets": "1.12", "shared_data_sets": "1.16"}
"""By file, the first release that accepts its programs."""
QUICK = {"1.9", "1.12", "1.20", LATEST}
"""The releases that the quick round, too, compares; random programs of the latest alone."""
COMPARED = [
    (name, version)
    if version == LATEST or (version in QUICK and name != "random")
    else pytest.param(name, version, marks=pytest.mark.law)
    for name, first in SINCE.items()
    for version in VERSIONS[VERSIONS.index(first) :]
]


@lru_cache(maxsize=1)
def cases_of(name: str) -> list[dict[str, Any]]:
    """The cases of the file that is compared for one release after another."""
    return [*cases(name)]


def outcomes(name: str, version: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [
        (case, outcome)
        for case in cases_of(name)
        for outcome in case["flink"]
        if version in outcome["versions"]
    ]


@pytest.mark.parametrize(("name", "version"), COMPARED)
def test_the_translation_equals_flinks(name: str, version: str) -> None:
    found = outcomes(name, version)
    wrong: list[str] = []
    for case, outcome in found:
        document = load_document(case["pipeline"])
        try:
            before = iterations_before(outcome)
            done = compile_graph(document, version, iterations_before=before).to_dict()
        except ExplorerError as error:
            message = outcome.get("error", "compiles").split(": ", 1)[-1]
            if message not in str(error):
                wrong.append(f"{case['name']}: {error}")
            continue
        if "error" in outcome:
            wrong.append(f"{case['name']}: compiled, but Flink says {outcome['error']}")
            continue
        wanted = {member: value for member, value in outcome.items() if member != "versions"}
        wanted["stream_graph"]["sources"].sort()
        lines = differences(wanted, as_printed(done))
        wrong += [f"{case['name']}{line}" for line in lines]

    assert found
    assert wrong == []


@pytest.mark.law
@pytest.mark.parametrize("name", FILES)
def test_the_stream_graph_member_alone_is_enough_to_compile(name: str) -> None:
    """Flink's own nodes and edges in, Flink's own JobGraph out."""
    wrong: list[str] = []
    for case, outcome in outcomes(name, "1.20"):
        environment = case["pipeline"]["environment"]
        plain = set(environment) <= {"parallelism", "max_parallelism", "chaining", "buffer_timeout"}
        if "error" in outcome or not plain:
            continue
        document = load_document({"stream_graph": outcome["stream_graph"]})
        done = as_printed(compile_graph(document, "1.20").to_dict())
        wanted = {"hashes": outcome["hashes"], "job_graph": outcome["job_graph"]}
        for vertex in wanted["job_graph"]["vertices"]:
            # What a StreamGraph does not say: weights, resources, the long name of a window.
            del vertex["min_resources"], vertex["description"]
            for operator in vertex["operators"]:
                del operator["managed_memory_fraction"]
        wrong += [f"{case['name']}{line}" for line in differences(wanted, done)]

    assert wrong == []


def test_a_second_caller_gets_the_same_answer() -> None:
    loop = next(case for case in cases("constructs") if case["name"] == "iterate")["pipeline"]

    first, second = (compile_graph(loop, "1.19") for _ in range(2))

    assert first == second


def test_iteration_nodes_are_numbered_on_behind_those_of_earlier_programs() -> None:
    loop = next(case for case in cases("constructs") if case["name"] == "iterate")["pipeline"]

    lowest = [
        min(node.id for node in compile_graph(loop, "1.19", iterations_before=n).stream_graph.nodes)
        for n in (0, 1)
    ]

    assert lowest[1] == lowest[0] - 2
