"""The options that releases declare, against what the jars of a release declare."""

import pytest

from explorer.flink.declared_options import (
    changed_defaults,
    declared_options,
    deprecated_keys,
    removed_options,
    versions_that_read,
)
from explorer.flink.releases import VERSIONS, release
from tests.capture.flinks import lib
from tests.flink.ask_options import as_value, ask


@pytest.mark.flink
def test_a_release_still_declares_these_options() -> None:
    table, answer = declared_options("2.2"), ask(lib("2.2.1"))

    assert [*answer] == [*table]
    for key, option in answer.items():
        declared = table[key]
        assert as_value(declared.default) == as_value(option.default), key
        assert (declared.type, declared.deprecated, declared.constants) == (
            option.type,
            option.deprecated,
            option.constants,
        ), key


def test_every_release_declares_options_with_types() -> None:
    for version in VERSIONS[1:]:
        options = declared_options(version)

        assert options["taskmanager.numberOfTaskSlots"].type == "Integer"
        assert all(one.type for one in options.values())
        assert all(bool(one.constants) == ("enum " in one.type) for one in options.values())


def test_options_are_known_whatever_their_class_is_called() -> None:
    """A batch job's configuration has the first one without anybody's doing."""
    named = {
        "execution.batch.adaptive.stream-graph-optimization.strategies": "2.0",
        "collect-sink.batch-size.max": "1.14",
        "table.exec.topn.cache-size": "1.13",
    }
    for key, since in named.items():
        assert versions_that_read(key)[0] == since


def test_a_deprecated_key_names_its_option() -> None:
    assert deprecated_keys("1.20")["state.backend"] == "state.backend.type"
    assert "state.backend" not in deprecated_keys("1.12")


def test_the_releases_that_read_a_key_are_known() -> None:
    assert versions_that_read("execution.runtime-mode")[0] == "1.12"
    assert versions_that_read("taskmanager.heap.size")[-1] == "1.20"
    assert versions_that_read("mine.alone") == ()


def test_a_removed_option_is_found_between_the_releases_that_removed_it() -> None:
    keys = ["taskmanager.network.numberOfBuffers", "pipeline.registered-kryo-types", "mine.alone"]

    found = [*removed_options(keys, release("1.20"), release("2.2"))]

    assert found == keys[:2]
    assert [*removed_options(keys, release("1.19"), release("1.20"))] == []
    assert [*removed_options(keys, release("2.2"), release("1.20"))] == []


def test_defaults_are_compared_as_values() -> None:
    found = {one.key: one for one in changed_defaults(release("1.18"), release("1.20"))}

    delay = found["restart-strategy.exponential-delay.max-backoff"]
    assert (delay.before, delay.after) == ("300000 ms", "60000 ms")
    assert "pipeline.max-parallelism" not in found
    assert [*changed_defaults(release("2.2"), release("2.2"))] == []
