"""Jobs with SQL operators of which no optimised plan was read."""

from typing import Any

import pytest

from explorer.capture.sql.sql_plans import warn_of_unread_plans


def job(name: str, *, batch: bool = False, **members: Any) -> dict[str, Any]:
    graph = {"nodes": [{"name": name}], "settings": {"batch": batch}}
    return {"name": "job", "stream_graph": graph, **members}


@pytest.mark.parametrize("name", ["GroupAggregate[4]", "GroupAggregate(groupBy=[a], select=[a])"])
def test_a_stateful_sql_operator_without_a_plan_is_reported(name: str) -> None:
    document = job(name, warnings=["first"])
    warn_of_unread_plans([document])

    first, unread = document["warnings"]
    assert first == "first"
    assert unread.startswith("SQL plan not read: ")


@pytest.mark.parametrize(
    "document",
    [
        job("Map"),
        job("GroupAggregate[4]", batch=True),
        job("GroupAggregate[4]", sql_plan={"statements": [], "nodes": []}),
    ],
)
def test_other_jobs_have_no_such_warning(document: dict[str, Any]) -> None:
    warn_of_unread_plans([document])
    assert "warnings" not in document
