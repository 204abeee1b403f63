"""The five places: their links, the plan of a deploy, and what a first visit offers."""

import json

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from components.deploy import strip
from components.deploy.plan import UNMEASURED
from components.session import link, places
from components.session.keys import Key
from components.session.work import opened as opened_work
from components.widgets.escaping import plain
from explorer import compile_graph
from explorer.checks import check_document
from explorer.comparison.baseline import Baseline
from explorer.documents import load_document, samples
from explorer.model.api_use import ApiUse
from explorer.plans import make_plan
from explorer.plans.failed import FailedProgram, failed_plan
from tests.pages.opened import all_sent, announce, drawn, html, opened, sent, uploader, with_graphs

WORD_COUNT = next(one.path for one in samples() if one.key == "01-word-count")

FAILED = FailedProgram(
    read_from="job.jar",
    release="2.2",
    error="NoClassDefFoundError: SourceFunction",
    api_uses=(
        ApiUse(
            owner="org/apache/flink/streaming/api/functions/source/SourceFunction",
            users=("com.example.Job",),
        ),
    ),
)


def labels(page: object) -> list[str]:
    """The tabs of the open place."""
    return [tab.label for tab in page.tabs]  # type: ignore[attr-defined]


def chip_tone(page: AppTest) -> str:
    """The colour of the chip that opens *Deploy*."""
    keys = (str(block.key) for block in page.main if isinstance(block, Block))
    return next(key for key in keys if key.startswith("verdict-")).removeprefix("verdict-")


@pytest.mark.slow
@pytest.mark.parametrize("place", places.PLACES)
def test_a_place_has_its_own_tabs_alone(place: places.Place) -> None:
    page = opened(place=place)

    assert labels(page) == list(places.TABS[place])
    assert not page.exception


@pytest.mark.slow
@pytest.mark.parametrize("place", places.PLACES)
def test_a_link_names_the_graphs_of_every_place(place: places.Place) -> None:
    show = with_graphs if place == "Deploy" else lambda page: page
    plain = sent(show(opened(place=place)), "graphs")
    page = show(opened(place=place, graphs="execution-job"))
    shown = sent(page, "graphs")

    assert (plain["levels"], plain["execution"]) == (None, None)
    assert shown["levels"] == ["job", "execution"]
    assert set(drawn(page, "execution")) == {"v1", "v2", "v3"}
    assert not page.exception


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "stream-job-execution", "wire", "-", "job" * 5_000])
def test_an_address_with_other_graphs_shows_the_usual_ones(text: str) -> None:
    shown = sent(opened(graphs=text), "graphs")

    assert (shown["levels"], shown["execution"]) == (None, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Trial", places.TRIAL),
        ("Wire", places.EXCHANGE),
        ("Inside", places.INTERNALS),
        ("Trace", places.FOLLOW),
        ("Deployment", places.RESOURCES),
        ("Savepoint", places.RESTORE),
        ("trace", places.FOLLOW),
        ("Compare", "Compare"),
    ],
)
def test_an_old_link_opens_the_tab_and_its_place(old: str, new: str) -> None:
    page = opened(tab=old)

    assert page.session_state[Key.TABS] == new
    assert new in labels(page)


@pytest.mark.parametrize("kind", ["place", "tab", "view", "theme"])
@pytest.mark.parametrize("state", [False, True])
def test_an_unknown_name_in_a_link_is_answered_with_the_known_ones(
    kind: str,
    state: bool,  # noqa: FBT001
) -> None:
    linked = link.to_link(opened_work(load_document(WORD_COUNT), "")) if state else None
    page = opened(**{kind: "nope"}, **({link.PARAMETER: linked} if linked else {}))

    assert f"There is no {kind} &#x27;nope&#x27;; the {kind}s are" in html(page)
    assert page.session_state[Key.PLACE] == "Explore"


