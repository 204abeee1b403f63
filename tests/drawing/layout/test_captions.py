"""Texts at edges and above both graphs."""

from msgspec.structs import replace

from explorer import compile_graph
from explorer.drawing.layout.captions import (
    PARTITIONER,
    facts,
    job_caption,
    job_labels,
    labels_for,
    partitioner_labels,
    sizes,
    spread,
    stream_caption,
    stream_labels,
    unsigned,
)
from explorer.drawing.layout.labels import Label
from explorer.drawing.layout.orientation import DENSE_DOWN, DOWN, RIGHT
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.one_line import ELLIPSIS
from tests.drawing.drawn import view_of
from tests.many_cases import for_each

VIEW = view_of()
CUT = next(edge for edge in VIEW.edges if edge.partitioner == "REBALANCE")
JOB = next(edge for edge in VIEW.job_edges if edge.ship_strategy == "REBALANCE")


@for_each(
    ("changed", "alike", "caption"),
    [
        ({"cause": ""}, 1, "REBALANCE"),
        ({"cause": "chaining off"}, 1, "REBALANCE · chaining off"),
        ({"cause": "", "side_output": "late"}, 1, "REBALANCE · side output late"),
        ({"cause": "", "selected_names": ("a", "b")}, 1, "REBALANCE · select a, b"),
        ({"cause": "", "local_strategy": "sort"}, 1, "REBALANCE · sort"),
        ({"cause": ""}, 1234, "REBALANCE · 1,234 edges"),
    ],
)
def test_an_edge_reports_its_partitioner_and_why_it_is_cut(
    changed: dict[str, object], alike: int, caption: str
) -> None:
    assert stream_caption(replace(CUT, **changed), alike) == caption


def test_a_long_partitioner_is_cut() -> None:
    caption = job_caption(replace(JOB, ship_strategy="HASH" * 100))

    assert len(caption.partition(" · ")[0]) == PARTITIONER
    assert job_caption(JOB, 3) == "REBALANCE · all-to-all · 3 edges"


def test_only_edges_between_tasks_have_labels() -> None:
    assert set(stream_labels(VIEW)) == {edge.key for edge in VIEW.edges if not edge.chained}
    assert set(partitioner_labels(VIEW)) == {edge.key for edge in VIEW.edges}
    assert job_labels(VIEW, {JOB.key: "10 rows"})[JOB.key].lines == (job_caption(JOB), "10 rows")


def test_several_reasons_are_listed_in_a_labels_tip() -> None:
    edge = replace(CUT, against=("HASH", "parallelism 1 / 2"), cause="2 reasons")
    several = stream_labels(replace(VIEW, edges=(edge,)))[edge.key]

    assert several.lines == (f"{edge.partitioner} · 2 reasons",)
    assert several.tip == "HASH\nparallelism 1 / 2"


def test_labels_wrap_and_a_shortened_one_has_all_of_its_text_in_its_tip() -> None:
    words = ("FORWARD · downstream strategy forbids chaining", "REBALANCE · parallelism 1 / 2")
    tagged = "REBALANCE · side output unreadable · parallelism 2 / 1"
    labels = {word: Label(lines=(word,)) for word in ("HASH", *words)}
    down = [labels_for(DOWN, labels)[word].lines for word in ("HASH", *words)]
    assert down == [
        ("HASH",),
        ("FORWARD · downstream", "strategy forbids chaining"),
        ("REBALANCE", "parallelism 1 / 2"),
    ]
    right = ("FORWARD", "downstream", "strategy forbids", "chaining")
    assert labels_for(RIGHT, labels)[words[0]].lines == right
    # Where its lines have no space for it, a label is wider before it is shortened.
    two = labels_for(DOWN, {tagged: Label(lines=(tagged,))})[tagged]
    assert two.lines == ("REBALANCE · side output", "unreadable · parallelism 2 / 1")
    dense = labels_for(DENSE_DOWN, labels | {tagged: Label(lines=(tagged,))})
    assert dense[words[1]].lines == (words[1],)
    assert dense[tagged].lines[0].endswith(ELLIPSIS)
    assert dense[tagged].tip == tagged


def test_the_head_counts_operators_tasks_and_slots() -> None:
    assert facts(VIEW) == "Flink 1.20 · 4 operators · 3 tasks · 2 slots"
    steps = [{"id": "s", "type": "source"}, {"id": "o", "type": "sink", "inputs": ["s"]}]
    batch = {"environment": {"runtime_mode": "BATCH"}, "transformations": steps}
    assert sizes(graph_view(compile_graph(batch, "1.20"))).endswith(
        "1 task · parallelism decided by the scheduler"
    )


def test_a_key_is_a_word_of_a_text_format() -> None:
    assert [unsigned(key) for key in ("n3", "n-3")] == ["n3", "n_3"]
    assert [spread(number) for number in (1, -1)] == ["×1", "×auto"]
