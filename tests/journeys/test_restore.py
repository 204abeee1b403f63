"""A user opens a deployment that looks harmless, sees which state is lost, and fixes it."""

import json

from playwright.sync_api import expect

from explorer import compile_graph
from explorer.documents import document_values, load_document, samples
from tests.journeys.screen import Screen

KEY = "19-harmless-deploy"
HARMLESS = f"/?sample={KEY}"


def sample() -> str:
    return str(next(one.path for one in samples() if one.key == KEY))


def assert_an_error_leads_to_the_operator_of_the_baseline(screen: Screen) -> None:
    """Which keeps its state with a uid hash; the step is undone."""
    document = load_document(sample())
    assert document.baseline is not None
    done = compile_graph(document.baseline["document"])
    old = next(done.hashes[one.id] for one in done.stream_graph.nodes if one.name == "delays")
    screen.page.get_by_label("An ID or an error message", exact=True).fill(
        f"Cannot map checkpoint/savepoint state for operator {old} to the new program"
    )
    screen.page.get_by_role("button", name="Find", exact=True).click()

    answer = screen.page.locator(".st-key-find-answer")
    expect(answer).to_contain_text(f"{old} was 'delays' in the baseline (last week)")
    answer.get_by_role("button", name="Keep it with this uid hash").click()
    expect(answer).to_contain_text("its uid hash finds the state")
    screen.page.get_by_role("button", name="Undo").click()
    screen.idle()


def test_a_deployment_that_drops_state_is_reported_and_fixed(visitor: Screen) -> None:
    screen = visitor
    screen.open(f"{HARMLESS}&tab=Find ID")
    assert_an_error_leads_to_the_operator_of_the_baseline(screen)
    screen.tab("IDs")
    expect(screen.counts).to_contain_text("3 IDs changed")
    expect(screen.page.get_by_role("button", name="vs. last week")).to_be_visible()
    screen.tab("Restore")
    body = screen.page.locator(".st-key-restore-body")
    expect(body).to_contain_text("Against last week (Flink 2.2): Flink 2.2 refuses")
    expect(body).to_contain_text("Cannot map checkpoint/savepoint state for operator")
    lost = screen.rows("Saved state").filter(has_text="its keyed state finds no operator")
    expect(lost).to_have_count(1)
    lost.click()
    expect(screen.panel).to_contain_text("its keyed state finds no operator")

    screen.page.get_by_role("button", name="Pin 3 changed IDs").click()
    expect(body).to_contain_text("0 lost")
    expect(screen.counts).to_contain_text("3 IDs changed, no state lost")
    expect(screen.panel).to_contain_text("its keyed state is found by its uid hash")
    body.get_by_text("The lines to paste").click()
    expect(body).to_contain_text(".setUidHash(")
    expect(body).to_contain_text(".set_uid_hash(")
    screen.open(screen.link)
    expect(screen.counts).to_contain_text("3 IDs changed, no state lost")

    screen.page.locator(".st-key-strip-bar").get_by_role("radio", name="Before and after").click()
    versions = screen.page.locator(".st-key-drawn-versions")
    card = versions.get_by_role("button", name="delays")
    expect(card).to_have_count(2)
    card.last.click()
    expect(screen.panel_name).to_have_text("delays")
    expect(screen.panel).to_be_visible()
    expect(card.last).to_have_attribute("aria-pressed", "true")


def assert_a_place_opens_with_its_verdict_in_sight(screen: Screen) -> None:
    """Also where an operator is selected."""
    screen.click("stream", screen.key_of("stream", "words"))
    screen.form.get_by_role("radio", name="NEVER").click()
    expect(screen.counts).to_contain_text("4 tasks")
    screen.page.set_viewport_size({"width": 1280, "height": 720})

    screen.place("Deploy")

    title = screen.page.locator(".x-plan-title")
    expect(title).to_be_in_viewport(ratio=1)
    picked = screen.page.locator(".st-key-below tr.picked").first
    expect(picked).to_contain_text("words")


def test_another_baseline_is_set_by_an_upload_and_by_a_click(visitor: Screen) -> None:
    screen = visitor
    screen.open(f"{HARMLESS}&tab=Restore")
    document = load_document(sample())
    values = document_values(document.with_baseline(None))
    values["environment"]["parallelism"] = 4
    place = screen.page.locator("[class*=st-key-deployed-upload] input[type=file]")
    content = json.dumps(values).encode()
    place.set_input_files({"name": "wide.json", "mimeType": "application/json", "buffer": content})

    body = screen.page.locator(".st-key-restore-body")
    expect(body).to_contain_text("Against wide.json (Flink 2.2): Flink 2.2 restores")
    change = screen.rows("Further changes").filter(has_text="delays").filter(has_text="4")
    expect(change.first).to_contain_text("96 of 128 key groups get another subtask")

    screen.tab("Compare")
    expect(screen.page.locator(".st-key-compare-body")).to_contain_text("same operator IDs")
    screen.page.get_by_role("button", name="vs. wide.json").click()
    screen.page.get_by_role("button", name="Make this document the baseline").click()
    expect(screen.page.get_by_role("button", name="vs. late by carrier")).to_be_visible()

    screen.place("Explore")
    screen.sample("Word count")
    screen.tab("IDs")
    assert_a_place_opens_with_its_verdict_in_sight(screen)