@pytest.mark.parametrize("graphs", ["nope", "stream-job-execution"])
@pytest.mark.parametrize("view", [{}, {"view": "read"}])
def test_an_unknown_choice_of_graphs_is_answered_with_the_known_ones(
    graphs: str, view: dict[str, str]
) -> None:
    message = (
        f"There are no graphs &#x27;{graphs}&#x27;; name one or two of stream, job and execution"
    )

    assert message in html(opened(graphs=graphs, **view))
    assert "There are no graphs" not in html(opened(graphs="job-execution", **view))


def test_a_reader_is_told_of_an_unknown_theme() -> None:
    unknown, known = opened(view="Embed", theme="blue"), opened(view="embed", theme="Dark")

    assert "There is no theme &#x27;blue&#x27;; the themes are light and dark" in html(unknown)
    assert not unknown.button
    assert "There is no" not in html(known)


def test_a_reader_sees_what_the_link_selects_and_a_frame_the_graphs_alone() -> None:
    work = opened_work(load_document(WORD_COUNT), "01-word-count")
    panels = ["Select an operator, an edge or a task", '<div class="x-name"><bdi>words</bdi>']
    links = [link.to_link(replace(work, selection=key)) or "" for key in (None, "n2")]

    for state, panel in zip(links, panels, strict=True):
        assert [text in html(opened(view="read", state=state)) for text in panels] == [
            text == panel for text in panels
        ]
        assert panel not in html(opened(view="embed", state=state))


def test_a_new_pipeline_is_offered_three_ways_to_begin() -> None:
    page = opened()
    page.button(key="new").click().run()

    assert "A file becomes a source, with a sink behind it." in html(page)
    assert page.button(key="empty-source").label == "Add a source"


def test_edges_of_large_graphs_lead_where_the_browser_wants_them() -> None:
    page, directions = opened(), list[bool]()
    for across in (True, False):
        page = announce(page, "graphs", "direction", {"across": across})
        directions.append(sent(page, "graphs")["across"])

    assert directions == [True, False]


@pytest.mark.parametrize("view", [{}, {"view": "read"}, {"view": "embed"}])
def test_a_state_or_a_sample_that_cannot_be_read_is_reported(view: dict[str, str]) -> None:
    assert "This link is damaged" in html(opened(state="abc", **view))
    assert "There is no sample &#x27;nope&#x27;" in html(opened(sample="nope", **view))


@pytest.mark.slow
def test_the_chip_opens_the_plan_of_the_open_document() -> None:
    page = opened(tab=places.CLOSED)
    page.toggle[0].set_value(False).run()
    page.button(key="baseline").click().run()

    assert "Do not deploy" in html(page)
    rows = sent(page, "Changes: state")["rows"]
    assert rows[0]["key"] is not None
    page.button(key="fix-0").click().run()
    assert "Do not deploy" not in html(page)


@pytest.mark.slow
def test_both_versions_name_their_files_and_a_fix_says_what_comes_then() -> None:
    page = opened(tab="Check")
    uploader(page).upload("new.yaml", WORD_COUNT.read_bytes()).run()
    old = WORD_COUNT.read_text().replace("name: word-count", "name: words")
    uploader(page, Key.DEPLOYED).upload("old.yaml", old.encode()).run()
    old_card, new_card = (text for text in html(page).split('class="x-version"')[1:])

    assert "<bdi>old.yaml</bdi>" in old_card
    assert "<bdi>new.yaml</bdi>" in new_card.split("</div>")[0]
    effects = "".join(sent(page, "Findings")["rows"]).split('<small class="x-effect">')[1:]
    assert effects
    assert all(text.startswith("Then: ") for text in effects)


def test_the_strip_shows_both_versions_next_to_each_other() -> None:
    page = opened(tab=places.PLAN)
    page.toggle[0].set_value(False).run()
    assert not [data for data in all_sent(page) if "picks" in data]
    page.segmented_control(key=Key.STRIP).set_value(strip.VERSIONS).run()

    versions = next(data for data in all_sent(page) if "picks" in data)
    assert "not chained" in versions["svg"]
    view = compile_graph(load_document(WORD_COUNT)).view
    assert versions["picks"] == {f"{number}": node.key for number, node in enumerate(view.nodes)}
    assert not page.exception


