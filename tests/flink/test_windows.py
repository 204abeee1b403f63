"""Count windows and windows with late rows have the names and IDs that sixteen Flinks give them."""

from typing import Any

import pytest

from explorer import compile_graph
from tests.golden_files import cases

CASES = [(case, version) for case in cases("windows") for version in case["versions"]]


def window(words: list[str]) -> dict[str, Any]:
    """The window that a question asks for."""
    kind, *numbers = words
    first, second = int(numbers[0]), int(numbers[-1])
    return {
        "count": {"assigner": "count", "size": first},
        "slide": {"assigner": "count", "size": first, "slide": second},
        "late": {
            "assigner": "session",
            "gap": first,
            "allowed_lateness": second,
            "late_output": "late",
        },
    }[kind]


@pytest.mark.parametrize(
    ("case", "version"), CASES, ids=[f"{case['question']}-{version}" for case, version in CASES]
)
def test_names_and_ids_are_flinks(case: dict[str, Any], version: str) -> None:
    words = case["question"].split()
    transformations: list[dict[str, Any]] = [
        {"id": "s", "type": "legacy_source", "name": "Collection Source", "parallel": False},
        {"id": "b", "type": "key_by", "inputs": ["s"]},
        {"id": "w", "type": "window", "inputs": ["b"], "window": window(words)},
        {"id": "o", "type": "sink", "inputs": ["w"]},
    ]
    if words[0] == "late":
        late = {"id": "l", "type": "side_output", "inputs": ["w"], "tag": "late"}
        transformations += [late, {"id": "p", "type": "sink", "inputs": ["l"]}]
    done = compile_graph({"transformations": transformations}, version)

    described = case["nodes"][0][1] is not None
    nodes = [
        [n.name, n.description or n.name if described else None] for n in done.stream_graph.nodes
    ]
    assert nodes == case["nodes"]
    assert [[v.id, v.name] for v in done.job_graph.vertices] == case["vertices"]
