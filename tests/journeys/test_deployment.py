"""What a person does to learn whether a job fits: a sample that does not, and what fixes it."""

from playwright.sync_api import expect

from tests.journeys.screen import Screen

TOO_SMALL = "/?sample=18-out-of-network-buffers&tab=Resources"


def test_a_job_without_buffers_is_deployed_in_steps_and_made_to_fit(visitor: Screen) -> None:
    screen, page = visitor, visitor.page
    screen.open(TOO_SMALL)
    body = page.locator(".st-key-deployment-body")
    expect(body).to_contain_text(
        "8 slots: 2 task managers of 4 slots; one needs up to 85 network buffers and has 64"
    )
    expect(body.get_by_role("alert")).to_contain_text("Insufficient number of network buffers")
    expect(body.get_by_role("img", name="A task manager's process")).to_be_visible()

    page.get_by_role("radio", name="Deployment steps").click()
    shown = page.locator(".player")
    expect(shown.locator(".count")).to_have_text("1 of 27")
    expect(shown.locator(".words strong")).to_have_text("the session cluster is started")
    shown.get_by_role("button", name="One step forward").click()
    expect(shown.locator(".count")).to_have_text("2 of 27")
    shown.get_by_role("button", name="network buffers are allocated").click()
    expect(shown.locator(".words p")).to_contain_text("at most 85 network buffers")
    expect(shown.locator(".words")).to_contain_text("Task.setupPartitionsAndGates")

    page.get_by_role("radio", name="Buffers").click()
    expect(screen.rows("Network buffers").first).to_contain_text("85 of 64")

    page.get_by_role("radio", name="Task managers").click()
    drawing = body.get_by_role("img", name="2 task managers, their slots and the subtasks in them")
    expect(drawing).to_be_visible()
    assert drawing.evaluate("image => image.naturalWidth") > 600
    screen.show_graphs()
    screen.click("job", "j1")
    expect(body).to_contain_text("32 local")
    expect(body).to_contain_text("32 over the network")

    options = page.get_by_label("Cluster options")
    options.fill("taskmanager.memory.network.max=4m taskmanager.memory.network.min=4m")
    options.press("Enter")
    expect(body).to_contain_text("one needs up to 85 network buffers and has 128")
    page.get_by_role("radio", name="Fit").click()
    expect(body.get_by_role("alert")).to_have_count(0)

    page.get_by_role("radio", name="Deployment steps").click()
    page.get_by_role("combobox", name="How the job is deployed").click()
    page.get_by_role("option", name="application on Kubernetes").click()
    expect(shown.locator(".count")).to_have_text("1 of 29")
    expect(shown.locator(".words strong")).to_have_text("the client reads the command")
