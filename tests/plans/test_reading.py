"""A plan's JSON is read back, and its schema describes it."""

import json

import msgspec
import pytest

from explorer import ExplorerError
from explorer.checks.reporting import to_json
from explorer.documents import as_document
from explorer.plans import make_plan
from explorer.plans.reading import MAX_PLAN, plan_from_values, plan_schema, read_plan
from tests.many_cases import for_each
from tests.plans.plans import COUNT, hostile, program


@pytest.mark.slow
def test_a_plan_is_read_back_and_its_schema_describes_it() -> None:
    import jsonschema  # not while collecting

    for plan in (hostile(), make_plan(as_document(program(COUNT)))):
        members = json.loads(to_json(plan.to_dict()))

        jsonschema.validate(members, plan_schema())
        assert read_plan(msgspec.json.encode(members)).to_dict() == plan.to_dict()


@for_each(
    "values",
    [None, [], {}, {"verdict": "deploy"}, {"verdict": "x", "sections": {}, "new": {}}],
)
def test_a_file_that_is_no_plan_is_refused(values: object) -> None:
    with pytest.raises(ExplorerError, match="no plan"):
        plan_from_values(values)


def test_a_plan_that_is_too_long_or_too_deep_is_refused() -> None:
    with pytest.raises(ExplorerError, match="at most"):
        read_plan(b" " * (MAX_PLAN + 1))
    with pytest.raises(ExplorerError, match="no plan"):
        read_plan(b"[" * 100_000)
