"""Differences between two savepoints, existing or expected."""

from typing import Any

from msgspec.structs import replace

from explorer import load_document, load_savepoint
from explorer.comparison.baseline import Baseline, CompiledBaseline, compile_baseline
from explorer.comparison.baseline_matches import match_deployed
from explorer.flink.compiler import compile_program
from explorer.locations import sample_folder
from explorer.model.operator_ids import is_unknown
from explorer.restore.saved_changes import SavedChange, saved_changes
from explorer.savepoints import OperatorState
from tests.comparison.small_jobs import CLEANED, COUNT, program
from tests.documents.reported_jobs import answered
from tests.restore.test_unknown_ids import PROGRAM
from tests.savepoints.clusters import any_savepoint


def expected(transformations: list[dict[str, Any]], **settings: Any) -> CompiledBaseline:
    document = load_document(program(transformations, **settings))
    return compile_baseline(Baseline(name="document", document=document))


def changes(
    old: list[dict[str, Any]], new: list[dict[str, Any]], **settings: Any
) -> dict[str, SavedChange]:
    before, after = expected(old), expected(new, **settings)
    assert after.program is not None
    document = load_document(program(new, **settings))
    matches = match_deployed(before, document, after.program)
    return {one.name: one for one in saved_changes(before, after, matches)}


def test_an_operator_with_another_id_moved() -> None:
    found = changes(COUNT, CLEANED)

    assert found["Source: Custom Source"].change == "kept"
    assert found["count"].change == "moved"
    assert found["count"].new_id_text == f" -> {found['count'].new_id}"
    assert found["Source: Custom Source"].new_id_text == ""
    assert found["count"].before == found["count"].after == "×1 of at most 128"


def test_parallelism_and_maximum_are_those_of_each_side() -> None:
    found = changes(COUNT, COUNT, parallelism=200)

    assert found["count"].change == "kept"
    assert found["count"].before == "×1 of at most 128"
    assert found["count"].after == "×200 of at most 512"


def test_without_matches_operators_are_lost_and_new() -> None:
    found = saved_changes(expected(COUNT), expected(CLEANED), {})

    by_change = {one.change for one in found}
    assert by_change == {"kept", "lost", "new"}
    lost = [one for one in found if one.change == "lost"]
    assert all(one.before and not one.after for one in lost)
    assert all(one.after and not one.before for one in found if one.change == "new")


def test_a_real_savepoint_has_the_bytes_of_its_state() -> None:
    saved = load_savepoint(any_savepoint())
    side = compile_baseline(Baseline(name="savepoint", savepoint=saved))

    found = saved_changes(side, side, {})

    assert {one.change for one in found} == {"kept"}
    (keyed,) = [one for one in found if one.operator_id.startswith("0f059a5c")]
    assert keyed.before == keyed.after
    assert keyed.before.startswith("×3 of at most 128, ")
    assert keyed.before.endswith(" bytes")


def test_an_unknown_id_is_none_to_which_an_operator_moved() -> None:
    submitted = answered(compile_program(load_document(PROGRAM)).to_dict()["job_graph"])
    job = load_document(submitted).under("1.20")
    before = compile_baseline(Baseline(name="program", document=load_document(PROGRAM)))
    after = compile_baseline(Baseline(name="job", document=job))
    assert after.program is not None

    found = saved_changes(before, after, match_deployed(before, job, after.program))

    assert any(is_unknown(id) for id in after.program.hashes.values())
    assert {one.change for one in found} <= {"kept", "lost", "new"}
    assert not [one for one in found if one.new_id]


def test_savepoints_that_are_read_have_bytes_by_kind_of_state() -> None:
    savepoint = load_savepoint(sample_folder() / "upgrade" / "savepoint")
    more = replace(savepoint, operators=tuple(map(grown, savepoint.operators)))
    before, after = (
        compile_baseline(Baseline(name="savepoint", savepoint=side)) for side in (savepoint, more)
    )

    sizes = [size for change in saved_changes(before, after, {}) for size in change.sizes]

    assert [(size.kind, size.change) for size in sizes] == [
        ("coordinator", "same"),
        ("operator", "same"),
        ("keyed", "grown"),
    ]
    assert sizes[-1].after == 2 * (sizes[-1].before or 0)
    assert all(change.sizes == () for change in saved_changes(expected(COUNT), before, {}))


def grown(operator: OperatorState) -> OperatorState:
    """The operator with twice its keyed state."""
    if "keyed" not in operator.kinds:
        return operator
    return replace(operator, subtasks=operator.subtasks * 2)
