"""Starts runs: of a compilation in the queue, or of a document up to its report."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from explorer.documents import Program, as_document, data_folder
from explorer.engine.planning.outputs import unwritten_warnings
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.preview.preview import PREVIEW_ROWS, Preview, preview_trial
from explorer.engine.preview.record_tracing import RecordRoute, trace_record
from explorer.engine.preview.sampling import RowSample, first_rows
from explorer.engine.preview.tracing import TRACED_ROWS, traced_run
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.rows.storage import file_path
from explorer.engine.spark.queue import QUEUE
from explorer.engine.spark.rounds import ROUNDS, ProgramSetting, Rounds
from explorer.engine.spark.spark_context import session_target
from explorer.engine.spark.spark_settings import LOCAL, LOCAL_MASTER, SparkTarget, spark_target
from explorer.engine.spark.trial_runs import Trial
from explorer.engine.spark.turns import QueuePlace, is_short
from explorer.engine.steps.planned import OutputFolder
from explorer.errors import TrialError
from explorer.flink.compiler import Compilation, compile_program
from explorer.locations import is_url
from explorer.model.document import Document

Given: TypeAlias = Compilation | Program
"""The program of a trial: a path, a document's values, an environment or a compilation."""
ANYWHERE: Final = QueuePlace()
"""Queue owner of trials that run in the caller's own process."""
ROW_LIMIT: Final = 1_000_000
"""Default limit of a sink's rows in a report; all rows are counted."""


def start_trial(
    compilation: Compilation,
    *,
    data_dir: str | Path | None = None,
    collect: bool = True,
    limit: int | None = ROW_LIMIT,
    target: SparkTarget = LOCAL,
    timeout: float | None = None,
    place: QueuePlace = ANYWHERE,
    max_rows: int | None = None,
    output: OutputFolder | None = None,
    urls: bool = False,
) -> Trial:
    """Queue a trial and return immediately.

    ``limit``: how many rows of each sink are retained; None: all. ``timeout``: seconds from the
    trial's turn on. ``place``: the owner in the queue, and the limits of queued trials.
    ``max_rows``: how many rows of each source are read. ``output``: the folder for the files of
    sinks; None: no files. ``urls``: whether the document may use URLs, as ``accepts_urls`` decides
    for a trusted document. Raises ``ExplorerError`` for an expression, a column or a file with
    which the trial cannot run.
    """
    row_limit = limit if collect else 0
    planned = plan_trial(compilation, data_dir=data_dir, limit=row_limit, output=output, urls=urls)
    if max_rows is not None:
        planned = first_rows(planned, max_rows)
    if output is None:
        warnings = (*planned.warnings, *unwritten_warnings(compilation.pipeline))
        planned = replace(planned, warnings=warnings)
    trial = Trial(compilation, planned, target=target, timeout=timeout, limit=row_limit)
    QUEUE.put(trial, place, short=is_short(planned.job))
    return trial


def compare_chaining(
    document: Document, line_up: Callable[[Compilation], Trial], rounds: int = ROUNDS
) -> Rounds:
    """Begin to run a document chained and unchained in turns; ``line_up`` queues one trial.

    Raises ``ExplorerError`` where the document does not compile.
    """
    chained = ProgramSetting("chained", compile_program(document.with_chaining(on=True)))
    unchained = ProgramSetting("unchained", compile_program(document.with_chaining(on=False)))
    return Rounds(chained, unchained, line_up, rounds)


def compare_object_reuse(
    document: Document, line_up: Callable[[Compilation], Trial], rounds: int = ROUNDS
) -> Rounds:
    """Begin to run a document with objects copied and reused in turns."""
    compilation = compile_program(document)
    copied, reused = (
        ProgramSetting(
            name, replace(compilation, settings=replace(compilation.settings, object_reuse=on))
        )
        for name, on in (("copied", False), ("reused", True))
    )
    return Rounds(copied, reused, line_up, rounds)


