"""What the rows of ``check`` claim of Flink, against what its releases' own classes answered.

``CheckFacts.java`` asked them; ``check_facts`` in the golden files holds the answers.
"""

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from explorer import compile_graph
from explorer.checks import check
from explorer.checks.table import BY_CODE
from explorer.flink.declared_options import deprecated_keys
from explorer.flink.partitioners import PARTITIONER_CLASSES
from explorer.flink.passes.generation.options import OPTION_CALLED
from explorer.flink.releases import VERSIONS, release
from tests.capture.flinks import lib
from tests.checks.pairs import COUNT, OVERRIDES, PAIRS, WINDOW, changed, job, op, within
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.quick_java import QUICK, compile_java

ASKED = Path(__file__).with_name("CheckFacts.java")


@cache
def facts() -> dict[str, dict[str, Any]]:
    """By release, what its classes answered."""
    return {".".join(one["version"].split(".")[:2]): one for one in cases("check_facts")}


def test_every_release_was_asked() -> None:
    assert list(facts()) == list(VERSIONS)


@for_each("version", VERSIONS)
def test_legacy_sources_are_where_the_release_has_them(version: str) -> None:
    found = facts()[version]
    assert release(version).legacy_sources == found["legacy_source"]
    assert release(version).iterations == found["iterate"]
    assert BY_CODE["RL01"].applies(release(version)) == (found["legacy_source"] != "current")


@for_each("version", VERSIONS)
def test_the_same_channels_stay_aligned(version: str) -> None:
    said = facts()[version]["unaligned_edges"]
    aligned = {name for name, unaligned in said.items() if unaligned is False}

    assert set(said) == set(PARTITIONER_CLASSES)
    assert set(release(version).aligned_partitioners) == aligned


@for_each("version", VERSIONS)
def test_forward_is_refused_and_rebalance_slips_in(version: str) -> None:
    found = facts()[version]
    document = changed(PAIRS["ED03"].bad, "s", type="legacy_source")
    exception, _, words = found["forward_refusal"].partition(": ")
    refused = check(document, flink_version=version)

    assert exception == "UnsupportedOperationException"
    assert words.startswith("Forward partitioning does not allow change of parallelism.")
    assert found["rebalance_between"] == "REBALANCE"
    (said,) = (one for one in refused.findings if one.code == "ED03")
    assert words.partition(" Upstream")[0] in said.message
    assert words.partition("You must")[2] in said.message


def newer_keys(name: str) -> set[str]:
    """The keys under which some release reads an option that is called ``name`` in another."""
    return {newer for one in VERSIONS if (newer := deprecated_keys(one).get(name)) is not None}


@for_each("version", VERSIONS)
def test_options_have_the_names_that_the_release_reads(version: str) -> None:
    found = facts()[version]
    for names in (found["chaining_options"], found["timeout_options"]):
        known = names or []
        for name in known:
            assert OPTION_CALLED[name].read(release(version)), name
            assert name == known[0] or deprecated_keys(version)[name] == known[0]
        later = {newer for name in known for newer in newer_keys(name)}
        rows = [one for one in OPTION_CALLED.values() if one.name in later]
        assert all(not one.read(release(version)) for one in rows if one.name not in known)


@for_each("version", VERSIONS)
def test_an_override_of_no_task_is_passed_over(version: str) -> None:
    found = facts()[version]

    assert release(version).parallelism_overrides == (found["overrides_option"] is not None)
    if found["overrides_option"] is not None:
        assert found["overrides_option"] == [OVERRIDES]
        # Source, operator and sink: the operator of two subtasks got one, and nothing was thrown.
        assert found["unknown_override"] == [1, 1, 2]


@for_each("version", VERSIONS)
def test_a_window_without_timestamps_fails_or_has_one_session_at_the_beginning(
    version: str,
) -> None:
    said = facts()[version]["no_timestamp"]
    marker = "Record has Long.MIN_VALUE timestamp (= no timestamp marker)."

    assert said["TumblingEventTimeWindows"].startswith(marker)
    assert said["SlidingEventTimeWindows"].startswith(marker)
    assert f"start={-(2**63)}" in said["EventTimeSessionWindows"]


