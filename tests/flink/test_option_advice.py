"""Advice on options: unknown, misspelled, of another release, renamed, of another type."""

import pytest

from explorer.flink.option_advice import (
    MOST_ADVICE,
    OptionAdvice,
    advise,
    advise_on_options,
    replacement_of,
)
from explorer.flink.releases import VERSIONS, release
from tests.many_cases import for_each


def advice_on(key: str, value: object = "1", version: str = "1.20") -> OptionAdvice:
    advice = advise(key, value, release(version))
    assert advice is not None
    return advice


@for_each(
    ("key", "expected"),
    [
        (
            "execution.savepoint.eignore-unclaimed-state",
            "execution.state-recovery.ignore-unclaimed-state",
        ),
        ("taskmanager.numberoftaskslots", "taskmanager.numberOfTaskSlots"),
        ("taskmanager.slots", "taskmanager.numberOfTaskSlots"),
        ("memory.taskmanager.process.size", "taskmanager.memory.process.size"),
        ("interval.execution.checkpointing", "execution.checkpointing.interval"),
        ("taskmanager.memory.managed.fractoin", "taskmanager.memory.managed.fraction"),
        ("jobmanger.memory.process.size", "jobmanager.memory.process.size"),
        ("table.exec.state.tll", "table.exec.state.ttl"),
        ("state.checkpoint.dir", "execution.checkpointing.dir"),
        ("security.ssl.intern.enabled", "security.ssl.internal.enabled"),
    ],
)
def test_a_misspelled_key_gets_a_suggestion(key: str, expected: str) -> None:
    advice = advice_on(key)

    assert advice.kind == "misspelled"
    assert advice.replacement == expected
    assert "did you mean '" in advice.sentence


@for_each(
    "key",
    [
        "metrics.reporter.prom.port",
        "kubernetes.operator.savepoint.history.max.age",
        "env.java.opts.taskmanager",
        "s3.access-key",
        "fs.s3a.endpoint",
        "containerized.master.env.X",
        "pipeline.global-job-parameters.x",
        "table.exec.source.idle-timeout",
        "my.application.window",
    ],
)
def test_keys_that_something_else_reads_get_no_advice(key: str) -> None:
    assert advise(key, "1 s", release("1.20")) is None


def test_a_key_of_another_release_is_named_with_its_successor() -> None:
    newer = advice_on("pipeline.operator-chaining.enabled", "true", "1.17")

    removed = advice_on("taskmanager.heap.size", "1g", "2.0")

    assert removed.kind == newer.kind == "other release"
    assert removed.replacement is None
    assert newer.replacement == "pipeline.operator-chaining"
    assert replacement_of("mine.alone", "1.20") is None


def test_an_old_key_is_named_only_where_its_value_is_readable() -> None:
    assert advice_on("state.backend", "rocksdb").kind == "deprecated"
    wrong = advice_on("state.backend.incremental", "ture")

    assert wrong.kind == "unreadable"
    assert wrong.sentence.startswith(
        "Could not parse value 'ture' for key 'execution.checkpointing.incremental'."
    )
    assert wrong.sentence.endswith("its value is true or false.")


def test_hidden_values_are_not_judged() -> None:
    assert advise("web.timeout", "******", release("1.20")) is None


@pytest.mark.slow
def test_many_unknown_options_get_as_much_advice_as_the_limit() -> None:
    options = {f"execution.thing-{number}": 1 for number in range(MOST_ADVICE + 10)}

    assert len(advise_on_options(options, release("1.20"))) == MOST_ADVICE


@for_each("version", VERSIONS)
def test_every_release_advises(version: str) -> None:
    assert advice_on("taskmanager.numberOfTaskSlot", "2", version).replacement == (
        "taskmanager.numberOfTaskSlots"
    )
