"""Missing files of a savepoint, and whether the savepoint was copied elsewhere."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from explorer.sandbox.visible_files import without_secrets
from explorer.savepoints import OperatorState, Savepoint
from explorer.wording import quoted


def lost_data(savepoint: Savepoint, folder: Path) -> dict[str, str]:
    """Map the ID of each operator without some of its local files to a sentence about them."""
    result = {operator.operator_id: _sentence(operator, folder) for operator in savepoint.operators}
    return {id: sentence for id, sentence in result.items() if sentence}


def state_files(savepoint: Savepoint) -> list[Path]:
    """Return the local files with state that the metadata names by absolute paths."""
    handles = (handle for operator in savepoint.operators for handle in operator.handles)
    places = (urlsplit(file) for handle in handles for file in handle.files)
    local = (Path(unquote(place.path)) for place in places if place.scheme == "file")
    return list(without_secrets(local))


def _sentence(operator: OperatorState, folder: Path) -> str:
    for handle in operator.handles:
        for file in handle.files:
            parts = urlsplit(file)
            # A relative path starts at the folder of the metadata.
            path = folder / (unquote(parts.path) if parts.scheme else file)
            if parts.scheme not in {"", "file"} or path.exists():
                continue
            if (folder / path.name).exists():
                return (
                    f"the savepoint was moved: its metadata names {quoted(str(path), 200)}, and "
                    f"the file is in {quoted(str(folder), 200)}; move it back, or use a savepoint "
                    "in canonical format, which can be moved"
                )
            return f"the file {quoted(str(path), 200)} is not there"
    return ""
