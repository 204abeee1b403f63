"""Missing files of a savepoint, and whether the savepoint was copied elsewhere."""

from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from explorer.savepoints import OperatorState, Savepoint
from explorer.wording import quoted

_LOCAL: Final = ("", "file")


def lost_data(savepoint: Savepoint, folder: Path) -> dict[str, str]:
    """By operator ID, a sentence about its files that are not there.

    Files of a remote file system are not looked for.
    """
    found = {one.operator_id: _sentence(one, folder) for one in savepoint.operators}
    return {id: sentence for id, sentence in found.items() if sentence}


def _sentence(operator: OperatorState, folder: Path) -> str:
    for handle in operator.handles:
        for file in handle.files:
            path = _local(file, folder)
            if path is None or path.exists():
                continue
            if (folder / path.name).exists():
                return (
                    f"the savepoint was moved: its metadata names {quoted(str(path), 200)}, and "
                    f"the file is in {quoted(str(folder), 200)}; move it back, or use a savepoint "
                    "in canonical format, which can be moved"
                )
            return f"the file {quoted(str(path), 200)} is not there"
    return ""


def _local(file: str, folder: Path) -> Path | None:
    """The path of a file on this machine; a relative one is next to the metadata."""
    parts = urlsplit(file)
    if parts.scheme not in _LOCAL:
        return None
    path = Path(unquote(parts.path) if parts.scheme else file)
    return path if path.is_absolute() else folder / path
