"""Functions of regular expressions in Flink's SQL, matched in linear time by Arrow's RE2.

Flink uses ``java.util.regex``: a pattern that RE2 does not support, with a look-around or a
back-reference, is refused before the run. A group that is not part of a match is empty here.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import ARROW
from explorer.engine.rows.expressions.kernel import BatchRows, Value, as_array
from explorer.engine.rows.pausing import pause
from explorer.model.row_type import LONG

MAX_PATTERN: Final = 500
"""Characters in a pattern."""
PIECE: Final = 32 * 1024
"""Bytes of text that are matched at once, or one longer value."""
MAX_GROUP: Final = 9
"""The last group that can be extracted."""


def found(_: BatchRows, value: Value, pattern: Value) -> Value:
    """``REGEXP(text, pattern)``: whether the pattern matches; an empty pattern never does."""
    words = pattern.as_py()
    if not words:
        return pc.if_else(pc.is_valid(value), pa.scalar(value=False), None)
    return _in_pieces(value, lambda piece: pc.match_substring_regex(piece, words))


def count(_: BatchRows, value: Value, pattern: Value) -> Value:
    """``REGEXP_COUNT(text, pattern)``."""
    words = pattern.as_py()
    counts = _in_pieces(value, lambda piece: pc.count_substring_regex(piece, words))
    return pc.cast(counts, ARROW[LONG])


def replaced(rows: BatchRows, value: Value, pattern: Value, replacement: Value) -> Value:
    """``REGEXP_REPLACE(text, pattern, replacement)``: the replacement is text, without groups."""
    words, regex, new = as_array(value, rows), pattern.as_py(), str(replacement.as_py())
    counts = _in_pieces(words, lambda piece: pc.count_substring_regex(piece, regex))
    rows.budget.check(words.nbytes + (pc.sum(counts).as_py() or 0) * len(new.encode()))
    text = new.replace("\\", "\\\\")
    return _in_pieces(words, lambda piece: pc.replace_substring_regex(piece, regex, text))


def extracted(rows: BatchRows, value: Value, pattern: Value, group: Value | None = None) -> Value:
    """``REGEXP_EXTRACT(text, pattern, group)``: a group of the first match, else NULL.

    Without a group it is ``REGEXP_SUBSTR``: the whole match.
    """
    words, regex = as_array(value, rows), pattern.as_py()
    number = 0 if group is None else group.as_py()
    matched = _in_pieces(words, lambda piece: pc.match_substring_regex(piece, regex))
    whole, group = (f"({regex})", 1) if number == 0 else (f"(?:{regex})", number)
    # The shortest prefix leads to the first match, as in a search.
    line, part = f"^(?s:.*?){whole}(?s:.*)$", f"\\{group}"
    remaining_value = _in_pieces(words, lambda piece: pc.replace_substring_regex(piece, line, part))
    return pc.if_else(matched, remaining_value, None)


def _in_pieces(value: Value, work: Callable[[Value], Value]) -> Value:
    """Compute a column piece by piece, and ask before each whether to go on."""
    lengths = pc.binary_length(value)
    if isinstance(value, pa.Scalar) or value.nbytes <= PIECE:
        pause(pc.max(lengths).as_py() or 0)
        return work(value)
    ends = pc.cumulative_sum(pc.fill_null(lengths, 0)).to_numpy()
    places = np.searchsorted(ends, np.arange(PIECE, int(ends[-1]) + PIECE, PIECE), side="right")
    pieces = []
    for start, stop in pairwise([0, *sorted({*places.tolist(), len(value)} - {0})]):
        pause(pc.max(lengths.slice(start, stop - start)).as_py() or 0)
        pieces.append(work(value.slice(start, stop - start)))
    return pa.concat_arrays(pieces)


def problem(pattern: str) -> str:
    """Return the problem with a pattern; empty: it is valid."""
    if len(pattern) > MAX_PATTERN:
        return f"it has {len(pattern):,} characters, and {MAX_PATTERN} are allowed"
    try:
        pc.match_substring_regex(pa.array(["a"]), pattern)
    except (pa.ArrowException, UnicodeEncodeError) as error:
        reason = str(error).partition("\n")[0].removeprefix("Invalid regular expression: ")
        return f"this is no pattern that a trial can match: {reason}"
    return ""


def groups(pattern: str) -> int:
    """Number of groups of a valid pattern; a pattern with more than MAX_GROUP is an error."""
    highest = 0
    for number in range(1, MAX_GROUP + 1):
        try:
            pc.replace_substring_regex(pa.array(["a"]), pattern, f"\\{number}")
        except pa.ArrowInvalid:
            break
        highest = number
    return highest
