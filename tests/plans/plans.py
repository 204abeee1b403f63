"""Programs that the tests of plans replace by one another, and the golden upgrades."""

import base64
from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec.json import encode

from explorer.comparison.baseline import Baseline
from explorer.documents import as_document
from explorer.documents.rehearsals import parse_rehearsal
from explorer.flink.compiler import compile_program
from explorer.plans import Plan, PlanRequest, make_plan
from explorer.plans.plan_case import PlanCase
from explorer.plans.plan_computation import plan_case
from explorer.savepoints import load_savepoint
from tests.golden_files import cases

_REHEARSED = ("1.20.5", "hashmap", "canonical")

COUNT: list[dict[str, Any]] = [
    {"id": "lines", "type": "source"},
    {"id": "words", "type": "flat_map", "inputs": ["lines"]},
    {"id": "by", "type": "key_by", "inputs": ["words"]},
    {"id": "count", "type": "reduce", "inputs": ["by"], "name": "count"},
    {"id": "out", "type": "sink", "inputs": ["count"]},
]
FILTERED: list[dict[str, Any]] = [
    COUNT[0],
    {"id": "clean", "type": "filter", "inputs": ["lines"]},
    {**COUNT[1], "inputs": ["clean"]},
    *COUNT[2:],
]
"""The same with a filter before the count, which gets another ID by that."""
RENAMED_OLD: list[dict[str, Any]] = [*COUNT[:3], {**COUNT[3], "uid": "count-1"}, COUNT[4]]
RENAMED_NEW: list[dict[str, Any]] = [
    *COUNT[:2],
    {"id": "by-all", "type": "key_by", "inputs": ["words"]},
    {"id": "dedup", "type": "process", "inputs": ["by-all"], "name": "dedup"},
    {"id": "by", "type": "key_by", "inputs": ["dedup"]},
    {"id": "total", "type": "reduce", "inputs": ["by"], "name": "total", "uid": "total-1"},
    {"id": "shown", "type": "map", "inputs": ["total"]},
    {"id": "out", "type": "sink", "inputs": ["shown"]},
]
"""A count of another name, uid and place, which no feature matches with the old one."""
HOSTILE = "a|b `c` <script>alert(1)</script> @all [x](y)\n::error::\u202e\x1b[31m"


def program(
    transformations: list[dict[str, Any]], flink: str = "2.2", **environment: Any
) -> dict[str, Any]:
    return {
        "name": "words",
        "flink": flink,
        "transformations": transformations,
        "environment": environment,
    }


def planned(old: dict[str, Any], new: dict[str, Any], **asked: Any) -> Plan:
    baseline = Baseline(name="old.yaml", document=as_document(old))
    return make_plan(as_document(new), baseline, PlanRequest(**asked))


def compared(old: dict[str, Any] | None, new: dict[str, Any], **asked: Any) -> PlanCase:
    """Both programs, compiled and matched, as every section of a plan reads them."""
    baseline = Baseline(name="old.yaml", document=as_document(old)) if old else None
    document = as_document(new)
    return plan_case(document, compile_program(document), baseline, PlanRequest(**asked))


@cache
def restores() -> tuple[dict[str, Any], ...]:
    return tuple(cases("restores"))


def golden_plans(version: str, allowed: str) -> Iterator[tuple[str, Plan, str]]:
    """Each case's name, its plan from the cluster's savepoint, and what the cluster did."""
    for case in restores():
        outcome = next(one for one in case["flink"] if one["version"] == version)
        old, new = (as_document(case[side]).under(version) for side in ("old", "new"))
        savepoint = load_savepoint(base64.b64decode(outcome["metadata"]))
        baseline = Baseline(name="savepoint", document=old, savepoint=savepoint)
        asked = PlanRequest(allow_non_restored=allowed != "strict")
        yield case["name"], make_plan(new, baseline, asked), outcome[allowed].strip()


def rehearsed_plans() -> Iterator[Plan]:
    """Plans from real savepoints with what Flink 1.20.5 did in a rehearsal of each."""
    saved = {
        one["case"]: base64.b64decode(one["metadata"])
        for one in cases("schemas")
        if (one["flink_version"], one["backend"], one["format"]) == _REHEARSED and one["metadata"]
    }
    programs = {
        one["case"]: one["new"]
        for one in cases("schema_programs")
        if one["flink_version"] == _REHEARSED[0]
    }
    for one in cases("rehearsals"):
        new = as_document(programs[one["case"]]).under("1.20")
        savepoint = load_savepoint(saved[one["case"]])
        baseline = Baseline(name="savepoint", document=None, savepoint=savepoint)
        yield make_plan(
            new, baseline, PlanRequest(rehearsal=parse_rehearsal(encode(one["rehearsal"])))
        )


def hostile() -> Plan:
    """A plan in which every operator has a name that would break a careless report."""
    old, new = (
        [
            one if one["type"] == "key_by" else {**one, "name": f"{one['id']} {HOSTILE}"}
            for one in side
        ]
        for side in (COUNT, FILTERED)
    )
    return planned(program(old), program(new))
