"""Open windows of restored operators; ``test_window_kinds`` asks clusters."""

import base64
import json
from typing import Any

import msgspec
import pytest

from explorer.comparison.baseline import Baseline, compile_baseline
from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from explorer.flink.upgrades.window_kinds import CONTENTS
from explorer.restore.restored_windows import window_change
from explorer.restore.verdict import check_restore, restore
from tests.golden_files import cases
from tests.many_cases import for_each


def windows(assigner: str, time: str, **sizes: int) -> dict[str, Any]:
    return {
        "flink": "1.20",
        "transformations": [
            {"id": "in", "type": "source", "uid": "in"},
            {"id": "by", "type": "key_by", "inputs": ["in"]},
            {
                "id": "window",
                "type": "window",
                "uid": "window",
                "inputs": ["by"],
                "window": {"assigner": assigner, "time": time, **sizes},
            },
            {"id": "out", "type": "sink", "inputs": ["window"]},
        ],
    }


def test_another_lateness_is_a_note() -> None:
    old, new = (windows("tumbling", "event", size=10, allowed_lateness=n) for n in (0, 5))
    baseline = Baseline(name="old", document=load_document(old))
    document_of_new = load_document(new)

    found = restore(baseline, document_of_new, compile_program(document_of_new))

    (note,) = [one.sentence for one in found.restrictions if "changes from" in one.sentence]
    assert "EventTimeTrigger, allowed lateness 5 ms: open windows come out as they were" in note
    assert not found.losses
    assert not found.refusals


@for_each(
    ("new", "outcome"),
    [
        (windows("session", "event", gap=10), "losses"),
        (windows("tumbling", "processing", size=10), "losses"),
        (windows("count", "event", size=10), "refusals"),
        (windows("sliding", "event", size=10, slide=5), None),
        (windows("tumbling", "event", size=10), None),
    ],
)
def test_windows_of_another_kind_leave_open_windows_behind(
    new: dict[str, Any], outcome: str | None
) -> None:
    baseline = Baseline(name="old", document=load_document(windows("tumbling", "event", size=10)))
    document_of_new = load_document(new)

    found = restore(baseline, document_of_new, compile_program(document_of_new))

    for weight in ("losses", "refusals"):
        sentences = [one for one in getattr(found, weight) if "changes from" in one]
        assert bool(sentences) == (weight == outcome), (weight, sentences)
    outcomes = {one.transformation: one.outcome for one in found.operators if one.operator_id}
    assert (outcomes["window"] == "keys_lost") == (outcome == "losses")
    assert not found.endangered_keys
    assert found.holds == (outcome is None)
    assert (found.answer == "Flink loses state or records") == (outcome == "losses")


@pytest.mark.parametrize(
    ("names", "outcome"),
    [((CONTENTS,), "lost"), ((CONTENTS, "merging-window-set"), "unknown"), (("count",), None)],
)
def test_a_savepoint_alone_shows_whether_windows_were_sessions(
    names: tuple[str, ...], outcome: str | None
) -> None:
    new = compile_program(load_document(windows("session", "event", gap=10)))
    program = compile_baseline(Baseline(name="old", document=new.pipeline))
    alone = msgspec.structs.replace(program, program=None)
    node = next(one.id for one in new.stream_graph.nodes if one.uid == "window")

    found = window_change(alone, new.hashes[node], new, node, names)

    assert (found.outcome if found else None) == outcome
    assert window_change(alone, new.hashes[node], new, None, names) is None


def sql_upgrade(name: str, version: str) -> dict[str, Any]:
    (found,) = (
        case for case in cases("sql_upgrades") if (case["name"], case["flink"]) == (name, version)
    )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.20.5", "2.2.1"])
@pytest.mark.parametrize(
    ("name", "old_windows", "outcome", "words"),
    [
        ("window aggregate", "TUMBLE(slice_end=[$slice_end], size=[1 s])", None, ""),
        (
            "window size",
            "TUMBLE(slice_end=[$slice_end], size=[1 s])",
            "note",
            "bounds of a new one",
        ),
        (
            "window size",
            "HOP(slice_end=[$slice_end], size=[4 s], slide=[2 s])",
            "lost",
            "records of its other slices never do",
        ),
    ],
)
def test_windows_of_sql_are_compared_by_their_descriptions(
    version: str, name: str, old_windows: str, outcome: str | None, words: str
) -> None:
    old, new = (json.dumps(one) for one in sql_upgrade(name, version)["documents"])
    written = "TUMBLE(slice_end=[$slice_end], size=[1 s])"
    verdict = check_restore(json.loads(old.replace(written, old_windows)), json.loads(new))
    lines = {
        one.weight: one.sentence for one in verdict.restrictions if "changes from" in one.sentence
    }

    assert [*lines] == ([outcome] if outcome else [])
    assert all(words in line for line in lines.values())
    assert verdict.holds == (outcome != "lost")


def test_a_savepoint_alone_leaves_the_windows_of_sql_open() -> None:
    upgrade = sql_upgrade("window size", "2.2.1")
    verdict = check_restore(base64.b64decode(upgrade["metadata"]), upgrade["documents"][1])

    assert any("which windows wrote them is not known" in line for line in verdict.assumptions)
    assert verdict.exit_code() == 3
