"""Content of an uploaded file as text: UTF-8 with or without a byte order mark, up to a size."""

from explorer.documents.limits import MAX_BYTES
from explorer.errors import DocumentError


def decode_content(content: bytes | str, subject: str) -> str:
    """Decode content; ``subject`` begins the messages, as in ``the document is``.

    Raises ``DocumentError`` for content above ``MAX_BYTES`` and for bytes that are not UTF-8.
    """
    if len(content) > MAX_BYTES:
        problem = f"{subject} larger than {MAX_BYTES // 2**20} MB, the most that is read"
        raise DocumentError(path="", problem=problem)
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"{subject} not UTF-8 text: byte {error.start} cannot be read"
        raise DocumentError(path="", problem=problem) from None