def preview(
    document: Given,
    *,
    data_dir: str | Path | None = None,
    rows: int = PREVIEW_ROWS,
    flink_version: str | None = None,
) -> Preview:
    """Run a document over the first rows of its sources, at once and without Spark.

    Files are looked for as in ``run_trial``. Raises ``ExplorerError``.
    """
    folder = _folder(document, data_dir)
    return preview_trial(_compile_document(document, flink_version), data_dir=folder, rows=rows)


def follow(
    document: Given,
    *,
    source: str | None = None,
    sink: str | None = None,
    row: int = 1,
    where: str | None = None,
    data_dir: str | Path | None = None,
    flink_version: str | None = None,
) -> RecordRoute:
    """Trace a row of a source downstream, or a row of a sink upstream, in a run of a sample.

    ``row`` counts from 1 among the rows that the run reads: the first 10,000 rows of each source.
    With a condition ``where``, ``source``, else each source that has the columns, yields only rows
    that meet the condition. Files are looked for as in ``run_trial``. Raises ``ExplorerError``.
    """
    compilation = _compile_document(document, flink_version)
    nodes = {stream_node.handle: stream_node.id for stream_node in compilation.stream_graph.nodes}
    node = nodes.get(source) if source is not None else None
    sample = RowSample(rows=TRACED_ROWS, where=where, source=node)
    run = traced_run(compilation, data_dir=_folder(document, data_dir), sample=sample)
    return trace_record(run, source, sink, row - 1)


def run_trial(
    document: Given,
    *,
    data_dir: str | Path | None = None,
    collect: bool = True,
    limit: int | None = ROW_LIMIT,
    master: str | None = None,
    flink_version: str | None = None,
    timeout: float | None = None,
    output_dir: str | Path | None = None,
    spark: Any = None,
    conf: Mapping[str, str] | None = None,
    properties_file: str | Path | None = None,
) -> TrialReport:
    """Run a document on Spark and wait for its report; raises ``ExplorerError``.

    The trial runs on ``master`` (default ``local[2]``) with the settings of ``conf`` by key, on a
    cluster also with those of its ``spark-defaults.conf`` or of ``properties_file``; or in
    ``spark``, a classic ``SparkSession`` that the caller has started and stops.

    Without ``data_dir`` the files of a document that is itself a file are looked for in the folder
    ``data`` next to the document, or in its own folder if there is no such folder. Sinks write
    folders in ``output_dir``; without it in the folder of a document that is a file, else nowhere.
    Both may be URLs; on a cluster the paths of the document may be URLs, too.
    """
    if output_dir is None and isinstance(document, str | Path):
        output_dir = Path(document).parent
    target = _target(master, spark, conf, properties_file)
    trial = start_trial(
        _compile_document(document, flink_version),
        data_dir=_folder(document, data_dir),
        collect=collect,
        limit=limit,
        target=target,
        timeout=timeout,
        output=None if output_dir is None else output_folder(output_dir),
        urls=accepts_urls(target, data_dir),
    )
    try:
        trial.wait()
    except BaseException:
        trial.cancel()
        raise
    return trial.outcome()


def output_folder(path: str | Path) -> OutputFolder:
    """Return the folder, or the URL of a folder, in which sinks write."""
    return OutputFolder(path=file_path(path))


def accepts_urls(target: SparkTarget, data_dir: object) -> bool:
    """Whether a document's paths may be URLs: on a cluster, or where the data folder is one."""
    return not target.is_local or is_url(str(data_dir))


def _target(
    master: str | None,
    spark: Any,
    conf: Mapping[str, str] | None,
    properties_file: str | Path | None,
) -> SparkTarget:
    if spark is None:
        return spark_target(master or LOCAL_MASTER, conf, properties_file)
    if master is not None or conf or properties_file is not None:
        msg = "a session has its master and its settings: give spark alone, or master and conf"
        raise TrialError(msg)
    return session_target(spark)


def _compile_document(document: Given, flink_version: str | None) -> Compilation:
    if isinstance(document, Compilation):
        return document
    return compile_program(as_document(document), flink_version)


def _folder(document: Given, data_dir: str | Path | None) -> str | Path | None:
    """The data folder: the given one, else that of a document that is a file."""
    if data_dir is None and isinstance(document, str | Path):
        return data_folder(Path(document))
    return data_dir
