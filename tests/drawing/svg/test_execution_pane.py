"""The drawing of the ExecutionGraph: its cards and lines against what counting gives."""

import pytest

from explorer import compile_graph
from explorer.drawing.layout.blocks import outline
from explorer.drawing.layout.orientation import DOWN, RIGHT, Orientation
from explorer.drawing.svg.execution_pane import CARDS, MOST_CARDS, ExecutionPane, execution_pane
from explorer.drawing.view.graph_view import graph_view
from explorer.flink.compiler import Compilation


def compiled(producers: int, consumers: int, between: str = "rebalance") -> Compilation:
    return compile_graph(
        {
            "transformations": [
                {"id": "a", "type": "source", "parallelism": producers},
                {"id": "k", "type": between, "inputs": ["a"]},
                {"id": "b", "type": "sink", "inputs": ["k"], "parallelism": consumers},
            ]
        }
    )


def drawing_of(done: Compilation, orientation: Orientation = DOWN) -> ExecutionPane:
    return execution_pane(done, graph_view(done), orientation)


def test_each_subtask_has_a_card_and_each_channel_a_line() -> None:
    done = compiled(2, 3)
    drawn = drawing_of(done)

    assert [card.title for card in drawn.cards.values()] == [
        *("1 of 2", "2 of 2"),
        *("1 of 3", "2 of 3", "3 of 3"),
    ]
    assert len(drawn.pane.lines) == done.execution_graph.edges[0].count == 6
    assert set(drawn.edges.values()) == {"j0"}
    assert drawn.labels["j0"].lines == ("REBALANCE", "6 channels")
    assert sum(line.label is not None for line in drawn.pane.lines) == 1


def test_cards_lie_within_the_border_of_their_task_and_next_to_each_other() -> None:
    drawn = drawing_of(compiled(5, 100))
    boxes = {box.key: box for box in drawn.pane.boxes}
    ends: dict[str, float] = {}
    for shape in drawn.pane.shapes:
        box = boxes[drawn.cards[shape.key].task]
        assert abs(shape.x - box.x) + shape.width / 2 < box.width / 2
        assert abs(shape.y - box.y) + shape.height / 2 < box.height / 2
        assert ends.get(box.key, -9e9) < shape.x - shape.width / 2
        ends[box.key] = shape.x + shape.width / 2


def test_from_left_to_right_cards_lie_one_below_the_other_and_lines_join_their_sides() -> None:
    drawn = drawing_of(compiled(5, 100), RIGHT)
    cards = {shape.key: outline(shape) for shape in drawn.pane.shapes}
    boxes = {box.key: outline(box) for box in drawn.pane.boxes}
    feet: dict[str, float] = {}
    for key, (left, top, right, foot) in cards.items():
        task = drawn.cards[key].task
        assert boxes[task][0] < left < right < boxes[task][2]
        assert max(boxes[task][1], feet.get(task, -9e9)) < top < foot < boxes[task][3]
        feet[task] = foot
    for line in drawn.pane.lines:
        source, target = (cards[key] for key in drawn.ends[line.key])
        assert line.points[0] == pytest.approx((source[2], (source[1] + source[3]) / 2))
        assert line.points[-1] == pytest.approx((target[0], (target[1] + target[3]) / 2))


def test_subtasks_of_a_wide_task_share_cards_without_gaps() -> None:
    done = compiled(1, 100, "key_by")
    last = [card for card in drawing_of(done).cards.values() if card.title.endswith("of 100")]

    assert len(last) <= CARDS
    numbers = [card.title.split()[0].split("-") for card in last]
    assert [int(first) for first, _ in numbers[1:]] == [int(end) + 1 for _, end in numbers[:-1]]
    assert numbers[-1][1] == "100"


def test_a_keyed_task_names_the_key_groups_of_its_subtasks() -> None:
    done = compile_graph(
        {
            "transformations": [
                {"id": "a", "type": "source"},
                {"id": "k", "type": "key_by", "inputs": ["a"]},
                {"id": "b", "type": "reduce", "inputs": ["k"], "parallelism": 2},
                {"id": "c", "type": "sink", "inputs": ["b"], "parallelism": 2},
            ]
        }
    )
    lines = [card.line for card in drawing_of(done).cards.values()]

    assert lines == ["", "groups 0-63", "groups 64-127"]


@pytest.mark.law
def test_a_large_job_has_one_card_a_task() -> None:
    operators = [{"id": "s", "type": "source", "parallelism": 2}]
    operators += [
        {"id": f"m{at}", "type": "map", "inputs": ["s"], "parallelism": 3}
        for at in range(MOST_CARDS // 2)
    ]
    drawn = drawing_of(compile_graph({"transformations": operators}))

    assert len(drawn.cards) == len(drawn.pane.boxes) == MOST_CARDS // 2 + 1
    assert len(drawn.pane.lines) == MOST_CARDS // 2
