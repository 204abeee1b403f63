"""A program of one operator that runs on a few rows in this process."""

from typing import Any, Final

import pytest

from explorer import ExplorerError
from explorer.engine.report.trial_report import TrialReport
from tests.engine.in_process import trial

VALUES: Final = (["a", 1, 5], ["b", 2, 7], ["a", 3, 9])
SCHEMA: Final = "k STRING, n LONG, t LONG"
Fields = dict[str, Any]


def report(
    *operators: Fields, values: Any = VALUES, schema: str = SCHEMA, **environment: Any
) -> TrialReport:
    """Run source ``s``, timestamps ``t``, key_by ``b`` by k, the operators, and sink ``o``.

    An operator without ``id`` is ``x``, and one without ``inputs`` reads the one before it; the
    first reads ``s``.
    """
    transformations: list[Fields] = [
        {"id": "s", "type": "source", "rows": {"values": list(values), "schema": schema}},
        {"id": "t", "type": "timestamps", "inputs": ["s"], "timestamps": {"column": "t"}},
        {"id": "b", "type": "key_by", "inputs": ["t"], "keys": ["k"]},
    ]
    before = "s"
    for operator in operators:
        transformations.append({"id": "x", "inputs": [before], **operator})
        before = transformations[-1]["id"]
    transformations.append({"id": "o", "type": "sink", "inputs": [before]})
    environment = {"parallelism": 1, **environment}
    return trial({"environment": environment, "transformations": transformations})


def rows(*operators: Fields, values: Any = VALUES, schema: str = SCHEMA) -> list[tuple[Any, ...]]:
    """The sink's rows in order."""
    return list(report(*operators, values=values, schema=schema).sinks["o"].data or ())


def refusal(*operators: Fields) -> str:
    """The message with which the run is refused."""
    with pytest.raises(ExplorerError) as refused:
        report(*operators)
    return str(refused.value)
