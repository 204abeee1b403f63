"""Table of all limits of documents, files, local runs and pages.

A row reads its number from the module that applies the limit. The documentation site prints the
table, and a test tries each row at its edge and one beyond.
"""

from typing import Final

import msgspec

from components.server import budget, connections
from components.server.hosting import HOSTED, MB, OWN, PUBLIC
from components.session import link
from explorer import errors
from explorer.documents import limits as documents
from explorer.documents.checks import field_checks, generated_rows, state_shapes
from explorer.engine.planning.trial_plan import MAX_CHANNELS, MAX_SUBTASKS
from explorer.engine.preview.preview import PREVIEW_LIMITS, PREVIEW_ROWS
from explorer.engine.preview.tracing import TRACED_LIMITS, TRACED_ROWS
from explorer.engine.rows.expressions.parser import MAX_DEPTH, MAX_LENGTH
from explorer.engine.rows.expressions.patterns import MAX_PATTERN
from explorer.engine.rows.sizes import ROW_BYTES, WORK_BYTES
from explorer.engine.rows.sources.columns import MEMORY as COLUMNS_MEMORY
from explorer.engine.rows.sources.columns import SECONDS as COLUMNS_SECONDS
from explorer.engine.rows.sources.folders import MOST_FILES
from explorer.engine.rows.sources.json_tables import MAX_NESTING
from explorer.engine.steps.window_plans import MAX_WINDOWS
from explorer.engine.task.loop import MAX_FED_BACK, MAX_ROUNDS
from explorer.flink import edge_limit
from explorer.model import row_type
from explorer.savepoints import loading as savepoints


class Limit(msgspec.Struct, frozen=True):
    """One limit."""

    name: str
    """What is limited."""
    most: float
    """In the unit."""
    unit: str
    public: float | None = None
    """The limit on a public page, where it differs."""


