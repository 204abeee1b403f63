"""Two compilations of a program: which operators have another ID, and what else differs."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from msgspec.structs import replace

from explorer.comparison.compare import Comparison, compare, effect_since, moved_ids
from explorer.documents import load_document
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.operator_ids import UNKNOWN
from explorer.model.pipeline import Pipeline
from tests.strategies import pipelines


def program(
    *more: dict[str, Any],
    uid: str | None = "count",
    uid_hash: str | None = None,
    **environment: Any,
) -> Compilation:
    """A source, perhaps a filter, a keyed sum and a sink."""
    last = more[-1]["id"] if more else "s"
    transformations = [
        {"id": "s", "type": "source"},
        *more,
        {"id": "k", "type": "key_by", "inputs": [last], "keys": ["w"]},
        {"id": "sum", "type": "reduce", "inputs": ["k"], "uid": uid, "uid_hash": uid_hash},
        {"id": "o", "type": "sink", "inputs": ["sum"]},
    ]
    document = {"environment": environment, "transformations": transformations}
    return compile_program(load_document(document), "1.20")


def verdicts(found: Comparison) -> dict[str, str]:
    return {str(one.identity[0]): one.verdict for one in found.operators}


FILTER = {"id": "f", "type": "filter", "inputs": ["s"]}


def test_a_new_operator_changes_generated_ids_and_no_uid() -> None:
    found = compare(program(), program(FILTER))

    assert verdicts(found) == {"s": "moved", "sum": "kept", "o": "moved", "f": "new"}
    assert found.sentence() == "2 tasks, 2 IDs change"
    assert found.vertices == (("Source: Custom Source",), ("Source: Custom Source -> Filter",))


def test_an_operator_that_is_removed_is_lost() -> None:
    assert verdicts(compare(program(FILTER), program()))["f"] == "lost"


@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_a_uid_hash_rescues_an_operator_whose_id_changed(case: Callable[[str], str]) -> None:
    old = program(uid=None)
    id = old.hashes[old.stream_graph.nodes[1].id]
    new = program(FILTER, uid=None, uid_hash=case(id))
    found = compare(old, new)

    assert [one.identity[0] for one in found.operators if one.rescued] == ["sum"]
    assert found.sentence().endswith(", 1 found by uid hashes")


def test_chaining_that_is_off_leaves_the_ids_of_uids() -> None:
    found = compare(program(), program(chaining=False))

    assert (found.tasks, "moved" in verdicts(found).values(), found.same) == ((2, 3), False, False)
    assert found.sentence().startswith("2 tasks → 3, same operator IDs, ")


def test_ids_are_counted_from_the_baseline() -> None:
    baseline, now = program(uid=None), program(FILTER, uid=None)

    assert moved_ids(baseline, now) == {1, 3, 4}
    assert effect_since(baseline, baseline, now) == "2 tasks, 3 IDs change"
    assert effect_since(baseline, now, baseline) == "2 tasks, restores all 3 original IDs"


@pytest.mark.parametrize("pair", [(FILTER,), ()])
def test_operators_alone_make_two_programs_differ(pair: tuple[dict[str, Any], ...]) -> None:
    old, new = program(*pair, uid=None), program(uid="count")
    for found in (compare(old, new), compare(new, old)):
        operators_alone = replace(found, changes=(), result_types=(), tasks=(2, 2))

        assert not operators_alone.same
        assert replace(operators_alone, operators=()).same


@pytest.mark.parametrize("unknown", [(True, False), (False, True), (True, True)])
def test_an_operator_of_which_one_id_is_unknown_may_be_kept_or_not(
    unknown: tuple[bool, bool],
) -> None:
    (first, *_) = compare(program(), program()).operators
    assert first.before is not None
    before, after = (replace(first.before, id=UNKNOWN) if one else first.before for one in unknown)

    assert replace(first, before=before, after=after).verdict == "unknown"


@given(pipelines(max_size=6))
def test_a_program_is_the_same_as_itself(pipeline: Pipeline) -> None:
    done = compile_program(pipeline)
    found = compare(done, done)

    assert found.same
    assert "same operator IDs" in found.sentence()
