"""Cards: as large as their names need, up to a limit."""

import pytest

from explorer import compile_graph
from explorer.documents import load_document, samples
from explorer.drawing.layout.cards import (
    FIGURES,
    FOLDED,
    LINES,
    NAME,
    SIDES,
    TASK,
    folded_card,
    operator_card,
    task_card,
    task_lines,
)
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.one_line import ELLIPSIS, extent

SAMPLES = [pytest.param(sample.path, id=sample.key) for sample in samples()]


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLES)
def test_names_of_the_samples_are_whole(path: object) -> None:
    view = graph_view(compile_graph(load_document(path)))  # type: ignore[arg-type]
    for node in view.nodes:
        assert extent(node.name, NAME) + SIDES <= operator_card(node.name)[0] + 0.001
    for vertex in view.vertices:
        lines = task_lines(vertex.name)
        assert " ".join(lines) == vertex.name
        assert task_card(lines, figures=False)[1] == TASK[1] + 17 * (len(lines) - 1)


def test_a_long_name_is_cut_where_its_card_ends() -> None:
    assert task_lines("map " * 60)[-1].endswith(ELLIPSIS)
    assert len(task_lines("map " * 60)) == LINES
    assert task_lines("m" * 300) == (task_lines("m" * 300)[0],)
    assert operator_card("m" * 300)[0] < 300
    assert task_lines("") == ("",)


def test_figures_and_further_lines_make_a_task_higher() -> None:
    one, two = task_card(["a"], figures=False), task_card(["a", "b"], figures=True)

    assert one == TASK
    assert two == (TASK[0], TASK[1] + 17 + FIGURES)


def test_a_folded_chain_is_as_wide_as_an_operator_and_higher() -> None:
    for name in ("a", "a name that is rather long"):
        assert folded_card(name) == (operator_card(name)[0], FOLDED)
