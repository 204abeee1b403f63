"""Limits of a document's size; the page and the command line refuse anything larger.

A mapping that a Python program passes is in memory already: only its texts are limited.
"""

from typing import Final

from explorer.errors import DocumentError

MAX_BYTES: Final = 5 * 1024 * 1024
"""Bytes of a file, an upload or standard input."""

MAX_TRANSFORMATIONS: Final = 20_000
"""Transformations, or nodes of a graph, in a file, an upload or standard input."""

MAX_DEPTH: Final = 64
"""Maximum nesting depth of lists and mappings."""
TOO_DEEP: Final = f"lists and mappings are nested more than {MAX_DEPTH} deep"

MAX_ALIASED: Final = 100_000
"""Values that a YAML document's aliases may stand for, all together."""

MAX_ID: Final = 200
"""Characters of a transformation's id, of a tag, a column or an option."""

MAX_TEXT: Final = 10_000
"""Characters of a name, a uid or any other text of a document."""

MAX_NODE_TEXT: Final = MAX_TEXT + 200
"""Characters of a StreamNode's name, uid or description: Flink puts words before and after."""

MAX_DOCUMENTS: Final = 2_000
"""YAML documents of one stream, as ``kustomize build`` writes it."""


def decode_content(content: bytes | str, subject: str) -> str:
    """Decode content; ``subject`` begins the messages, as in ``the document is``.

    Raises ``DocumentError`` for content above ``MAX_BYTES`` and for bytes that are not UTF-8.
    """
    if len(content) > MAX_BYTES:
        problem = f"{subject} larger than {MAX_BYTES // 2**20} MB, the most that is read"
        raise DocumentError(path="", problem=problem)
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    if what := other_form(content):
        raise DocumentError(path="", problem=f"{subject} {what}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"{subject} not UTF-8 text: byte {error.start} cannot be read"
        raise DocumentError(path="", problem=problem) from None


_OTHER_FORMS: Final = (
    (b"PK\x03\x04", "a zip archive, not text; unpack it, and give a jar the ending .jar"),
    (b"\x1f\x8b", "compressed with gzip; unpack it"),
    (b"\xff\xfe", "UTF-16 text; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
)
"""First bytes of files that are given as a document by mistake, and what to do with them."""


def other_form(content: bytes) -> str:
    """What bytes are that are no UTF-8 text, in words; empty where they may be text."""
    named = next((words for begin, words in _OTHER_FORMS if content.startswith(begin)), "")
    # Letters of UTF-16 without a mark of its order: every second byte is zero.
    is_wide = any(content[:64:2]) != any(content[1:64:2]) and len(content) > 1
    return named or ("UTF-16 text; save it as UTF-8" if is_wide else "")
