"""The deployment tab, run by AppTest: what it says, draws and sends."""

import base64
import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components.session.keys import Key
from explorer.locations import BASELINE_VARIABLE, sample_folder
from tests.golden_files import cases
from tests.pages.opened import html, opened, sent, uploader

FEW = "taskmanager.memory.network.min=160k taskmanager.memory.network.max=160k"


def with_options(text: str, view: str = "Fit") -> AppTest:
    page = opened(tab="Resources", sample="01-word-count")
    page.text_input(key="cluster-options").set_value(text).run()
    page.session_state[Key.DEPLOYMENT_VIEW] = view
    page.run()
    assert not page.exception
    return page


def drawing(page: AppTest) -> str:
    (data,) = re.findall(r"data:image/svg\+xml;base64,([^\"]+)", html(page))
    return base64.b64decode(data).decode()


def test_a_job_that_fits_is_reported_in_a_line_with_both_processes() -> None:
    said = html(opened(tab="Resources", sample="01-word-count"))

    assert (
        "2 slots: 2 task managers of 1 slot; one needs up to 10 network buffers and has 4,096"
        in said
    )
    exact = "1.688gb (1811939328 bytes)"
    assert f'A task manager\'s process <b title="{exact}">1.7 GiB</b>' in said
    assert "The job manager's process <b title=" in said
    assert "slot sharing group &#x27;default&#x27;" in said
    assert "taskmanager.memory.process.size=1728m" in said


def test_managed_memory_is_in_human_units_with_the_exact_bytes_on_hover() -> None:
    said = html(with_options("state.backend.type=rocksdb"))

    exact = re.search(r'<dd><span title="([\d,]+) bytes">(\d+) MiB</span> (.*?)</dd>', said)
    assert exact is not None
    assert round(int(exact[1].replace(",", "")) / 2**20) == int(exact[2])
    assert exact[3] == "<bdi>of a slot of group &#x27;default&#x27;</bdi>"


def test_a_job_that_lacks_buffers_is_refused_in_flinks_words() -> None:
    page = with_options(FEW)

    assert "Insufficient number of network buffers: required 3, but only 2 available." in html(page)


@pytest.mark.slow
def test_the_scheduler_and_lacking_slots_are_reported() -> None:
    few = "slotmanager.number-of-slots.max=1"
    said = html(with_options(f"jobmanager.scheduler=adaptive {few}"))
    refused = html(with_options(few))

    assert "starts with 1 subtask for the slots that are there" in said
    assert "adaptive scheduler: Tasks start with at most the program" in said
    assert "The job needs 2 slots, and the cluster has 1 slot for it" in refused


def test_the_autoscalers_choice_for_a_running_job_is_reported() -> None:
    page = opened(tab="Resources")
    job = next(one for one in cases("running_jobs") if one["flink"] == "1.20.5")
    content = json.dumps(job["running"]).encode()
    uploader(page).upload("job.json", content, "application/json").run()

    assert not page.exception
    assert "The autoscaler would scale 3 tasks." in html(page)


def test_task_managers_are_drawn_with_their_subtasks() -> None:
    page = with_options("taskmanager.numberOfTaskSlots=1", "Task managers")

    drawn = drawing(page)
    assert drawn.count('class="manager"') == 2
    assert drawn.count('class="slot"') == 2
    assert drawn.count('class="task"') == 5
    assert "Select an edge in the graphs below to see its channels." in html(page)


def test_buffers_are_listed_by_task_manager_and_by_task() -> None:
    page = with_options(FEW, "Buffers")

    rows = sent(page, "Network buffers")["rows"]
    assert [row["cells"][0]["text"] for row in rows[:2]] == ["task manager 1", "task manager 2"]
    assert {row["cells"][0]["text"] for row in rows[2:]} == {
        "Source: licence",
        "words -> ones",
        "count -> Sink: counts",
    }
    assert rows[0]["cells"][5]["text"] == "10 of 5"
    assert rows[0]["cells"][0]["tone"] == "bad"


def test_options_that_flink_refuses_leave_its_sentence() -> None:
    said = html(with_options("taskmanager.memory.process.size=10m"))

    assert "exceed configured Total Process Memory" in said


def test_an_unknown_option_gets_an_error() -> None:
    assert "is no option: write key=value" in html(with_options("four slots"))


@pytest.mark.slow
def test_the_submission_is_shown_step_by_step() -> None:
    page = with_options("", "Deployment steps")

    steps = sent(page, "Steps")["steps"]
    assert steps[0]["title"] == "the session cluster is started"
    assert steps[-1]["title"] == "the job is RUNNING"
    page.selectbox(key="deployment-steps").set_value("application on Kubernetes").run()
    assert ["makes", ["JobGraph"]] in [
        fact for step in sent(page, "Steps")["steps"] for fact in step["facts"]
    ]


def test_options_that_are_not_set_are_behind_an_info_mark() -> None:
    said = html(opened(tab="Resources", sample="01-word-count"))

    assert '<details class="x-info"><summary>ⓘ Flink defaults</summary>' in said
    assert "taskmanager.memory" in said.partition("ⓘ Flink defaults")[2]


def test_figures_that_differ_from_the_baselines_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = (sample_folder() / "01-word-count.yaml").read_text(encoding="utf-8")
    wider = tmp_path / "before.yaml"
    wider.write_text(document.replace("{parallelism: 2,", "{parallelism: 4,"), encoding="utf-8")
    monkeypatch.setenv(BASELINE_VARIABLE, str(wider))
    page = opened(tab="Resources")
    uploader(page).upload("now.yaml", document.encode()).run()

    assert "<bdi>slots</bdi> 4 → 2" in html(page)
    uploader(page).upload("again.yaml", wider.read_bytes()).run()
    assert '<p class="x-legend"><b>' not in html(page)
