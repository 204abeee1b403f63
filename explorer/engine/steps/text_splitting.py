"""Splits whole columns of texts at the matches of a pattern.

RE2 matches in linear time whatever the pattern. Most patterns that split words are one class of
characters, perhaps repeated; in ASCII text those are looked up byte by byte, without matching.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Column, Longs
from explorer.engine.rows.utf16 import utf8_bytes

_ONE_CLASS: Final = re.compile(r"(\[\^?(?:\\.|[^\\\]])+\]|\\[dDsSwW]|[\w ,;:/_=-])\+?")
"""A pattern that is one class of characters, perhaps repeated."""
_MARKS: Final = ("\x1f", "\x00", "\ue000", "\uf8ff", "\U000f0000", "\U0010fffd")
"""Characters that hardly occur in text."""
Split: TypeAlias = tuple[Column, Callable[[], Longs]]
"""All parts, and a function for the number of the text of each: few callers need it."""


@lru_cache
def separators(pattern: str) -> bytes | None:
    """Return the ASCII characters that separate parts; None: the pattern is not one class.

    >>> separators("[ ,]+")
    b' ,'
    """
    if not _ONE_CLASS.fullmatch(pattern):
        return None
    characters = pa.array([chr(code) for code in range(128)])
    match_substring_regex = pc.match_substring_regex(characters, rf"\A(?:{pattern})\z")
    return bytes(np.flatnonzero(match_substring_regex.to_numpy(zero_copy_only=False)).tolist())


def split_column(texts: Column, pattern: str, alone: bytes | None) -> Split:
    """Return all parts that are not empty, and the text that each comes from.

    ``alone`` is the result of ``separators`` for the pattern. A NULL has no parts.

    >>> split_column(pa.array(["a-b", "-", None, "c"]), "-", None)[0].to_pylist()
    ['a', 'b', 'c']
    """
    if alone is not None:
        flat, offsets = utf8_bytes(texts)
        if not len(flat) or flat.max() < 128:
            return _split_bytes(flat, offsets, alone)
    return _split_matches(texts, pattern)


def _split_bytes(flat: npt.NDArray[np.uint8], offsets: Longs, alone: bytes) -> Split:
    """Split ASCII texts: a part is a run of bytes within one text that are no separators.

    ``flat``: the bytes of all texts; ``offsets``: where each begins, and the end of the last.
    """
    # Python's own ``translate`` looks bytes up, and leaves some out, faster than NumPy does.
    text = flat.tobytes()
    is_part = bytes(byte not in alone for byte in range(256))
    filled_bytes = np.frombuffer(text.translate(is_part), np.bool_)
    first, last = filled_bytes.copy(), filled_bytes.copy()
    first[1:] &= ~filled_bytes[:-1]
    last[:-1] &= ~filled_bytes[1:]
    filled = np.diff(offsets) > 0
    begins, ends = offsets[:-1][filled], offsets[1:][filled] - 1
    first[begins], last[ends] = filled_bytes[begins], filled_bytes[ends]
    starts = np.flatnonzero(first)
    places = np.zeros(len(starts) + 1, np.int32)
    np.cumsum(np.flatnonzero(last) + 1 - starts, out=places[1:])
    buffers = [None, pa.py_buffer(places), pa.py_buffer(text.translate(None, alone))]
    words = pa.Array.from_buffers(pa.string(), len(starts), buffers)
    return words, lambda: np.searchsorted(offsets, starts, side="right") - 1


def _split_matches(texts: Column, pattern: str) -> Split:
    """Replace each match by a character that does not occur, and split there.

    Arrow's own split by a pattern never ends if the pattern matches the empty text.
    """
    marks = ("".join(item) for size in (1, 2, 4) for item in product(_MARKS, repeat=size))
    mark = next(one for one in marks if not pc.any(pc.match_substring(texts, one)).as_py())
    marked = pc.replace_substring_regex(texts, pattern, mark)
    lists = pc.split_pattern(marked, mark)
    words, parents = pc.list_flatten(lists), pc.list_parent_indices(lists)
    keep = pc.not_equal(words, "")
    return words.filter(keep), lambda: parents.filter(keep).to_numpy().astype(np.int64, copy=False)
