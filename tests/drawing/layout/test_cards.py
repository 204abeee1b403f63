"""Cards: as large as their names need, up to a limit."""

import pytest

from explorer import compile_graph
from explorer.documents import load_document, samples
from explorer.drawing.layout.cards import (
    FIGURES,
    LINE,
    NAME,
    OPERATOR,
    SIDES,
    folded_card,
    folded_lines,
    operator_card,
    task_card,
    task_lines,
)
from explorer.drawing.layout.orientation import DENSE_TASK, DOWN
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.one_line import ELLIPSIS, extent

TASK = DOWN.task
SAMPLES = [pytest.param(sample.path, id=sample.key) for sample in samples()]


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLES)
def test_names_of_the_samples_are_whole(path: object) -> None:
    view = graph_view(compile_graph(load_document(path)))  # type: ignore[arg-type]
    for node in view.nodes:
        assert extent(node.name, NAME) + SIDES <= operator_card(node.name)[0] + 0.001
    for vertex in view.vertices:
        folded = folded_lines(vertex.name)
        assert " ".join(folded) == vertex.name
        assert folded_card(vertex.name)[1] == OPERATOR[1] + LINE * (len(folded) - 1)
        for card in (TASK, DENSE_TASK):
            lines = task_lines(vertex.name, card)
            assert " ".join(lines) == vertex.name
            assert task_card(lines, card, figures=False)[1] == card[1] + 17 * (len(lines) - 1)


def test_a_long_name_is_cut_where_its_card_ends() -> None:
    assert task_lines("map " * 60, TASK)[-1].endswith(ELLIPSIS)
    assert len(task_lines("map " * 60, TASK)) == 4
    assert len(task_lines("map " * 60, DENSE_TASK)) == 6
    assert task_lines("m" * 300, TASK) == (task_lines("m" * 300, TASK)[0],)
    assert operator_card("m" * 300)[0] < 300
    assert task_lines("", TASK) == ("",)


def test_figures_and_further_lines_make_a_task_higher() -> None:
    one, two = task_card(["a"], TASK, figures=False), task_card(["a", "b"], TASK, figures=True)

    assert one == TASK
    assert two == (TASK[0], TASK[1] + 17 + FIGURES)