LIMITS: Final = (
    Limit("a document's file", documents.MAX_BYTES / MB, "MB"),
    Limit("a document", documents.MAX_TRANSFORMATIONS, "transformations or nodes"),
    Limit("depth of nested lists and mappings", documents.MAX_DEPTH, "deep"),
    Limit("values that YAML aliases expand to", documents.MAX_ALIASED, "values"),
    Limit("an id", documents.MAX_ID, "characters"),
    Limit("a name or a uid", documents.MAX_TEXT, "characters"),
    Limit("a StreamGraph, in the library", edge_limit.MOST_EDGES, "edges"),
    Limit("a StreamGraph, on a page", OWN.edges, "edges", public=PUBLIC.edges),
    Limit("a link", link.LONGEST, "characters"),
    Limit("a savepoint's metadata", savepoints.MAX_METADATA / MB, "MB"),
    Limit("a savepoint", savepoints.MOST_OPERATORS, "operators"),
    Limit("a row", row_type.MAX_COLUMNS, "columns"),
    Limit("an expression", MAX_LENGTH, "characters"),
    Limit("depth of parentheses in an expression", MAX_DEPTH, "deep"),
    Limit("a pattern", MAX_PATTERN, "characters"),
    Limit("a generated skewed column", generated_rows.MOST_KEYS, "keys"),
    Limit("a line or row of a file", ROW_BYTES / MB, "MB"),
    Limit("depth of nested values in JSON lines", MAX_NESTING, "deep"),
    Limit("reading a file's columns: memory", COLUMNS_MEMORY / MB, "MB"),
    Limit("reading a file's columns: time", COLUMNS_SECONDS, "s"),
    Limit("files that a visitor uploads", OWN.data_bytes / MB, "MB", public=PUBLIC.data_bytes / MB),
    Limit(
        "uploads of one page",
        OWN.upload_bytes / MB,
        "MB",
        public=PUBLIC.upload_bytes / MB,
    ),
    Limit(
        "uploads of all pages",
        OWN.all_upload_bytes / MB,
        "MB",
        public=PUBLIC.all_upload_bytes / MB,
    ),
    Limit("a folder that a source reads", MOST_FILES, "files"),
    Limit(
        "rows of a sink to download",
        OWN.written_bytes / MB,
        "MB",
        public=PUBLIC.written_bytes / MB,
    ),
    Limit("a row in a trial", ROW_BYTES / MB, "MB"),
    Limit("an operator's output for one batch", WORK_BYTES / MB, "MB"),
    Limit("a trial", MAX_SUBTASKS, "subtasks"),
    Limit("a trial's edges", MAX_CHANNELS, "channels"),
    Limit("a loop in a trial: rounds", MAX_ROUNDS, "rounds"),
    Limit("a loop in a trial: records", MAX_FED_BACK, "records fed back"),
    Limit("windows of one record", MAX_WINDOWS, "windows"),
    Limit("a key's greatest rows", state_shapes.MAX_TOP, "rows"),
    Limit("an asynchronous answer", field_checks.MAX_DELAY, "ms"),
    Limit("trials of a visitor that wait or run", OWN.trials, "trials", public=PUBLIC.trials),
    Limit(
        "trials of an address that wait or run",
        OWN.address_trials,
        "trials",
        public=PUBLIC.address_trials,
    ),
    Limit("trials of a page that wait or run", OWN.all_trials, "trials", public=PUBLIC.all_trials),
    Limit("a trial from a page", OWN.seconds, "s"),
    Limit("a trial from a page that others reach: time", HOSTED.seconds, "s"),
    Limit("a trial from a page that others reach: rows of a source", HOSTED.rows or 0, "rows"),
    Limit("a preview: rows of a source", PREVIEW_ROWS, "rows"),
    Limit("a preview", PREVIEW_LIMITS.subtasks, "subtasks"),
    Limit("a traced run: rows of a source", TRACED_ROWS, "rows"),
    Limit("a traced run", TRACED_LIMITS.subtasks, "subtasks"),
    Limit(
        "a traced run: records through channels",
        OWN.transfers,
        "records",
        public=PUBLIC.transfers,
    ),
    Limit("a preview: CPU time", OWN.preview_seconds, "s", public=PUBLIC.preview_seconds),
    Limit("a traced run: CPU time", OWN.traced_seconds, "s", public=PUBLIC.traced_seconds),
    Limit("a click: CPU time", OWN.work_seconds, "s", public=PUBLIC.work_seconds),
    Limit("a click: growth of memory", OWN.work_bytes / MB, "MB", public=PUBLIC.work_bytes / MB),
    Limit("a click on a page that others reach: CPU time", HOSTED.work_seconds, "s"),
    Limit("a click on a page that others reach: growth of memory", HOSTED.work_bytes / MB, "MB"),
    Limit("clicks of an address on a public page in a minute", PUBLIC.minute_seconds, "s of CPU"),
    Limit("pages of an address", OWN.address_pages, "pages", public=PUBLIC.address_pages),
    Limit("pages of all addresses", OWN.all_pages, "pages"),
    Limit("clicks of an address at once; further ones wait", budget.MOST_AT_ONCE, "clicks"),
    Limit("clicks of an address that wait", budget.MOST_WAITING, "clicks"),
    Limit(
        "memory of the server, beyond which pages give up their undo steps",
        OWN.server_bytes / MB,
        "MB",
        public=PUBLIC.server_bytes / MB,
    ),
    Limit("the head of a request: time", connections.HEAD_SECONDS, "s"),
    Limit("connections without a whole head", connections.MOST_HEADS, "connections"),
    Limit("a body or an answer that goes on by 20 KB: time", connections.PROGRESS_SECONDS, "s"),
    Limit("unfinished bodies and unread answers", connections.MOST_TRANSFERS, "connections"),
    Limit("a message of a browser", connections.MESSAGE_BYTES / MB, "MB"),
    Limit("a message of a browser: time", connections.MESSAGE_SECONDS, "s"),
    Limit("unfinished messages of all browsers", connections.ALL_MESSAGE_BYTES / MB, "MB"),
    Limit("a message", errors.LONGEST, "characters"),
)
