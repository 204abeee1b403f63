"""The engine's limits, from the modules that enforce them."""

from explorer.engine.planning.trial_plan import MAX_CHANNELS, MAX_SUBTASKS
from explorer.engine.preview.preview import PREVIEW_LIMITS, PREVIEW_ROWS
from explorer.engine.preview.tracing import TRACED_LIMITS, TRACED_ROWS
from explorer.engine.rows.expressions.parser import MAX_DEPTH, MAX_LENGTH
from explorer.engine.rows.expressions.patterns import MAX_PATTERN
from explorer.engine.rows.sizes import ROW_BYTES, WORK_BYTES
from explorer.engine.rows.sources.columns import MEMORY, SECONDS
from explorer.engine.rows.sources.folders import MOST_FILES
from explorer.engine.rows.sources.json_tables import MAX_NESTING
from explorer.engine.steps.window_plans import MAX_WINDOWS
from explorer.engine.task.loop import MAX_FED_BACK, MAX_ROUNDS

__all__ = [
    "MAX_CHANNELS",
    "MAX_DEPTH",
    "MAX_FED_BACK",
    "MAX_LENGTH",
    "MAX_NESTING",
    "MAX_PATTERN",
    "MAX_ROUNDS",
    "MAX_SUBTASKS",
    "MAX_WINDOWS",
    "MEMORY",
    "MOST_FILES",
    "PREVIEW_LIMITS",
    "PREVIEW_ROWS",
    "ROW_BYTES",
    "SECONDS",
    "TRACED_LIMITS",
    "TRACED_ROWS",
    "WORK_BYTES",
]