@pytest.mark.slow
def test_the_chip_is_green_only_where_the_plan_has_no_objection() -> None:
    page = opened(sample="18-out-of-network-buffers", place="Deploy")
    page.button(key="make").click().run()

    assert page.button(key="baseline").label.endswith("Flink restores")
    assert "Do not deploy" in html(page)
    assert chip_tone(page) == UNMEASURED
    page = opened(place="Deploy")
    page.button(key="make").click().run()
    assert chip_tone(page) == "good"
    assert chip_tone(page.segmented_control(key=Key.PLACE).set_value("Run").run()) == UNMEASURED


def test_nothing_counts_as_checked_before_there_is_a_baseline() -> None:
    page = opened(place="Deploy", tab=places.PLAN)

    assert "Choose a baseline" in html(page)
    assert "x-checked" not in html(page)
    page.toggle[0].set_value(False).run()
    assert "x-checked" in html(page)


@pytest.mark.slow
def test_an_uploaded_plan_is_shown_with_its_graphs() -> None:
    old = load_document(WORD_COUNT)
    new = old.with_chaining(on=False)
    plan = make_plan(new, Baseline(name="v1.yaml", document=old))
    page = opened(place="Source")
    content = json.dumps(plan.to_dict()).encode()
    uploader(page).upload("plan.json", content, "application/json").run()

    assert plan.title in html(page)
    assert page.session_state[Key.WORK].document.chaining is False
    assert page.session_state[Key.WORK].document.baseline["name"] == "v1.yaml"
    assert page.button(key="baseline").label == plain(f"Uploaded plan: {plan.title}", 80)
    page.toggle[0].set_value(True).run()
    assert "Uploaded plan" not in page.button(key="baseline").label


@pytest.mark.slow
@pytest.mark.parametrize(
    "baseline", [None, Baseline(name="v1", document=load_document(WORD_COUNT))]
)
def test_a_plan_of_a_program_that_does_not_start_is_shown(baseline: Baseline | None) -> None:
    plan = failed_plan(FAILED, baseline)
    assert plan is not None
    page = opened(place="Source")
    content = json.dumps(plan.to_dict()).encode()
    uploader(page).upload("plan.json", content, "application/json").run()

    assert plan.sentence in html(page)
    assert "The new program has no graph" in html(page)
    assert page.button(key="baseline").label == plain("Uploaded plan: Do not deploy", 80)
    document = page.session_state[Key.WORK].document
    assert document.parts == (baseline.document.parts if baseline and baseline.document else 0)
    assert document.baseline is None
    assert "No operators defined" not in html(page)
    assert not page.exception


def test_a_first_visit_opens_a_sample_without_findings() -> None:
    page = opened(tab=places.CLOSED, sample="")
    work = page.session_state[Key.WORK]

    assert not check_document(work.document).findings
    assert "sample" not in page.query_params


def test_a_first_visit_offers_three_starting_points() -> None:
    page = opened(tab=places.CLOSED)

    assert "See how Flink chains your operators" in html(page)
    page.button(key="welcome-deploy").click().run()
    assert labels(page)[0] == places.PLAN
    page.toggle[0].set_value(False).run()
    assert "See how Flink chains your operators" not in html(page)


@pytest.mark.parametrize(
    ("address", "begins"),
    [({}, True), ({"place": "Deploy"}, False), ({"tab": places.LESSON}, False)],
)
def test_a_first_visit_begins_with_the_tour_where_it_covers_no_other_place(
    address: dict[str, str],
    begins: bool,  # noqa: FBT001
) -> None:
    guide = next(data for data in all_sent(opened(**address)) if "stops" in data)

    assert guide["begins"] == begins
