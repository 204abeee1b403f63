"""The rows of sinks that write files, as the page offers them for download."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from components.run.trial import runs, sink_files
from components.session import link
from components.session.work import opened as opened_work
from explorer import compile_graph
from explorer.documents import load_document
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.rows.batch import empty
from explorer.engine.rows.sinks.one_file import encode_rows, join_part_files
from explorer.engine.spark import workspace as folders
from explorer.engine.spark.spark_settings import LOCAL
from explorer.engine.spark.trial_runs import Trial
from explorer.engine.starting import start_trial
from explorer.locations import PUBLIC_VARIABLE
from explorer.model.pipeline import Write
from explorer.model.row_type import parse_schema
from tests.engine.spark.test_outputs import FORMATS, document, read_again, run
from tests.pages.opened import html, opened
from tests.patience import PATIENCE

OFFERED = [
    f"Download {form} as {called}: 333 rows"
    for form, called in zip(FORMATS, ("CSV", "JSON lines", "Parquet"), strict=True)
]
ROW = parse_schema("k STRING, x DOUBLE, n LONG, b BOOLEAN")


def trial_tab(document: dict[str, Any]) -> AppTest:
    text = link.to_link(opened_work(load_document(document), ""))
    assert text is not None
    return opened(**{link.PARAMETER: text, "tab": "Local run"})


def labels(page: AppTest) -> list[str]:
    found = (str(each.proto.label) for each in page.get("download_button"))
    return [label for label in found if " rows" in label]


def test_a_preview_offers_the_first_rows_and_writes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PUBLIC_VARIABLE, "1")
    monkeypatch.setattr(folders, "make", lambda _: pytest.fail("it made a folder"))
    page = trial_tab(document(*FORMATS))

    assert labels(page) == OFFERED
    assert labels(trial_tab(document())) == []


@pytest.mark.parametrize("form", FORMATS)
def test_one_file_holds_the_rows_of_all_parts(tmp_path: Path, form: Any) -> None:
    written = run(document(form), tmp_path).sinks[form].written
    assert written is not None
    rows = read_again(form, tmp_path)
    (tmp_path / "out" / form / "_trial.json").unlink()
    paths = [tmp_path / "out" / form / file.name for file in written.files]
    whole = join_part_files(paths, form, ROW)
    for path in paths:
        path.unlink()
    paths[0].write_bytes(whole)

    assert read_again(form, tmp_path) == rows
    assert join_part_files([], form, ROW) == encode_rows(empty(ROW), form)


@pytest.mark.spark
def test_a_trial_offers_all_rows_of_each_sink_and_its_folder_is_deleted_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[Trial] = []
    monkeypatch.setattr(runs, "start_trial", noting(started))
    page = trial_tab(document(*FORMATS))
    next(each for each in page.button if "Start a trial" in each.label).click().run()
    assert started[0].wait(PATIENCE)
    page.run()

    assert not page.exception
    assert labels(page) == OFFERED
    written = started[0].outcome().sinks["csv"].written
    assert written is not None
    assert Path(written.path).is_dir()


def noting(started: list[Trial]) -> Callable[..., Trial]:
    """What starts a trial, and keeps it for the test."""

    def start(*given: Any, **options: Any) -> Trial:
        started.append(start_trial(*given, **options))
        return started[-1]

    return start


def test_the_folder_of_a_trial_is_deleted_with_it() -> None:
    output = sink_files.output_for(load_document(document("csv")))
    assert output is not None
    compiled = compile_graph(document("csv"), "1.20")
    options: dict[str, Any] = {"timeout": None, "limit": None}
    trial = Trial(compiled, plan_trial(compiled), target=LOCAL, **options)
    sink_files.keep_with(trial, output)
    assert output.path.is_dir()
    del trial

    assert not output.path.exists()
    assert sink_files.output_for(load_document(document())) is None


@pytest.mark.slow
def test_the_form_shows_where_a_sink_writes_and_its_error() -> None:
    page = trial_tab(document("csv"))
    page.session_state["work"] = replace(page.session_state["work"], selection="t:csv")
    page.run()
    work = page.session_state["work"]
    field = page.text_area(key=work.widget("csv.write"))
    assert field.value == "path: out/csv\nformat: csv"
    field.set_value("path: late.csv\nformat: parquet").run()
    assert "which stands for csv, but the format is parquet; change one of them" in html(page)
    page.text_area(key=page.session_state["work"].widget("csv.write")).set_value(
        "path: late\nformat: parquet"
    ).run()

    assert not page.exception
    assert page.session_state["work"].document.transformation("csv").write == Write(
        path="late", format="parquet"
    )
