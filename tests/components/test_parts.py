"""The parts of the page: what the graphs are sent, how fields are read, how figures are said."""

import json
import re
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from components.explore.pipeline import environment
from components.explore.pipeline.fields import FIRST, MORE, fields_of
from components.explore.pipeline.values import document_value, shown
from components.graph.drawing import OVERVIEW, drawing
from components.run.trial.figures import on_graph, size, span
from explorer import compile_graph, edits
from explorer.documents.readers.pipelines import to_pipeline
from explorer.drawing.view.annotations import BARE, Annotations, Figures
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.reachability import isolate_operators
from explorer.engine.preview.preview import preview_trial
from explorer.errors import DocumentError
from explorer.flink.kinds import KINDS, NODE_FIELDS
from explorer.model.pipeline import Environment, Pipeline, Transformation
from tests.examples import examples
from tests.many_cases import for_each
from tests.strategies import RECORDS, pipelines

FIELDS = (*FIRST, *MORE)
SETTINGS = (*environment.FIRST, *environment.MORE)

ONE: Final = Pipeline(transformations=(Transformation(id="a", type="source"),))


@given(pipelines())
def test_everything_is_sent_to_the_graphs_as_json(pipeline: Pipeline) -> None:
    view = graph_view(compile_graph(pipeline, "1.20"))
    for folded in ((), view.vertex_of):
        sent = json.loads(json.dumps(drawing(view, added=BARE, folded=folded)))
        keys = {key for _, key, *_ in parts_of(sent["stream"], "edge")}
        assert keys == {edge.key for edge in view.edges if not (folded and edge.chained)}
        assert {key for _, key, *_ in parts_of(sent["job"], "edge")} == set(view.job_edge_of)
        assert all(len(name) <= 300 for name in sent["stream"]["names"].values())


@for_each(("operators", "small"), [(OVERVIEW, True), (OVERVIEW + 1, False)])
def test_up_to_an_overview_the_browser_may_draw_chains_as_cards(
    operators: int, *, small: bool
) -> None:
    line: list[dict[str, Any]] = [{"id": "m1", "type": "source"}]
    line += [
        {"id": f"m{n}", "type": "map", "inputs": [f"m{n - 1}"]} for n in range(2, operators + 1)
    ]
    graphs = drawing(
        graph_view(compile_graph({"transformations": line}, "1.20")), added=BARE, folded=()
    )

    assert [graphs[name] is not None for name in ("compact", "dense")] == [small, small]


def parts_of(pane: dict[str, Any], kind: str) -> list[list[Any]]:
    """The rows of the parts of a kind: identity, key, area, SVG."""
    return [part for part in pane["parts"] if part[0].startswith(f"{kind}:")]


@given(pipelines())
def test_a_question_is_drawn_alike_with_chaining_and_without(
    pipeline: Pipeline,
) -> None:
    drawn = []
    for chaining in (True, False):
        environment = replace(pipeline.environment, chaining=chaining)
        view = graph_view(compile_graph(replace(pipeline, environment=environment), "1.20"))
        graphs = drawing(view, added=BARE, folded=view.vertex_of, asks=True)
        drawn.append(
            [without_strategies(graphs[name]) for name in ("unchained", "unchained_lines")]
        )

    assert drawn[0] == drawn[1]
    for graph in drawn[0]:
        assert len(parts_of(graph, "card")) == len(view.nodes)


def without_strategies(graph: dict[str, Any]) -> dict[str, Any]:
    """A drawing without the words of chaining strategies, and without its name."""
    strategy = re.compile(r">strategy \w+<|>[A-Z_]+ (?=×)")
    parts = [(*part[:3], strategy.sub("", part[3])) for part in graph["parts"]]
    return {**graph, "parts": parts, "document": ""}


def test_a_trials_figures_stand_on_vertices_and_edges() -> None:
    view = graph_view(
        compile_graph(
            {
                "transformations": [
                    {"id": "a", "type": "source"},
                    {"id": "r", "type": "rebalance", "inputs": ["a"]},
                    {"id": "o", "type": "sink", "inputs": ["r"]},
                ]
            },
            "1.20",
        )
    )
    figures = Figures(bars={"v1": (1.0, "5 out · 1 ms", (1.0,))}, edges={"j0": "5 records · 60 B"})
    job = drawing(view, added=Annotations(figures=figures), folded=())["job"]

    first, second = (svg for *_, svg in parts_of(job, "card"))
    assert ">5 out · 1 ms</text>" in first
    assert 'class="track"' not in second
    ((*_, label),) = parts_of(job, "label")
    assert re.findall(">([^<]+)</text>", label) == ["REBALANCE · all-to-all", "5 records · 60 B"]


