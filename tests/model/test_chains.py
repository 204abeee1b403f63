"""Verdicts on an edge, and the operators of a chain."""

from explorer import compile_graph
from explorer.model.chains import Chain, Decision, Verdict
from explorer.model.stream_graph import NodeId
from tests.comparison.small_jobs import changed, program


def verdict(*, holds: bool, text: str = "Both may chain. A user asked. Twice.") -> Verdict:
    return Verdict(code="CH01", title="t", holds=holds, asked=True, values="NEVER", text=text)


def decided(holds: str) -> Decision:
    """A sign for each condition: ``+`` holds, ``-`` does not."""
    verdicts = tuple(verdict(holds=one == "+") for one in holds)
    return Decision(edge=0, source="a", target="b", verdicts=verdicts)


def test_the_first_sentence_is_what_must_hold_and_the_rest_why() -> None:
    one = verdict(holds=False)

    assert (one.need, one.why) == ("Both may chain", "A user asked. Twice.")
    assert one.shortfall == "Needed: both may chain. Here: NEVER."


def test_an_edge_chains_where_every_condition_holds() -> None:
    assert decided("++").chained
    assert not decided("+--").chained
    assert len(decided("+--").failed) == 2


def test_conditions_of_a_compiled_edge_have_a_need_and_a_reason() -> None:
    done = compile_graph(program(changed("words", chaining_strategy="NEVER")))

    first = done.decisions[0]
    (failed,) = first.failed
    assert failed.code == "CH04"
    assert all(one.need and one.why for one in first.verdicts)


def test_chained_sources_are_operators_of_the_task() -> None:
    chain = Chain(
        head=NodeId(2), members=(NodeId(3), NodeId(2)), sources=(NodeId(1),), out_edges=()
    )

    assert chain.nodes == (1, 3, 2)
