"""How much is too much? Every limit of documents, files, trials and pages, in one table.

A row looks its number up where the limit is kept; ARCHITECTURE prints the table, and a test tries
each row at its edge and one beyond.
"""

from typing import Final

import msgspec

from components import link
from components.hosting import HOSTED, OWN, PUBLIC
from explorer import errors
from explorer.documents import function_checks, generated_rows, state_shapes
from explorer.documents import limits as documents
from explorer.flink.passes.generation import support
from explorer.rows import row_type, sizes
from explorer.rows.expressions import parser, patterns
from explorer.rows.sources import columns, folders, json_tables
from explorer.savepoints import loading as savepoints
from explorer.task import loop
from explorer.trial import keyed_work, planning
from explorer.trial.preview import PREVIEW_LIMITS, ROWS
from explorer.trial.tracing import TRACED_LIMITS, TRACED_ROWS

_MB: Final = 1024 * 1024


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """One limit."""

    name: str
    """What is limited."""
    most: float
    """In the unit."""
    unit: str
    public: float | None = None
    """On a page for everybody, where that is another."""


LIMITS: Final = (
    Limit(name="a document's file", most=documents.MAX_BYTES / _MB, unit="MB"),
    Limit(name="a document", most=documents.MAX_TRANSFORMATIONS, unit="transformations or nodes"),
    Limit(name="lists and mappings in one another", most=documents.MAX_DEPTH, unit="deep"),
    Limit(name="what aliases of YAML stand for", most=documents.MAX_ALIASED, unit="values"),
    Limit(name="an id", most=documents.MAX_ID, unit="characters"),
    Limit(name="a name or a uid", most=documents.MAX_TEXT, unit="characters"),
    Limit(name="a StreamGraph, in the library", most=support.MOST_EDGES, unit="edges"),
    Limit(name="a StreamGraph, on a page", most=OWN.edges, unit="edges", public=PUBLIC.edges),
    Limit(name="a link", most=link.LONGEST, unit="characters"),
    Limit(name="a savepoint's metadata", most=savepoints.MAX_METADATA / _MB, unit="MB"),
    Limit(name="a row", most=row_type.MAX_COLUMNS, unit="columns"),
    Limit(name="an expression", most=parser.MAX_LENGTH, unit="characters"),
    Limit(name="parentheses of an expression", most=parser.MAX_DEPTH, unit="deep"),
    Limit(name="a pattern", most=patterns.MAX_PATTERN, unit="characters"),
    Limit(name="a skewed column that is made up", most=generated_rows.MOST_KEYS, unit="keys"),
    Limit(name="a line or row of a file", most=sizes.ROW_BYTES / _MB, unit="MB"),
    Limit(name="values of JSON lines in one another", most=json_tables.MAX_NESTING, unit="deep"),
    Limit(name="looking at a file: memory", most=columns.MEMORY / _MB, unit="MB"),
    Limit(name="looking at a file: time", most=columns.SECONDS, unit="s"),
    Limit(
        name="files that a visitor adds",
        most=OWN.data_bytes / _MB,
        unit="MB",
        public=PUBLIC.data_bytes,
    ),
    Limit(name="a folder that a source reads", most=folders.MOST_FILES, unit="files"),
    Limit(
        name="rows of a sink to download",
        most=OWN.written_bytes / _MB,
        unit="MB",
        public=PUBLIC.written_bytes / _MB,
    ),
    Limit(name="a row in a trial", most=sizes.ROW_BYTES / _MB, unit="MB"),
    Limit(name="what an operator makes of a batch", most=sizes.WORK_BYTES / _MB, unit="MB"),
    Limit(name="a trial", most=planning.MAX_SUBTASKS, unit="subtasks"),
    Limit(name="a trial's edges", most=planning.MAX_CHANNELS, unit="channels"),
    Limit(name="a loop in a trial: rounds", most=loop.MAX_ROUNDS, unit="rounds"),
    Limit(name="a loop in a trial: records", most=loop.MAX_FED_BACK, unit="records fed back"),
    Limit(name="windows of one record", most=keyed_work.MAX_WINDOWS, unit="windows"),
    Limit(name="a key's greatest rows", most=state_shapes.MAX_TOP, unit="rows"),
    Limit(name="an asynchronous answer", most=function_checks.MAX_DELAY, unit="ms"),
    Limit(
        name="trials of a visitor that wait or run",
        most=OWN.trials,
        unit="trials",
        public=PUBLIC.trials,
    ),
    Limit(name="a trial from a page", most=OWN.seconds, unit="s"),
    Limit(name="a trial from a page that others reach: time", most=HOSTED.seconds, unit="s"),
    Limit(
        name="a trial from a page that others reach: rows of a source",
        most=HOSTED.rows or 0,
        unit="rows",
    ),
    Limit(name="a preview: rows of a source", most=ROWS, unit="rows"),
    Limit(name="a preview", most=PREVIEW_LIMITS.subtasks, unit="subtasks"),
    Limit(name="a traced run: rows of a source", most=TRACED_ROWS, unit="rows"),
    Limit(name="a traced run", most=TRACED_LIMITS.subtasks, unit="subtasks"),
    Limit(name="a message", most=errors.LONGEST, unit="characters"),
)
