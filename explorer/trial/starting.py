"""How is a trial started? From a compilation, to be watched, or from a document, to its report."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from explorer.documents import as_document, data_folder
from explorer.errors import TrialError
from explorer.flink.compiler import Compilation, compile_graph
from explorer.model.document import Document
from explorer.trial.planning import plan_trial
from explorer.trial.queue import QUEUE
from explorer.trial.running import Trial, Wire
from explorer.trial.trial_report import TrialReport

ROW_LIMIT: Final = 1_000_000
"""Rows of a sink that a report holds unless told otherwise; all are counted."""


def start_trial(
    compilation: Compilation,
    *,
    data_dir: str | Path | None = None,
    collect: bool = True,
    limit: int | None = ROW_LIMIT,
    master: str = "local[2]",
    wire: Wire = "columnar",
    timeout: float | None = None,
) -> Trial:
    """Line a trial up and come back at once.

    ``limit``: how many rows of each sink are kept; None: all. ``timeout`` in seconds, counted from
    when its turn comes. Raises ``ExplorerError`` where it can be told beforehand that it cannot
    run: an expression, a column, a file.
    """
    folder = None if data_dir is None else Path(data_dir)
    planned = plan_trial(compilation, data_dir=folder, collect_rows=collect, limit=limit, wire=wire)
    trial = Trial(
        compilation, planned, master=master, timeout=timeout, collect=collect, limit=limit
    )
    QUEUE.put(trial)
    return trial


def run_trial(
    document: Document | Compilation | Mapping[str, Any] | str | Path,
    *,
    data_dir: str | Path | None = None,
    collect: bool = True,
    limit: int | None = ROW_LIMIT,
    master: str = "local[2]",
    flink_version: str | None = None,
    wire: Wire = "columnar",
    timeout: float | None = None,
) -> TrialReport:
    """Run a document on Spark and wait for its report; raises ``ExplorerError``.

    Without ``data_dir`` the files of a document that is itself a file are looked for in the folder
    ``data`` beside it, or beside it where there is no such folder.
    """
    if data_dir is None and isinstance(document, str | Path):
        data_dir = data_folder(Path(document))
    if not isinstance(document, Compilation):
        document = compile_graph(as_document(document), flink_version)
    trial = start_trial(
        document,
        data_dir=data_dir,
        collect=collect,
        limit=limit,
        master=master,
        wire=wire,
        timeout=timeout,
    )
    try:
        trial.wait()
    except BaseException:
        trial.cancel()
        raise
    if trial.report is None:
        raise trial.failure or TrialError("the trial ended without a report")
    return trial.report
