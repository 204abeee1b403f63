"""Documents that the sessions of this server share.

Visitors who open the same file, link or sample hold one document between them, and so one
compilation of it (``components.session.compiled``), as long as one of them holds it.
"""

from hashlib import sha256
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from explorer.documents import Document, parse_document
from explorer.documents.loading import PROGRAMS, ProgramFileError, read_file

_documents: Final[WeakValueDictionary[tuple[str, bytes], Document]] = WeakValueDictionary()
"""By name and digest of the content."""


def parse(content: bytes, name: str) -> Document:
    """Parse a document, or return the equal one of another session; raises ``DocumentError``."""
    if Path(name).suffix.lower() in PROGRAMS:
        raise ProgramFileError(name)
    key = (name, sha256(content).digest())
    document = _documents.get(key)
    if document is None:
        document = _documents[key] = parse_document(content, name=name)
    return document


def load(path: Path) -> Document:
    """Parse a document's file, which may change meanwhile; raises ``DocumentError``."""
    return parse(read_file(path), path.name)
