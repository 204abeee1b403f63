"""Each fact that differs is reported with its effect."""

from typing import Any

from explorer import compile_graph, load_document
from explorer.comparison.compare import compare
from explorer.comparison.job_changes import JobChange, document_changes, job_changes
from explorer.comparison.matching import match_operators
from explorer.comparison.release_changes import document_change
from explorer.flink.releases import LATEST
from tests.comparison.small_jobs import CLEANED, COUNT, changed, program
from tests.many_cases import for_each


def changes(old: dict[str, Any], new: dict[str, Any]) -> dict[tuple[str, str], JobChange]:
    before, after = compile_graph(old), compile_graph(new)
    found = job_changes(before, after, match_operators(before, after).pairs)
    return {(one.where, one.what): one for one in found}


def test_a_program_does_not_differ_from_itself() -> None:
    assert changes(program(COUNT), program(COUNT)) == {}
    assert compare(compile_graph(program(COUNT)), compile_graph(program(COUNT))).same


def test_parallelism_and_channels_count() -> None:
    found = changes(program(COUNT, parallelism=2), program(COUNT, parallelism=200))

    assert found["the job", "channels"].after == "40,000"
    assert "refused" in found["count", "parallelism"].means
    assert found["count", "maximum parallelism"].after == "512 (derived)"
    assert not compare(
        compile_graph(program(COUNT, parallelism=2)), compile_graph(program(COUNT, parallelism=200))
    ).same


def test_a_maximum_parallelism_counts() -> None:
    found = changes(program(COUNT, max_parallelism=128), program(COUNT, max_parallelism=256))

    most = found["count", "maximum parallelism"]
    assert most.before == "128 (set)"
    assert "a savepoint of the old maximum is refused" in most.means


def test_key_groups_that_move_are_counted() -> None:
    found = changes(program(COUNT, parallelism=2), program(COUNT, parallelism=4))

    assert found["count", "parallelism"].means.startswith(
        "96 of 128 key groups get another subtask"
    )


@for_each(
    ("fields", "change", "meaning"),
    [
        ({"name": "sum"}, "name: count -> sum", "dashboards"),
        ({"slot_sharing_group": "blue"}, "slot sharing group: default -> blue", "more slots"),
        ({"buffer_timeout": 0}, "buffer timeout: 100 -> 0", "latency"),
        ({"chaining_strategy": "NEVER"}, "chaining strategy: ALWAYS -> NEVER", "share its task"),
        ({"uid_hash": "0" * 32}, f"uid hash: none -> {'0' * 32}", "under this ID too"),
        ({"uid": "c"}, "uid: none -> c", "from the uid alone"),
        (
            {"resources": {"cpu": 1.0, "heap_mb": 64}},
            "resources: none -> cpu 1.0, heap_mb 64",
            "requests these resources",
        ),
        ({"co_location_group": "x"}, "co-location group: none -> x", "share a slot"),
        ({"managed_memory_weight": 7}, "managed memory weight: none -> 7", "managed memory"),
    ],
)
def test_settings_of_an_operator_count(fields: dict[str, Any], change: str, meaning: str) -> None:
    found = changes(program(COUNT), program(changed("count", **fields)))

    _check_change(found, fields.get("name", "count"), change, meaning)


def _check_change(
    found: dict[tuple[str, str], JobChange], where: str, change: str, meaning: str
) -> None:
    what, values = change.split(": ")
    row = found[where, what]
    assert f"{row.before} -> {row.after}" == values
    assert meaning in row.means


@for_each(
    ("settings", "change", "meaning"),
    [
        ({"checkpoint_interval": 1000}, "checkpoint interval: none -> 1,000", "after a failure"),
        ({"chaining": False}, "chaining: on -> off", "a task of its own"),
        ({"runtime_mode": "BATCH"}, "batch mode: off -> on", "no savepoint is restored"),
        (
            {"checkpointing": {"unaligned": True}},
            "unaligned checkpoints: off -> on",
            "records in flight",
        ),
        (
            {"checkpointing": {"tolerable_failures": 3}},
            "tolerable checkpoint failures: 0 -> 3",
            "fails the job",
        ),
    ],
)
def test_the_job_s_settings_count(settings: dict[str, Any], change: str, meaning: str) -> None:
    _check_change(changes(program(COUNT), program(COUNT, **settings)), "the job", change, meaning)


def test_the_slots_of_a_group_count() -> None:
    groups = {"default": {"cpu": 1, "heap_mb": 64}}
    row = changes(program(COUNT), program(COUNT, slot_sharing_groups=groups))[
        "the job", "slots of group default"
    ]

    assert row.before == "default"
    assert row.after.startswith("cpu 1.0, task_heap 67108864")
    assert "slots of this size" in row.means


def test_the_checkpointing_mode_of_jobs_without_checkpoints_does_not_count() -> None:
    once: dict[str, Any] = {"checkpointing": {"mode": "AT_LEAST_ONCE"}}
    on: dict[str, Any] = {"checkpoint_interval": 1000}

    found = changes(program(COUNT, **on), program(COUNT, **on, **once))
    assert found["the job", "checkpointing mode"].after == "AT_LEAST_ONCE"
    assert ("the job", "checkpointing mode") not in changes(program(COUNT), program(COUNT, **once))


def test_an_exchange_counts_though_its_ends_have_moved() -> None:
    old = [*CLEANED[:2], {"id": "x", "type": "rebalance", "inputs": ["clean"]}, *CLEANED[2:]]
    old[3] = old[3] | {"inputs": ["x"]}

    found = changes(program(old, parallelism=2), program(CLEANED, parallelism=2))

    assert found["Filter → Flat Map", "partitioner"].before == "REBALANCE"
    assert found["Filter → Flat Map", "chained"].after == "on"


def test_releases_names_and_options_of_documents_count() -> None:
    old = program(COUNT) | {"name": "a"}
    new = program(COUNT, configuration={"state.backend": "rocksdb"}, flink="1.20") | {"name": "b"}

    said = [one.what for one in document_changes(load_document(old), load_document(new))]

    assert said == ["name", "Flink release", "option state.backend"]


def test_a_document_without_a_release_is_of_the_latest_one() -> None:
    values = program(COUNT, flink=LATEST)
    named = load_document(values)
    unnamed = load_document({name: each for name, each in values.items() if name != "flink"})

    assert [*document_changes(named, unnamed), *document_changes(unnamed, named)] == []


def test_comparing_reports_fields_that_had_no_value() -> None:
    old, new = (load_document(program(COUNT, parallelism=one)) for one in (2, 200))

    said = list(document_change(old, new, "2.2", "2.2").sentences())

    assert any("channels 4 → 40,000" in one for one in said)
