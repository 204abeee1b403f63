"""The document of the trial that the tests of reports use."""

from typing import Any

DOCUMENT: dict[str, Any] = {
    "name": "a report",
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "s", "type": "legacy_source", "rows": {"sequence": {"from": 0, "to": 9}}},
        {"id": "r", "type": "rebalance", "inputs": ["s"]},
        {"id": "m", "type": "map", "inputs": ["r"], "name": "=1+1", "select": {"n": "n / 2"}},
        {"id": "o", "type": "sink", "inputs": ["m"]},
    ],
}
