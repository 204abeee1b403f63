"""Rows about API that releases removed or deprecated, as a program's classes use it."""

import pytest

from explorer.flink.releases import release
from explorer.model.api_use import ApiUse
from explorer.plans.api_rows import api_rows
from explorer.plans.record import PlanChange

_CORE = "org/apache/flink/api/common"
_RICH = f"{_CORE}/functions/RichFunction"
_SINK = "org/apache/flink/streaming/api/functions/sink/RichSinkFunction"
_OPEN = "open(Lorg/apache/flink/configuration/Configuration;)V"


def use(owner: str, member: str = "", *users: str, overrides: bool = False) -> ApiUse:
    return ApiUse(owner=owner, member=member, users=users or ("Job",), overrides=overrides)


def rows(*uses: ApiUse, old: str = "1.20", new: str = "2.0") -> list[PlanChange]:
    return [*api_rows(uses, release(old), release(new))]


def test_an_overridden_method_is_never_called() -> None:
    (row,) = rows(use(_RICH, _OPEN, "A", "B", overrides=True))

    assert row.subject == "RichFunction.open(Configuration)"
    assert row.fix == "Override open(OpenContext)"
    assert row.sentence.startswith("Overridden in A and B: Flink 2.0 never calls it.")
    assert row.severity == "unchecked"


def test_a_called_method_fails_where_its_code_runs() -> None:
    (row,) = rows(use(_RICH, _OPEN))

    assert row.fix == "Use open(OpenContext)"
    assert "NoSuchMethodError where this code runs" in row.sentence


def test_a_class_that_is_gone_is_reported_without_its_members() -> None:
    (row,) = rows(use(_SINK), use(_SINK, "close()V"))

    assert row.subject == "RichSinkFunction"
    assert row.fix == "Use org.apache.flink.streaming.api.functions.sink.legacy.RichSinkFunction"
    assert "NoClassDefFoundError where this code runs" in row.sentence


def test_deprecated_api_is_one_row() -> None:
    mode = use("org/apache/flink/streaming/api/CheckpointingMode")
    (row,) = rows(mode, use(_SINK), old="1.19", new="1.20")

    assert (row.subject, row.after, row.severity) == ("deprecated API", "1 use", "note")
    assert "deprecated CheckpointingMode since 1.19" in row.sentence


@pytest.mark.parametrize(("old", "new"), [("2.0", "2.2"), ("1.19", "1.20"), ("2.0", "2.0")])
def test_only_releases_after_the_old_one_count(old: str, new: str) -> None:
    assert rows(use(_SINK), old=old, new=new) == []
