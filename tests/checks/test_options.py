"""Rules about settings without effect: option names, and fields without a setter."""

import pytest

from tests.checks.findings import found, messages
from tests.checks.pairs import COUNT, LINE, OVERRIDES, PAIRS, Document, changed, option, within

OLD, NEW = "pipeline.operator-chaining", "pipeline.operator-chaining.enabled"


def labels(code: str, document: Document, flink: str = "1.20") -> list[str]:
    return [one.label for finding in found(code, document, flink) for one in finding.proposals]


def test_an_unknown_option_gets_the_name_that_the_release_reads() -> None:
    both = within(LINE, configuration={OLD: "true", NEW: "true"})

    assert labels("OP01", option(LINE, NEW, "true"), "1.17") == [
        f"Write {OLD} instead",
        f"Remove {NEW}",
    ]
    assert labels("OP01", both, "1.17") == [f"Remove {NEW}"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("pipeline.operator-chaning", NEW),
        ("pipeline.jobvertex-parallelism-override", OVERRIDES),
        ("rest.port", ""),
    ],
)
def test_a_misspelled_option_is_one_that_is_nearly_known(name: str, near: str) -> None:
    said = labels("OP02", option(LINE, name, 1))

    assert said == ([f"Write {near} instead"] if near else [])


def test_an_overruled_option_may_have_the_same_value() -> None:
    same = option(LINE, "execution.checkpointing.interval", 1000, checkpoint_interval=1000)

    (overruled,) = messages("OP03", same)

    assert "environment.checkpoint_interval is 1000: what the program sets wins" in overruled
    assert not messages("OP03", same, "1.9")


def test_an_old_name_is_removed_where_the_new_one_is_set() -> None:
    both = within(LINE, configuration={OLD: "true", NEW: "true"})

    assert labels("OP04", option(LINE, OLD, "true")) == [f"Write {NEW} instead"]
    assert labels("OP04", both) == [f"Remove {OLD}"]
    assert not labels("OP04", option(LINE, OLD, "true"), "1.17")


def test_each_field_without_a_setter_is_removed() -> None:
    fields = changed(LINE, "out", max_parallelism=128)

    assert labels("OP05", fields) == ["Remove max_parallelism from out"]
    assert not labels("OP05", changed(LINE, "m", max_parallelism=128))


def test_a_batch_job_may_have_batch_exchanges() -> None:
    blocking = PAIRS["OP06"].bad

    assert messages("OP06", blocking)
    assert not messages("OP06", within(blocking, runtime_mode="BATCH"))


def test_overrides_of_tasks_remain_when_the_others_are_removed() -> None:
    alive, dead = "b71731f1c0df9c3076c4a455334d0ad6", "0" * 32
    (found_dead,) = found("OP07", option(COUNT, OVERRIDES, f"{dead}:2,{alive}:3"))

    assert found_dead.message.startswith(
        f"1 override of parallelism names no task of this job ({dead})"
    )
    (kept,) = found_dead.proposals
    assert getattr(kept.change, "value", None) == f"{alive}:3"
    assert not found("OP07", option(COUNT, OVERRIDES, f"{alive}:3"))
