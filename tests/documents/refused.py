"""Documents of a few transformations, and the sentence in which they are refused."""

from typing import Any

import pytest

from explorer.documents import load_document
from explorer.errors import DocumentError

SOURCE: dict[str, Any] = {"id": "s", "type": "legacy_source"}
KEY: dict[str, Any] = {"id": "k", "type": "key_by", "inputs": ["s"]}
MAP: dict[str, Any] = {"id": "m", "type": "map", "inputs": ["s"]}


def refused(transformations: list[dict[str, Any]], **environment: Any) -> str:
    """The sentence on a pipeline that is refused."""
    with pytest.raises(DocumentError) as fault:
        load_document({"environment": environment, "transformations": transformations})
    return str(fault.value)
