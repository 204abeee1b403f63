"""A small job that runs before the first trial.

It contains common operators, so that Arrow, Java and Spark load their code, and the first trial is
as fast as a later one.
"""

from functools import cache
from typing import Final

from explorer.documents import as_document
from explorer.engine import plan
from explorer.engine.planning.trial_plan import plan_trial
from explorer.flink.compiler import compile_program

_DOCUMENT: Final = {
    "name": "practice",
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "numbers", "type": "legacy_source", "rows": {"sequence": {"from": 0, "to": 99}}},
        {
            "id": "texts",
            "type": "map",
            "inputs": ["numbers"],
            "select": {"n": "n", "t": "concat('a B', n)", "x": "n / 3 * 1.5"},
        },
        {
            "id": "words",
            "type": "flat_map",
            "inputs": ["texts"],
            "split": {"value": "lower(t)", "pattern": "[^a-z]+", "as": "word"},
        },
        {"id": "long", "type": "filter", "inputs": ["words"], "where": "length(word) > 0"},
        {"id": "ones", "type": "map", "inputs": ["long"], "select": {"word": "word", "n": "1"}},
        {"id": "by", "type": "key_by", "inputs": ["ones"], "keys": ["word"]},
        {"id": "count", "type": "reduce", "inputs": ["by"], "aggregate": {"n": "sum(n)"}},
        {"id": "out", "type": "sink", "inputs": ["count"]},
    ],
}


@cache
def practice_job() -> plan.Job:
    """The job: two tasks of two subtasks each, and a shuffle by key."""
    return plan_trial(compile_program(as_document(_DOCUMENT))).job
