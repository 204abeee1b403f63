"""Options that releases removed and defaults that they changed, against what the jars declare."""

import json

import pytest

from explorer.flink.changed_options import changed_defaults, removed_options
from explorer.flink.releases import VERSIONS, release
from tests.capture.flinks import lib
from tests.flink.ask_options import DERIVED, ask, derive, golden


def test_the_table_is_what_the_jars_declare() -> None:
    answers = golden()

    assert [name for name, _ in answers] == list(VERSIONS)
    assert derive(answers) == json.loads(DERIVED.read_text())


@pytest.mark.flink
def test_a_release_still_answers_so() -> None:
    assert ask(lib("2.2.1")) == dict(golden())["2.2"]


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
