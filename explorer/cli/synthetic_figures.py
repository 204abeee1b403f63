"""``--synthetic``: figures of the operators of a program with unknown functions."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from explorer.cli.command import argument, document_at, reader, repeated
from explorer.documents import Document, StreamGraphDocument, check_edit
from explorer.errors import ExplorerError
from explorer.model.stream_graph import NodeId
from explorer.wording import listed, quoted

_LISTED: Final = 20
"""Operators that a message names."""


def _figures(text: str) -> tuple[str, dict[str, float]]:
    operator, colon, values = text.rpartition(":")
    pairs = [part.partition("=") for part in values.split(",")]
    figures: dict[str, float] = {}
    for name, _, value in pairs:
        figures[name.strip()] = int(value) if value.strip().isdecimal() else float(value)
    if not (colon and operator.strip() and all(map(math.isfinite, figures.values()))):
        raise ValueError(text)
    return operator.strip(), figures


SYNTHETIC: Final = (
    repeated(
        "--synthetic",
        metavar="NODE:FIELD=VALUE,...",
        type=reader(_figures, "gives no figures: write them as in 4:records_out=1.5,cost=3"),
        help="for a StreamGraph document, which has no functions: a synthetic function of the "
        "operator NODE (number or name), as in 4:records_out=1.5,cost=3; of a source, records=50",
    ),
    argument(
        "--like",
        metavar="JOB",
        help="like --synthetic, with the selectivities and costs of a running job: the document "
        "that capture http://HOST:8081/jobs/ID wrote",
    ),
)
"""Options for synthetic functions of operators."""


def with_figures(
    document: Document, typed: Sequence[tuple[str, Mapping[str, float]]], like: str | None
) -> Document:
    """Set the figures of synthetic operators: those of a job, then the typed ones."""
    if not typed and like is None:
        return document
    from explorer.edits import set_synthetic

    program = document.operators
    if program is None:
        msg = (
            "--synthetic and --like are for a StreamGraph document; the operators of a pipeline do "
            "what their fields say"
        )
        raise ExplorerError(msg)
    changed = program if like is None else _like(program, like)
    for operator, figures in typed:
        node = _node(program, operator)
        for field, value in figures.items():
            changed = set_synthetic(changed, node, field, value)
    check_edit(changed, document)
    return changed


def _like(document: StreamGraphDocument, path: str) -> StreamGraphDocument:
    from explorer.flink.compiler import compile_program
    from explorer.running.imitation import imitate_job
    from explorer.running.job_report import job_report

    job = document_at(path).submitted
    if job is None:
        msg = f"{quoted(path)} is no running job: give what capture http://HOST:8081/jobs/ID wrote"
        raise ExplorerError(msg)
    compilation = compile_program(document)
    report = job_report(job.job, compilation)
    if not report.vertices:
        msg = (
            f"the job {quoted(job.name)} shows nothing of this program: no task with figures has "
            "an ID of it"
        )
        raise ExplorerError(msg)
    return imitate_job(document, compilation, report)


def _node(document: StreamGraphDocument, operator: str) -> NodeId:
    nodes = document.stream_graph.nodes
    named = [node.id for node in nodes if operator in (str(node.id), node.name)]
    if len(named) == 1:
        return named[0]
    problem = "there is no operator" if not named else f"{len(named)} operators are called"
    names = listed([f"{node.id} {quoted(node.name)}" for node in nodes[:_LISTED]])
    ellipsis = ", ..." if len(nodes) > _LISTED else ""
    msg = f"{problem} {quoted(operator)}; the operators are {names}{ellipsis}"
    raise ExplorerError(msg)
