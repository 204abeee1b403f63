"""Documents that the sessions of this server share.

Visitors who open the same file, link or sample, and those who then make the same edit, hold one
document between them, and so one compilation of it (``components.session.compiled``), as long as
one of them holds it. A session gets it only by the whole content.
"""

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from explorer.documents import Document, parse_document
from explorer.documents.loading import PROGRAMS, ProgramFileError, read_file

_documents: Final[WeakValueDictionary[tuple[str, bytes], Document]] = WeakValueDictionary()
"""By name, or kind of an edited document, and digest of the content."""


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


def equal_document(document: Document) -> Document:
    """Return the equal document of another session that made the same edit, or this one."""
    with suppress(OverflowError):  # an integer of more than 64 bits
        key = (f"edited {document.kind}", sha256(msgspec.msgpack.encode(document)).digest())
        other = _documents.setdefault(key, document)
        return other if other == document else document
    return document
