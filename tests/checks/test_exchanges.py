"""Rules about exchanges: partitioners, split chains, channels, slots."""

import pytest

from tests.checks.findings import found, messages
from tests.checks.pairs import (
    COUNT,
    FORWARD,
    LEGACY,
    LINE,
    SOURCE,
    WIDE,
    WINDOWED,
    Document,
    changed,
    expecting,
    job,
    op,
    within,
)
from tests.many_cases import for_each


def labels(code: str, document: Document) -> list[str]:
    return [one.label for finding in found(code, document) for one in finding.proposals]


def test_a_rebalance_that_the_program_asks_for_is_none_of_flinks() -> None:
    first, second, sink = changed(WIDE, "out", parallelism=2)["transformations"]
    asked = job(first, second, op("r", "rebalance", "m"), {**sink, "inputs": ["r"]})

    assert messages("ED01", changed(WIDE, "out", parallelism=2))
    assert not messages("ED01", within(asked, parallelism=4))


_FILES = "org.apache.flink.connector.file.table.stream"


@for_each(
    ("source", "target", "reported"),
    [
        (("write", f"{_FILES}.compact.CompactFileWriter"), ("c", f"{_FILES}.Committer"), False),
        (("write", f"{_FILES}.compact.CompactFileWriter"), ("c", "com.acme.Commit"), True),
        (("write", "com.acme.Write"), ("c", "com.acme.Commit"), True),
        (("write", "org.apache.iceberg.Write"), ("c", "org.apache.paimon.Commit"), True),
        (("write", "org.apache.iceberg.Write"), ("c", "org.apache.iceberg.Commit"), False),
        (("files: Writer", None), ("files: Compactor coordinator", None), False),
        (("files: Writer", None), ("other: Compactor coordinator", None), True),
        (("files: parse", None), ("files: write", None), True),
    ],
)
def test_a_rebalance_within_a_connector_is_not_the_programs(
    source: tuple[str, str | None],
    target: tuple[str, str | None],
    reported: bool,  # noqa: FBT001
) -> None:
    ends = [
        {"id": id, "name": name, "parallelism": width, "operator": {"class_name": class_name}}
        for id, (name, class_name), width in ((1, source, 4), (2, target, 1))
    ]
    last = {"id": 3, "name": "Sink: end", "parallelism": 1, "sink": True}
    edges = [
        {"source": 1, "target": 2, "partitioner": "REBALANCE"},
        {"source": 2, "target": 3, "partitioner": "FORWARD"},
    ]

    assert bool(messages("ED01", {"stream_graph": {"nodes": [*ends, last], "edges": edges}})) == (
        reported
    )


def test_a_refused_forward_has_three_fixes() -> None:
    assert labels("ED03", changed(FORWARD, "m", parallelism=3)) == [
        "Remove FORWARD from s → m",
        "Set parallelism of s to 3",
        "Set parallelism of m to 1",
    ]


@pytest.mark.parametrize("expectation", ["apart", "chained"])
def test_a_cut_between_operators_with_an_expectation_is_not_reported(expectation: str) -> None:
    cut = changed(LINE, "m", slot_sharing_group="own")

    assert len(messages("ED04", cut)) == 1
    assert not messages("ED04", expecting(cut, **{expectation: [["m", "s"]]}))


def test_a_cut_behind_a_filter_is_not_reported() -> None:
    cut = job(
        SOURCE,
        op("f", "filter", "s"),
        op("m", "map", "f", chaining_strategy="HEAD"),
        op("out", "sink", "m"),
    )

    assert not messages("ED04", cut)
    assert messages("ED04", changed(cut, "f", type="map"))


def test_a_release_without_the_rule_has_no_finding_on_legacy_sources() -> None:
    assert found("ED06", LEGACY, "1.20")
    assert not found("ED06", LEGACY, "1.9")


@pytest.mark.parametrize(("left", "right", "many"), [(100, 100, 1), (99, 101, 0), (10, 1000, 1)])
def test_channels_are_the_product_of_both_ends(left: int, right: int, many: int) -> None:
    document = changed(within(COUNT, parallelism=left), "count", parallelism=right)
    wide = [one for one in messages("ED07", document) if "Keyed Reduce is" in one]

    assert len(wide) == many
    assert all(f"between {left:,} and {right:,} subtasks" in one for one in wide)


def test_a_rebalance_of_many_channels_may_become_a_rescale() -> None:
    wide = job(
        SOURCE, op("r", "rebalance", "s"), op("m", "map", "r", parallelism=50), op("o", "sink", "m")
    )

    assert labels("ED07", within(wide, parallelism=200))[:2] == [
        "Partition s → m by RESCALE",
        "Set parallelism of s to 199",
    ]


def test_a_window_over_all_records_is_one_subtask() -> None:
    alone = job(
        SOURCE,
        op("w", "window_all", "s", window=WINDOWED["transformations"][2]["window"]),
        op("out", "sink", "w"),
    )

    assert (
        "All records of Source: Custom Source go to one subtask of "
        in (messages("ED08", within(alone, parallelism=4))[0])
    )
    assert not messages("ED08", alone)


def test_timestamps_have_to_be_on_every_route_to_a_window() -> None:
    document = job(
        SOURCE,
        op("r", "source"),
        op("t", "timestamps", "s", timestamps={"column": "n"}),
        op("u", "union", "t", "r"),
        *changed(WINDOWED, "by", inputs=["u"])["transformations"][1:],
    )

    assert messages("ED10", document)
    assert not messages("ED10", changed(document, "u", inputs=["t", "t"]))


def test_every_named_group_goes_back_into_one() -> None:
    grouped = changed(changed(WIDE, "m", slot_sharing_group="b"), "out", slot_sharing_group="c")

    assert messages("SL01", grouped) == [
        "3 slot sharing groups ask for 12 slots (4 + 4 + 4); in one group the job would run in 4."
    ]
    assert labels("SL01", grouped) == ["Put m and out back into one group"]
