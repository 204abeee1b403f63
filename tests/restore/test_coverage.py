"""Aspects of a restore that a verdict covers: one operator leaves an aspect open for all."""

from explorer.model.coverage import ASPECTS, AspectCoverage, StateVerdict
from explorer.model.operator_ids import UNKNOWN
from explorer.restore.coverage import coverage
from explorer.restore.restored import RestoredOperator


def operator(name: str = "count", **fields: object) -> RestoredOperator:
    """An operator with restored keyed state."""
    members = {
        "change": "kept",
        "name": name,
        "operator_id": "a" * 32,
        "state": "known",
        "what": "keyed state",
        "outcome": "restored",
        "found_by": "ID",
    }
    return RestoredOperator(**(members | fields))  # type: ignore[arg-type]


def state(aspect: str, verdict: str = "compatible") -> StateVerdict:
    return StateVerdict(
        aspect=aspect,  # type: ignore[arg-type]
        state="",
        kind="value",
        verdict=verdict,  # type: ignore[arg-type]
        sentence="",
    )


def covered(*operators: RestoredOperator) -> dict[str, AspectCoverage]:
    found = coverage(operators, "the release")
    assert tuple(one.aspect for one in found) == ASPECTS
    return {one.aspect: one for one in found}


KEY, VALUE = state("key types"), state("state types")


def test_without_state_every_aspect_is_covered() -> None:
    found = covered(operator(state="none"), operator(found_by=None, outcome="lost"))

    assert all(one.checked for one in found.values())
    assert found["user code"].because == "no operator restores state"
    assert found["release"].because == "the release"


def test_types_are_covered_where_every_verdict_is_known() -> None:
    known = operator(states=(KEY, VALUE))

    assert [covered(known)[one].checked for one in ("key types", "state types")] == [True, True]
    half = covered(known, operator("sum", states=(KEY, state("state types", "unknown"))))
    assert (half["key types"].checked, half["state types"].checked) == (True, False)
    assert half["state types"].because == "not known of 'sum'"


def test_operator_state_has_no_key() -> None:
    found = covered(operator(what="operator state", states=(VALUE,)))

    assert found["key types"].because == "no operator restores state"
    assert found["state types"].checked
    assert not covered(operator(what="keyed state", states=(VALUE,)))["key types"].checked
    assert not covered(operator(what="state", state="possible", states=(VALUE,)))[
        "key types"
    ].checked


def test_an_unclear_operator_leaves_the_ids_open() -> None:
    found = covered(operator(), operator("sum", match="ambiguous"))

    assert not found["IDs"].checked
    assert found["IDs"].because == "several operators may be 'sum'"
    assert found["parallelism and maximum parallelism"].checked


def test_an_unknown_id_leaves_the_parallelism_open_too() -> None:
    found = covered(operator("sum", outcome="unknown"))

    assert found["IDs"].because == f"{UNKNOWN}; not looked up: 'sum'"
    assert found["parallelism and maximum parallelism"].because == (
        "the operator IDs are not known of 'sum'"
    )


def test_code_that_flink_ran_is_covered() -> None:
    ran, none = operator(user_code="rehearsed"), operator(user_code="none")

    assert covered(ran, none)["user code"].checked
    left = covered(ran, operator("sum", user_code="not rehearsed"))["user code"]
    assert (left.checked, left.because) == (False, "open() was not run of 'sum'")
