"""Options of a Flink configuration folder, read as each release reads them.

Mirrors ``GlobalConfiguration.loadConfiguration``: ``flink-conf.yaml`` line by line, where it is
there, up to 1.20; ``config.yaml`` as standard YAML from 1.19 on.
"""

from pathlib import Path
from typing import Final

from explorer.documents.limits import MAX_BYTES
from explorer.documents.loading import read_file
from explorer.documents.readers.kubernetes import flat_options
from explorer.documents.text.yaml_text import read_yaml
from explorer.errors import DocumentError, found_at
from explorer.flink.releases import Release

LINES: Final = "flink-conf.yaml"


def read_conf_folder(folder: str | Path, release: Release) -> dict[str, str]:
    """Read the options in the release's file; raises ``DocumentError`` if it is missing."""
    place = Path(folder)
    names = release.configuration_files
    file = next((place / name for name in names if (place / name).is_file()), None)
    if file is None:
        missing = place / names[-1]
        problem = f"The Flink config file '{missing}' ({missing.absolute()}) does not exist."
        raise DocumentError(str(place), f"{problem} Flink {release.version} reads {names[0]}")
    with found_at(str(file)):
        content = read_file(file)
        if len(content) > MAX_BYTES:
            problem = f"is larger than {MAX_BYTES // 2**20} MB, the most that is read"
            raise DocumentError(path="", problem=problem)
        text = content.decode("utf-8-sig", errors="replace")
        if file.name == LINES:
            return _of_lines(text)
        values = read_yaml(text)
        if values is not None and not isinstance(values, dict):
            raise DocumentError(path="", problem="must hold a mapping of options")
        return flat_options(values, "", empty="Value must not be null.")


def _of_lines(text: str) -> dict[str, str]:
    """``KEY: VALUE`` a line; a comment ends a line anywhere, and other lines are ignored."""
    pairs = (line.partition("#")[0].strip().partition(": ") for line in text.splitlines())
    return {
        key.strip(): value.strip()
        for key, colon, value in pairs
        if colon and key.strip() and value.strip()
    }