def test_the_words_differ_by_the_windows_assigner() -> None:
    for assigner, says in (("tumbling", "no timestamp marker"), ("session", "one session")):
        window = WINDOW if assigner == "tumbling" else {"assigner": "session", "gap": 5000}
        document = job(
            op("s", "source"),
            op("by", "key_by", "s", keys=["n"]),
            op("w", "window", "by", window=window),
            op("out", "sink", "w"),
        )
        (said,) = (one for one in check(document).findings if one.code == "ED10")
        assert says in said.message


@for_each("version", VERSIONS)
def test_metrics_hang_on_the_operators_name_and_not_on_its_task(version: str) -> None:
    scope = facts()[version]["operator_scope"]

    assert "<operator_name>" in scope
    assert "<task_name>" not in scope
    assert "<task_name>" in facts()[version]["task_scope"]


@for_each("version", VERSIONS)
def test_a_uid_hash_leaves_the_generated_id(version: str) -> None:
    plain, plain_ids, hashed, hashed_ids = facts()[version]["uid_hash"]

    assert plain == hashed
    assert BY_CODE["ST07"].applies(release(version)) == (hashed_ids is not None)
    if hashed_ids is not None:
        assert plain_ids.endswith(f"{plain}/Optional.empty]")
        assert hashed_ids.endswith(f"{plain}/Optional[{'0' * 31}1]]")


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_the_buffer_timeouts_have_flinks_own_meaning(version: str) -> None:
    found = facts()[version]

    assert (found["flush_every_record"], found["no_timeout"]) in {(None, None), (0, -1)}
    for code, timeout in (("BT01", 0), ("BT02", -1)):
        document = within(PAIRS["BT01"].good, buffer_timeout=timeout)
        document = {**document, "transformations": [*COUNT["transformations"]]}
        document["transformations"][0] = op("s", "legacy_source", uid="s")
        assert code in {one.code for one in check(document, flink_version=version).findings}


@for_each("version", VERSIONS)
def test_unaligned_checkpoints_are_refused_in_the_words_of_flink(version: str) -> None:
    words = facts()[version]["unaligned_custom"]
    document = changed(PAIRS["CP01"].bad, "s", type="legacy_source")
    said = [one for one in check(document, flink_version=version).findings if one.code == "CP01"]

    assert bool(said) == (words not in {None, "taken"})
    for one in said:
        assert one.message == f"Flink: {words.partition(': ')[2]}"


def test_a_skew_is_the_one_that_flink_deals_out() -> None:
    done = compile_graph(PAIRS["MP03"].bad, "1.20")
    (vertex,) = (one for one in done.execution_graph.vertices if one.parallelism == 100)
    sizes = [last - first + 1 for first, last in (s.key_groups for s in vertex.subtasks())]

    assert (min(sizes), max(sizes), sum(sizes)) == (1, 2, 128)


@pytest.mark.flink
def test_the_answers_are_those_of_the_jars(tmp_path: Path) -> None:
    """One release is asked again; the others were asked by the same program."""
    jars = os.pathsep.join(map(str, lib("1.20.5").glob("*.jar")))
    # No --release: the program looks into sun.misc, which that hides.
    old_java = ["-source", "8", "-target", "8"]
    compile_java([ASKED], tmp_path, lib("1.20.5").glob("*.jar"), old_java)
    opened = ["--add-opens=java.base/java.util=ALL-UNNAMED"]
    done = subprocess.run(
        ["java", *QUICK, *opened, "-cp", f"{tmp_path}{os.pathsep}{jars}", "CheckFacts"],  # noqa: S607
        check=True,
        capture_output=True,
        text=True,
    )
    wanted = {name: said for name, said in facts()["1.20"].items() if name != "version"}

    assert json.loads(done.stdout.splitlines()[-1]) == wanted