def test_figures_of_a_part_that_is_shown_alone_are_those_of_the_whole() -> None:
    items = [
        {"id": "a", "type": "source", "rows": {"sequence": {"from": 0, "to": 9}}},
        {"id": "r", "type": "rebalance", "inputs": ["a"]},
        {"id": "m", "type": "map", "inputs": ["r"], "select": {"n": "n"}},
        {"id": "k", "type": "key_by", "inputs": ["m"], "keys": ["n"]},
        {"id": "s", "type": "reduce", "inputs": ["k"], "aggregate": {"n": "sum(n)"}},
        {"id": "o", "type": "sink", "inputs": ["s"]},
    ]
    done = compile_graph({"environment": {"parallelism": 2}, "transformations": items}, "1.20")
    view, report = graph_view(done), preview_trial(done).report
    last = [node.key for node in view.nodes[1:]]
    whole, part = on_graph(view, report), on_graph(isolate_operators(view, last), report)

    assert len(part.bars) == len(whole.bars) - 1 == 2
    assert part.edges == {"j1": whole.edges["j1"]}
    assert set(part.bars.items()) < set(whole.bars.items())
    assert len(whole.bars["v1"][2]) == 2
    assert sum(whole.bars["v1"][2]) == pytest.approx(1, abs=0.002)


CHOICES: Final = [
    (field.name, choice)
    for field in FIELDS
    if field.name in KINDS["partition"].allowed_fields
    for choice in field.choices
]


@for_each(("field", "choice"), CHOICES)
def test_every_value_that_a_partitions_form_offers_is_accepted(field: str, choice: str) -> None:
    partition = {"id": "p", "type": "partition", "inputs": ["a"], "partitioner": "REBALANCE"}
    document = {"transformations": [{"id": "a", "type": "source"}, {**partition, field: choice}]}

    assert getattr(to_pipeline(document, limit=None).transformations[1], field) == choice


def test_every_field_of_every_type_has_a_widget() -> None:
    known = {field.name for field in FIELDS}
    for kind in KINDS.values():
        assert set(kind.allowed_fields) <= known
        fields = fields_of(Transformation(id="a", type=kind.type), FIELDS)
        assert {field.name for field in fields} == set(kind.allowed_fields)
    assert set(NODE_FIELDS) <= known


@given(pipelines(compiles=False))
def test_a_widgets_text_is_read_back_as_the_same_value(pipeline: Pipeline) -> None:
    """Texts that a line cannot hold are the document's own business."""
    for one in pipeline.transformations:
        for field in fields_of(one, FIELDS):
            value = getattr(one, field.name)
            if field.widget in {"text", "number", "choice", "switch", "inputs"} and value != "":
                assert document_value(field, shown(field, value)) == value


@examples(300)
@given(st.one_of(*(st.tuples(st.just(name), values) for name, values in RECORDS.items())))
def test_any_record_that_a_form_shows_is_read_back_as_the_same_one(given: tuple[str, Any]) -> None:
    name, value = given
    if name in Environment.__struct_fields__:
        field = next(field for field in SETTINGS if field.name == name)
        pipeline = edits.set_environment(ONE, name, value)
        text = shown(field, getattr(pipeline.environment, name))
        assert edits.set_environment(ONE, name, document_value(field, text)) == pipeline
    else:
        field = next(field for field in FIELDS if field.name == name)
        pipeline = edits.set_field(ONE, "a", name, value)
        text = shown(field, getattr(pipeline.transformations[0], name))
        assert edits.set_field(ONE, "a", name, document_value(field, text)) == pipeline


def test_every_record_field_is_drawn() -> None:
    records = {each.name for each in (*FIELDS, *SETTINGS) if each.widget == "record"}

    assert set(RECORDS) == records


def test_a_text_that_looks_like_a_number_stays_a_text() -> None:
    field = next(field for field in SETTINGS if field.name == "configuration")

    assert document_value(field, shown(field, {"a.key": "1e5"})) == {"a.key": "1e5"}


@for_each("type", sorted(KINDS))
def test_an_operators_own_strategy_is_offered_first(type: str) -> None:
    offered = KINDS[type].offered_strategies

    assert offered[0] == KINDS[type].strategy
    assert "NEVER" in offered
    assert len(set(offered)) == len(offered)


@for_each("text", ["no colon", "a:", ": b", "a: b\nc"])
def test_a_line_that_is_no_entry_is_refused_with_an_example(text: str) -> None:
    select = next(field for field in FIELDS if field.name == "select")

    with pytest.raises(DocumentError, match="write each line as"):
        document_value(select, text)


def test_bytes_and_times_have_readable_units() -> None:
    assert [size(n) for n in (0, 1023, 1024, 10_240, 1024**2, 5 * 1024**3)] == [
        "0 B",
        "1023 B",
        "1.0 KB",
        "10 KB",
        "1.0 MB",
        "5.0 GB",
    ]
    assert [span(ms) for ms in (0.04, 9.96, 999.4, 1000)] == [
        "0.0 ms",
        "10.0 ms",
        "999 ms",
        "1.0 s",
    ]
