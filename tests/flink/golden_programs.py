"""Programs of the golden files, by name: what a release of Flink printed, and what we make of it.

A test of one pass says in plain numbers what must come out, and asks it of both.
"""

from functools import cache
from typing import Any

import pytest

from explorer import compile_graph
from explorer.errors import FlinkRefusalError
from tests.golden_files import FILES, as_printed, cases, iterations_before


@cache
def _cases() -> dict[str, dict[str, Any]]:
    return {case["name"]: case for file in FILES for case in cases(file)}


@cache
def printed_and_made(name: str, version: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The members of one program under one release: Flink's, then ours."""
    case = _cases()[name]
    printed = next(one for one in case["flink"] if version in one["versions"])
    before = iterations_before(printed)
    made = compile_graph(case["pipeline"], version, iterations_before=before)
    return printed, as_printed(made.to_dict())


def refused(name: str, version: str) -> tuple[str, str]:
    """With which exception, and in which words, a release refuses a program: Flink, then we."""
    case = _cases()[name]
    printed = next(one for one in case["flink"] if version in one["versions"])
    with pytest.raises(FlinkRefusalError) as refusal:
        compile_graph(case["pipeline"], version)
    error = refusal.value
    return printed["error"], f"{error.exception}: {error.flink_message}"


def node_of(members: dict[str, Any]) -> dict[str, int]:
    """By operator ID, the node that has it."""
    return {id: int(node) for node, id in members["hashes"].items()}


def heads(members: dict[str, Any]) -> list[int]:
    """The first operator of every vertex, in the order of the vertices."""
    return [node_of(members)[vertex["id"]] for vertex in members["job_graph"]["vertices"]]
