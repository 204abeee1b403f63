"""The steps of a submission: their calls exist in the releases that have them."""

from itertools import chain

import pytest

from explorer.deployment.submission_rows import CLUSTERS, MODES, SubmissionRow, submission_rows
from explorer.flink.releases import VERSIONS, value_in
from tests.capture.flinks import VERSIONS as CACHED
from tests.deployment.ask_submission import asked
from tests.golden_files import cases
from tests.many_cases import for_each


@pytest.mark.flink
def test_the_golden_calls_are_what_the_jars_have() -> None:
    """One release is asked again, of such files each another; one program asked them all."""
    version = CACHED[0]
    kept = {case["version"]: case for case in cases("submission")}

    assert asked(version) == kept[version.rpartition(".")[0]]


def every_row() -> list[SubmissionRow]:
    return [*chain(*submission_rows().values())]


@for_each("version", VERSIONS)
def test_a_row_calls_what_its_release_has(version: str) -> None:
    (has,) = (case["calls"] for case in cases("submission") if case["version"] == version)
    calls = [value_in(row.call, version) for row in every_row()]

    assert [call for call in calls if call and f"org.apache.flink.{call}" not in has] == []


def test_a_row_of_a_cluster_belongs_to_every_mode_on_it() -> None:
    row = next(one for one in every_row() if one.only == ("YARN",))

    assert [
        (mode, cluster) for mode in MODES for cluster in CLUSTERS if row.is_of(mode, cluster)
    ] == [(mode, "YARN") for mode in MODES]


def test_each_graph_is_made_by_a_row() -> None:
    assert {row.makes for row in every_row()} == {
        None,
        "StreamGraph",
        "JobGraph",
        "ExecutionGraph",
    }
