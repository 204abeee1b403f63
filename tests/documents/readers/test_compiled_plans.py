"""Compiled plans of SQL, as ``COMPILE PLAN`` writes them."""

import json
from pathlib import Path

import pytest

from explorer.documents.readers.compiled_plans import (
    is_compiled_plan,
    parse_compiled_plan,
    release_of_plan,
    to_sql_plan,
)
from explorer.errors import DocumentError
from tests.golden_files import cases

PLAN: str = next(one for one in cases("sql_upgrades") if one["plan"])["plan"]


def test_a_compiled_plan_is_read() -> None:
    line = next(one for one in cases("sql_upgrades") if one["plan"])
    plan = to_sql_plan(parse_compiled_plan(line["plan"]))

    assert plan.compiled
    assert [node.type for node in plan.nodes][-2:] == [
        "stream-exec-group-aggregate",
        "stream-exec-sink",
    ]
    (state,) = plan.nodes[-2].states
    assert (state.name, state.ttl) == ("groupAggregateState", 0)
    assert [column.type for column in plan.nodes[-2].columns] == [
        "BIGINT",
        "BIGINT NOT NULL",
        "INT",
    ]
    assert plan.nodes[-2].row_kinds is not None
    assert plan.nodes[1].columns[-1].type == "TIMESTAMP(3) *ROWTIME*"


def test_a_text_that_is_no_compiled_plan_is_refused() -> None:
    with pytest.raises(DocumentError, match="must be a compiled plan"):
        parse_compiled_plan("[]")


def test_a_plan_is_known_by_its_members() -> None:
    assert is_compiled_plan(json.loads(PLAN))
    assert not is_compiled_plan({"nodes": []})
    assert not is_compiled_plan([])


def test_a_plan_names_the_release_that_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(PLAN)
    written = json.loads(PLAN)["flinkVersion"]

    assert release_of_plan(path) == ".".join(written.split(".")[:2])
    path.write_text("{}")
    assert release_of_plan(path) is None
    assert release_of_plan(tmp_path / "nowhere.json") is None


def test_every_node_has_its_inputs_and_the_position_of_its_statement() -> None:
    plan = to_sql_plan(parse_compiled_plan(PLAN))
    ids = {node.id for node in plan.nodes}

    assert len(ids) == len(plan.nodes)
    assert all(one in ids for node in plan.nodes for one in node.inputs)
    assert [node.inputs for node in plan.nodes if not node.inputs] == [()]


@pytest.mark.parametrize(
    ("member", "value"), [("nodes", None), ("nodes", [{"id": 1}]), ("edges", "x")]
)
def test_a_plan_with_a_broken_member_is_refused(member: str, value: object) -> None:
    values = {**json.loads(PLAN), member: value}

    with pytest.raises(DocumentError):
        to_sql_plan(values)
