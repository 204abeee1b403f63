"""Rules about the next release: legacy constructs, refusals, changed IDs."""

import pytest

from explorer.documents import load_document
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.releases import LATEST
from tests.checks.findings import found, messages
from tests.checks.pairs import ASYNC, LEGACY, LINE, LOOP, changed


@pytest.mark.parametrize(
    ("flink", "words"),
    [
        ("1.17", None),
        ("1.18", "is deprecated"),
        ("2.0", "is not part of the public API"),
    ],
)
def test_a_legacy_source_is_reported_as_the_release_has_it(flink: str, words: str | None) -> None:
    said = messages("RL01", LEGACY, flink)

    assert len(said) == (words is not None)
    assert all(one.endswith(f"which {words} in Flink {flink}.") for one in said)


def test_a_legacy_source_may_become_a_new_one() -> None:
    (legacy,) = found("RL01", LEGACY)

    assert (legacy.about, legacy.path) == (("s",), "transformations[0].type")
    assert [one.label for one in legacy.proposals] == ["Make s a FLIP-27 source"]


def test_only_the_release_before_a_refusal_reports_it() -> None:
    assert found("RL02", LOOP, "1.20")
    assert not found("RL02", LOOP, "1.19")
    assert not found("RL02", LINE, LATEST)


def node_ids(done: Compilation) -> dict[str | None, str]:
    return {node.transformation: done.hashes[node.id] for node in done.stream_graph.nodes}


def test_a_changed_id_is_the_one_of_the_next_release() -> None:
    now, then = (
        node_ids(compile_program(load_document(ASYNC), version)) for version in ("1.10", "1.11")
    )

    said = {one.about[0]: one.message for one in found("RL03", ASYNC, "1.10")}

    assert said.keys() == {"a", "count"}
    for id, message in said.items():
        assert f"has the ID {now[id]}, and under Flink 1.11 it will have " in message
        assert then[id] in message


def test_a_uid_holds_the_id_in_the_next_release() -> None:
    assert [one.about for one in found("RL03", changed(ASYNC, "count", uid="count"), "1.10")] == [
        ("a",)
    ]
