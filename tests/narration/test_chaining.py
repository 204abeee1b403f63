"""The narrated steps of hashing and chaining."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.model.narrated_step import NarratedStep
from explorer.model.steps import NodeHashed, NodeHashedByUid, Step
from explorer.narration.chaining import narrate
from tests.golden_files import NAMED_AND_RANDOM, cases


def line(*names: str, cut_before: str) -> dict[str, Any]:
    """A -> B -> ... where the chain is cut before one operator."""
    transformations: list[dict[str, Any]] = []
    for name in names:
        first = not transformations
        transformations.append(
            {"id": name, "name": name, "type": "legacy_source" if first else "map"}
            | ({} if first else {"inputs": [transformations[-1]["id"]]})
            | ({"chaining_strategy": "HEAD"} if name == cut_before else {})
        )
    return {"transformations": transformations}


def reported(document: dict[str, Any], part: str) -> list[NarratedStep[Step]]:
    return [
        step for step in narrate(compile_graph(document, "1.20", trace=True)) if step.part == part
    ]


def test_five_operators_in_two_chains_are_ten_steps() -> None:
    """A -> B -> C | D -> E."""
    steps = reported(line("A", "B", "C", "D", "E", cut_before="D"), "chaining")

    assert [step.title for step in steps] == [
        "start a chain at Source: A",
        "continue with B",
        "continue with C",
        "start a chain at D",
        "continue with E",
        "return from E",
        "create the task D -> E",
        "return from C",
        "return from B",
        "create the task Source: A -> B -> C",
    ]
    assert steps[2].sentence == (
        "Continue with C, chain index 3 after Source: A. C → D does not chain, so a new chain "
        "starts after it."
    )
    assert steps[-1].sentence == (
        "Source: A is done, and the chain started here: create the task Source: A -> B -> C "
        "with 3 operators. Connect C → D."
    )
    assert steps[4].highlighted.waiting == (1, 2, 3, 4)


def test_hashing_names_the_values_that_are_put_and_mixed_in() -> None:
    steps = reported(line("A", "B", "C", cut_before="C"), "hashing")

    assert [step.title for step in steps] == ["hash Source: A", "hash B", "hash C"]
    hashed = steps[1].event
    assert isinstance(hashed, NodeHashed)
    assert steps[1].sentence == (
        "B is removed from the queue. 1 node has a hash, so the number 1 goes in once for B: "
        "01000000. "
        f"Its Murmur3 hash is {hashed.local}. The hash of Source: A is mixed in, byte by byte: "
        f"times 37, then XOR. The operator ID is {hashed.result}."
    )


def test_a_node_whose_input_has_no_hash_yet_is_put_back() -> None:
    """The join is reached from the near source before the far one's map has a hash."""
    steps = reported(
        {
            "transformations": [
                {"id": "near", "type": "legacy_source"},
                {"id": "far", "type": "legacy_source"},
                {"id": "map", "type": "map", "inputs": ["far"]},
                {"id": "join", "name": "Join", "type": "co_map", "inputs": ["near", "map"]},
                {"id": "out", "type": "sink", "inputs": ["join"]},
            ]
        },
        "hashing",
    )

    titles = [step.title for step in steps]
    assert titles.index("put Join back") < titles.index("hash Join")


@pytest.mark.parametrize("name", NAMED_AND_RANDOM[:2])
def test_every_golden_pipeline_can_be_narrated(name: str) -> None:
    for case in cases(name):
        if "error" in case["flink"][-1] or "1.20" not in case["flink"][-1]["versions"]:
            continue
        done = compile_graph(case["pipeline"], "1.20", trace=True)
        steps = narrate(done)
        hashed = [
            one.event.result for one in steps if isinstance(one.event, NodeHashed | NodeHashedByUid)
        ]
        created = [s.highlighted.vertex for s in steps if s.highlighted.vertex]

        assert hashed == list(done.hashes.values())
        assert sorted(created) == sorted(vertex.name for vertex in done.job_graph.vertices)
