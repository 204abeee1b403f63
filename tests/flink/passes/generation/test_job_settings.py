"""Settings of the whole job: what the environment and the release decide."""

from typing import Any

import pytest

from explorer.documents import load_document
from explorer.errors import FlinkRefusalError, UnsupportedReleaseError
from explorer.flink.passes.generation.job_settings import (
    chaining_enabled,
    ignored_warnings,
    job_settings,
)
from explorer.flink.passes.generation.options import configured
from explorer.flink.releases import release
from explorer.model.chains import JobSettings, SlotProfile
from explorer.model.pipeline import Environment, Pipeline, SlotSharingGroup
from tests.many_cases import for_each


def settings(
    version: str = "1.20",
    options: dict[str, Any] | None = None,
    unbounded: tuple[str, ...] = (),
    **fields: Any,
) -> JobSettings:
    environment = Environment(configuration=options or {}, **fields)
    known = release(version)
    return job_settings(configured(environment, known), known, unbounded)


@for_each(
    ("mode", "unbounded", "batch"),
    [
        ("STREAMING", (), False),
        ("BATCH", (), True),
        ("AUTOMATIC", (), True),
        ("AUTOMATIC", ("s",), False),
    ],
)
def test_an_automatic_job_is_a_batch_job_where_every_source_ends(
    mode: str,
    unbounded: tuple[str, ...],
    batch: bool,  # noqa: FBT001
) -> None:
    assert settings(runtime_mode=mode, unbounded=unbounded).batch is batch


def test_a_batch_job_with_an_unbounded_source_is_refused() -> None:
    with pytest.raises(FlinkRefusalError, match="Detected an UNBOUNDED source") as refused:
        settings(runtime_mode="BATCH", unbounded=("s",))

    assert refused.value.transformations == ("s",)


def test_a_release_without_batch_mode_names_those_with_it() -> None:
    with pytest.raises(UnsupportedReleaseError, match=r"no BATCH mode.*choose 1\.12 or later"):
        settings("1.11", runtime_mode="BATCH")


def test_a_batch_job_has_no_checkpoints() -> None:
    fields: dict[str, Any] = {"checkpoint_interval": 1000}

    assert settings(**fields).checkpoint_interval == 1000
    assert settings(runtime_mode="BATCH", **fields).checkpoint_interval is None


@for_each(
    ("version", "options", "dynamic"),
    [
        ("1.14", {}, False),
        ("1.20", {}, True),
        ("1.20", {"jobmanager.scheduler": "Default"}, False),
        ("1.20", {"jobmanager.scheduler": "adaptivebatch"}, True),
    ],
)
def test_the_adaptive_batch_scheduler_makes_a_graph_dynamic(
    version: str,
    options: dict[str, Any],
    dynamic: bool,  # noqa: FBT001
) -> None:
    assert settings(version, options, runtime_mode="BATCH").dynamic is dynamic
    assert not settings(version, options).dynamic


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ({}, "ALL_EDGES_BLOCKING"),
        ({"execution.batch-shuffle-mode": "ALL_EXCHANGES_PIPELINED"}, "ALL_EDGES_PIPELINED"),
        (
            {"execution.batch-shuffle-mode": "ALL_EXCHANGES_HYBRID_FULL"},
            "ALL_EDGES_HYBRID_FULL",
        ),
    ],
)
def test_the_shuffle_mode_of_a_batch_job_is_an_option(options: dict[str, Any], mode: str) -> None:
    assert settings("1.20", options, runtime_mode="BATCH").exchange_mode == mode
    assert settings("1.20", options).exchange_mode == "ALL_EDGES_PIPELINED"


def test_an_unknown_shuffle_mode_and_a_maximum_beyond_the_limit_are_refused() -> None:
    with pytest.raises(FlinkRefusalError, match="Could not parse value 'fast' for key"):
        settings("1.20", {"execution.batch-shuffle-mode": "fast"}, runtime_mode="BATCH")
    with pytest.raises(FlinkRefusalError, match=r"between 1 and 32768\. Found: 40000"):
        settings("1.20", {"pipeline.max-parallelism": 40_000})


HEAVY = {"heavy": SlotSharingGroup(cpu=2, heap_mb=64, managed_mb=8, external={"gpu": 1, "n": 0})}


def test_the_resources_of_a_slot_sharing_group_are_a_slot_profile() -> None:
    profile = SlotProfile(cpu=2, task_heap=64 << 20, managed=8 << 20, external={"gpu": 1})

    assert settings(slot_sharing_groups=HEAVY).slot_profiles == {"heavy": profile}
    with pytest.raises(UnsupportedReleaseError, match=r"no resources; choose 1\.14 or later"):
        settings("1.13", slot_sharing_groups=HEAVY)


def test_a_batch_job_with_profiles_must_block_every_exchange_before_2_0() -> None:
    batch: dict[str, Any] = {"runtime_mode": "BATCH", "slot_sharing_groups": HEAVY}
    blocking = {"fine-grained.shuffle-mode.all-blocking": "true"}
    pipelined = {"execution.batch-shuffle-mode": "ALL_EXCHANGES_PIPELINED"}

    with pytest.raises(FlinkRefusalError, match="all edges being BLOCKING"):
        settings("1.20", **batch)
    assert settings("1.20", blocking | pipelined, **batch).exchange_mode == "ALL_EDGES_BLOCKING"
    assert settings("2.0", pipelined, **batch).exchange_mode == "ALL_EDGES_PIPELINED"


def test_chaining_is_on_unless_a_setter_or_an_option_turns_it_off() -> None:
    new, old = "pipeline.operator-chaining.enabled", "pipeline.operator-chaining"

    def enabled(options: dict[str, Any], *, chaining: bool = True) -> bool:
        environment = Environment(chaining=chaining, configuration=options)
        return chaining_enabled(configured(environment, release("1.20")))

    assert enabled({})
    assert not enabled({}, chaining=False)
    assert not enabled({old: "false"})
    assert enabled({old: "false", new: "true"})


def test_each_field_without_effect_is_a_warning() -> None:
    steps = [
        {"id": "s", "type": "source", "slot_sharing_group": "used"},
        {"id": "o", "type": "sink", "inputs": ["s"], "max_parallelism": 8},
    ]
    size = {"cpu": 1, "heap_mb": 64}
    groups = {"slot_sharing_groups": {"default": size, "used": size, "unused": size}}
    pipeline = load_document({"environment": groups, "transformations": steps})
    assert isinstance(pipeline, Pipeline)

    assert ignored_warnings(pipeline) == (
        "environment.slot_sharing_groups.unused: no operator is in this group, so it has no effect",
        "transformations[1].max_parallelism: a 'sink' has no setter for it in Flink, so it has no "
        "effect",
    )
