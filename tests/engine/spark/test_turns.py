"""Turns are fair among addresses and owners, short trials pass long ones, and few may wait."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import compile_graph
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.spark.turns import (
    IN_A_ROW,
    SHORT_ROWS,
    SHORT_SECONDS,
    QueuePlace,
    Ticket,
    Turns,
    check_space,
    is_short,
)
from explorer.errors import TrialError
from tests.many_cases import for_each


def ticket(owner: str, address: str = "", *, short: bool = False) -> Ticket:
    return Ticket(owner=owner, address=address, short=short)


def waiting(*tickets: Ticket) -> dict[str, Ticket]:
    return {f"{one.owner}{turn}": one for turn, one in enumerate(tickets)}


def test_many_sessions_of_one_address_share_the_turns_of_one() -> None:
    turns = Turns()
    turns.begin(ticket("crowd 0", "1.1.1.1"))
    crowd = [ticket(f"crowd {number} ", "1.1.1.1") for number in range(12)]
    line = turns.in_order(waiting(*crowd, ticket("visitor", "2.2.2.2")))

    assert line[0] == "visitor12"
    assert line[1:] == [f"crowd {number} {number}" for number in range(12)]


def test_within_an_address_turns_go_round_the_owners() -> None:
    many = [ticket("a", "1"), ticket("a", "1"), ticket("a", "1"), ticket("b", "1")]

    assert Turns().in_order(waiting(*many)) == ["a0", "b3", "a1", "a2"]


def test_short_trials_pass_long_ones_a_few_in_a_row() -> None:
    long = [ticket("long", "1") for _ in range(2)]
    shorts = [ticket("short", "1", short=True) for _ in range(IN_A_ROW + 2)]
    line = Turns().in_order(waiting(*long, *shorts))

    assert [name[:-1] for name in line] == [
        *["short"] * IN_A_ROW,
        "long",
        *["short"] * 2,
        "long",
    ]


def test_an_address_whose_short_trials_run_for_long_has_no_short_ones() -> None:
    turns, pretender = Turns(), ticket("p", "1", short=True)
    turns.end(pretender, SHORT_SECONDS)
    assert turns.in_order(waiting(ticket("a", "2"), pretender))[0] == "p1"
    turns.end(pretender, SHORT_SECONDS + 1)

    assert turns.in_order(waiting(ticket("a", "2"), pretender))[0] == "a0"


def test_an_address_and_all_together_have_so_many_trials() -> None:
    place = QueuePlace(owner="new", address="1", most=1, most_of_address=2, most_of_all=3)
    near, far = ticket("a", "1"), ticket("b", "2")
    check_space(place, [near, far])
    with pytest.raises(TrialError, match="2 trials from your address wait or run, and 2 may"):
        check_space(place, [near, near])
    with pytest.raises(TrialError, match="3 trials wait or run here, as many as may"):
        check_space(place, [near, far, far])
    with pytest.raises(TrialError, match="1 trial of yours waits or runs, and 1 may"):
        check_space(place, [ticket("new", "1")])


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("123"), st.booleans())))
def test_every_session_runs_and_none_waits_for_ever(
    drawn: list[tuple[str, str, bool]],
) -> None:
    there = waiting(*(ticket(owner, address, short=short) for owner, address, short in drawn))
    line = Turns().in_order(there)

    assert sorted(line) == sorted(there)
    for at in range(len(line) - IN_A_ROW):
        passed = line[at : at + IN_A_ROW + 1]
        rest = [there[name] for name in line[at + IN_A_ROW :]]
        # A row of short trials is as long only where no long one waits.
        assert not all(there[name].short for name in passed) or all(one.short for one in rest)


@for_each(
    ("rows", "short"),
    [
        ({"sequence": {"from": 1, "to": SHORT_ROWS}}, True),
        ({"sequence": {"from": 1, "to": SHORT_ROWS + 1}}, False),
        ({"generate": {"rows": SHORT_ROWS, "columns": {"n": {"draw": "sequence"}}}}, True),
        ({"generate": {"rows": SHORT_ROWS + 1, "columns": {"n": {"draw": "sequence"}}}}, False),
        ({"values": [[1], [2]], "schema": "n LONG"}, True),
    ],
)
def test_a_trial_of_few_rows_is_short(rows: dict[str, Any], short: bool) -> None:  # noqa: FBT001
    source = {"id": "s", "type": "legacy_source", "rows": rows}
    document = {"transformations": [source, {"id": "o", "type": "sink", "inputs": ["s"]}]}

    assert is_short(plan_trial(compile_graph(document, "1.20")).job) is short


def test_a_trial_with_a_loop_is_long() -> None:
    loop = {
        "transformations": [
            {"id": "s", "type": "source", "rows": {"sequence": {"from": 1, "to": 3}}},
            {"id": "i", "type": "iterate", "inputs": ["s"], "max_wait": 10},
            {"id": "f", "type": "filter", "inputs": ["i"], "where": "n > 1"},
            {"id": "b", "type": "close_iteration", "inputs": ["f"], "iteration": "i"},
            {"id": "o", "type": "sink", "inputs": ["i"]},
        ]
    }
    assert not is_short(plan_trial(compile_graph(loop, "1.20")).job)
