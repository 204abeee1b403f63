"""A file or an upload as plain values: size, encoding and format are settled here."""

import re
from pathlib import Path
from typing import Final

from explorer.documents.json_text import read_json
from explorer.documents.limits import MAX_BYTES
from explorer.documents.wording import quoted
from explorer.documents.yaml_text import read_yaml
from explorer.errors import DocumentError

_READERS: Final = {".json": read_json, ".yaml": read_yaml, ".yml": read_yaml}
_PATH: Final = 200
"""Characters of a file's name that a message repeats."""

_LOOKS_LIKE_JSON: Final = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[{"\]])')


def read_file(path: Path) -> bytes:
    """Take a file's bytes; raises ``DocumentError`` in place of ``OSError``."""
    try:
        if path.is_dir():
            raise DocumentError(
                path="", problem=f"{quoted(str(path), _PATH)} is a folder; name a document in it"
            )
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        why = (error.strerror or "it cannot be read").lower()
        raise DocumentError(
            path="", problem=f"cannot read {quoted(str(path), _PATH)}: {why}"
        ) from None
    except ValueError:
        raise DocumentError(
            path="", problem=f"{quoted(str(path), _PATH)} is not a file name"
        ) from None


def data_folder(document: Path) -> Path:
    """The folder of a document's rows: ``data`` beside it where there is one, else its own.

    A document that comes from standard input, ``-``, lies in the current folder.
    """
    beside = document.parent / "data"
    return beside if beside.is_dir() else document.parent


def read_values(content: bytes | str, name: str) -> object:
    """Build the plain values of a document; ``name`` tells YAML from JSON by its ending."""
    text = _text(content)
    if not text.strip():
        raise DocumentError(path="", problem="the document is empty; it must hold a pipeline")
    reader = _READERS.get(Path(name).suffix.lower())
    if reader is None:
        reader = read_json if _LOOKS_LIKE_JSON.match(text) else read_yaml
    return reader(text)


def _text(content: bytes | str) -> str:
    if len(content) > MAX_BYTES:
        problem = f"the document is larger than {MAX_BYTES // 2**20} MB, the most that is read"
        raise DocumentError(path="", problem=problem)
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"the document is not UTF-8 text: byte {error.start} cannot be read"
        raise DocumentError(path="", problem=problem) from None
