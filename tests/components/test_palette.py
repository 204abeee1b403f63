"""What Ctrl+K finds: everything that has a name or an ID, and what choosing it does."""

from typing import Final

from hypothesis import given

from components.palette.commands import COMMANDS, IN_THE_BROWSER, offered
from components.palette.entries import Entry, found_in, settings
from components.session.places import NAMES
from components.session.work import opened, selected
from explorer import compile_graph
from explorer.documents import load_document, samples
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.selection import exists
from explorer.flink.releases import VERSIONS
from explorer.model.pipeline import Pipeline
from tests.examples import examples
from tests.strategies import pipelines

UIDS: Final = next(each for each in samples() if each.key == "13-uids")


def test_an_operator_is_found_by_its_name_its_ids_and_its_uid() -> None:
    view = graph_view(compile_graph(load_document(UIDS.path)))
    entries = list(found_in(view))

    for node in view.nodes:
        entry = next(each for each in entries if each.does == f"pick:{node.key}")
        assert entry.title == node.name
        assert node.hash in entry.words
        assert node.transformation is not None
        assert node.transformation in entry.words
        assert (node.uid is None) == ("uid " not in entry.detail)
        assert (node.uid or "") in entry.detail
    assert any(node.uid for node in view.nodes)


@examples(25)
@given(pipelines())
def test_every_element_of_both_graphs_is_found_once(pipeline: Pipeline) -> None:
    view = graph_view(compile_graph(pipeline))
    picks = [each.does.removeprefix("pick:") for each in found_in(view)]
    every = (*view.node_of, *view.vertex_of, *view.edge_of, *view.job_edge_of)

    assert sorted(picks) == sorted(every)
    assert all(exists(view, key) for key in picks)


def test_every_tab_sample_and_release_is_found() -> None:
    does = [each.does for each in settings(NAMES)]

    assert {f"tab:{name}" for name in NAMES} < set(does)
    assert {f"sample:{sample.key}" for sample in samples()} < set(does)
    assert {f"flink:{version}" for version in VERSIONS} < set(does)
    assert len(does) == len(set(does))


def test_an_action_is_offered_where_it_is_possible() -> None:
    fresh = opened(load_document(UIDS.path), "13-uids")
    later = selected(opened(load_document(UIDS.path), "13-uids", fresh), "n1")

    def names(entries: list[Entry]) -> set[str]:
        does = (each.does.partition(":")[2] for each in entries)
        return {name for name in does if not name.startswith("picture:")}

    assert not names(list(offered(fresh))) & {"undo", "clear", "chain"}
    assert {"tour", "present", "glossary"} < names(list(offered(fresh)))
    assert {"undo", "clear", "unchain"} < names(list(offered(later)))
    assert names(list(offered(later))) < {*COMMANDS, *IN_THE_BROWSER}


def test_long_names_are_cut_before_they_are_sent() -> None:
    row = Entry(kind="operator", title="x" * 9000, does="pick:n1").row

    assert len(row[1]) == 300
