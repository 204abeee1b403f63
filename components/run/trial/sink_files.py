"""The rows of sinks that write files, to be downloaded: all of a trial's, the first of a preview's.

The page writes no files next to documents. A trial's parts are in a folder that is removed with it;
a preview writes nothing.
"""

import re
import shutil
import weakref
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from components.server.hosting import MB, hosting
from components.widgets.escaping import markup, plain
from components.widgets.pieces import hint
from explorer.documents import Document
from explorer.engine.report.trial_report import SinkRows, TrialReport
from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.sinks.one_file import encode_rows, join_part_files
from explorer.engine.spark import workspace
from explorer.engine.spark.trial_runs import Trial
from explorer.engine.steps.planned import OutputFolder
from explorer.model.pipeline import TableFormat
from explorer.model.row_type import RowType, parse_schema
from explorer.wording import counted

_FORMATS: Final[Mapping[TableFormat, tuple[str, str]]] = {
    "csv": ("CSV", "text/csv"),
    "jsonl": ("JSON lines", "application/jsonl"),
    "parquet": ("Parquet", "application/vnd.apache.parquet"),
}
"""What each is called, and its media type."""
_NO_NAME: Final = re.compile(r"[^\w.-]+")
"""Letters of an id that a file's name should not have."""


def formats(document: Document) -> Mapping[str, TableFormat]:
    """Map each sink that writes files to its format."""
    pipeline = document.pipeline
    every = () if pipeline is None else pipeline.transformations
    return {
        transformation.id: transformation.write.format
        for transformation in every
        if transformation.write and transformation.write.format
    }


def output_for(document: Document) -> OutputFolder | None:
    """A folder for the files of one trial's sinks; None: none of them writes any."""
    if not formats(document):
        return None
    return OutputFolder(path=workspace.make("rows"), most=_most())


def keep_with(trial: Trial, output: OutputFolder | None) -> None:
    """Remove the folder when the last reference to the trial goes."""
    if output is not None:
        weakref.finalize(trial, shutil.rmtree, str(output.path), ignore_errors=True)


def show(report: TrialReport, number: int) -> None:
    """Draw what offers a trial's files, where its sinks wrote any."""
    written = {
        name: sink_rows for name, sink_rows in report.sinks.items() if sink_rows.written is not None
    }
    if written:
        with st.popover("⬇ Rows", key="rows-file"):
            for name, sink in written.items():
                _of_trial(name, sink, number)


def _of_trial(name: str, sink: SinkRows, number: int) -> None:
    folder = sink.written
    if folder is None:
        return
    if folder.left_out:
        _say_too_large(name)
        return
    row_type = _row_type(sink)
    paths = [Path(folder.path) / file.name for file in folder.files]
    make = partial(join_part_files, paths, folder.format, row_type)
    _button(name, folder.format, sink.rows, make, f"run-{number}")


def show_first(report: TrialReport, document: Document) -> None:
    """Draw what offers the rows of a preview, where the document's sinks write any."""
    offered = {name: form for name, form in formats(document).items() if name in report.sinks}
    if offered:
        with st.popover("⬇ Rows", key="rows-file"):
            for name, form in offered.items():
                _of_preview(name, report.sinks[name], form)


def _of_preview(name: str, sink: SinkRows, form: TableFormat) -> None:
    data = sink.data or ()
    if sum(len(cell) for row in data for cell in row if isinstance(cell, str)) > _most():
        _say_too_large(name)
        return

    def make() -> bytes:
        return encode_rows(from_rows(_row_type(sink), data), form)

    _button(name, form, len(data), make, "first-rows")


def _most() -> int:
    return hosting().written_bytes


def _say_too_large(name: str) -> None:
    maximum = f"{_most() // MB:,} MB"
    shell = "<code>python -m explorer trial FILE</code> writes them all"
    st.html(hint(f"{markup(name)}: its rows take more than {maximum} here; {shell}."))


def _row_type(sink: SinkRows) -> RowType:
    return parse_schema(", ".join(f"{name} {kind}" for name, kind in sink.columns))


def _button(sink: str, form: TableFormat, rows: int, make: Callable[[], bytes], stem: str) -> None:
    called, media_type = _FORMATS[form]
    st.download_button(
        f"Download {plain(sink, 60)} as {called}: {counted(rows, 'row')}",
        make,
        file_name=f"{stem}-{_NO_NAME.sub('_', sink)[:100]}.{form}",
        mime=media_type,
        key=f"rows-of-{sink}",
        on_click="ignore",
        width="stretch",
    )
