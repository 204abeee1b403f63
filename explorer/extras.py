"""Optional libraries: which extra of this distribution installs a library that is missing.

``pip install streamgraph-explorer`` installs the compiler alone; pyproject.toml lists the extras.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Final

from explorer.errors import USAGE, ExplorerError
from explorer.locations import CONSOLE_SCRIPT, PARENT

BASE: Final = ("mmh3", "msgspec", "yaml", "sqlglot")
"""Modules that the base install has."""
EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "trial": ("numpy", "pandas", "pyarrow", "pyspark", "rich"),
    "capture": ("py4j",),
    "graphs": ("networkx", "pyvis"),
    "page": ("streamlit", "vl_convert"),
    "notebook": ("anywidget",),
    "agent": ("mcp",),
    "completion": ("shtab",),
}
"""Modules that each extra installs on every system, by extra."""


class MissingLibraryError(ExplorerError, ImportError):
    """An optional library is not installed; the message names the extra that installs it."""

    exit_code = USAGE

    def __init__(self, library: str, extra: str) -> None:
        self.library, self.extra = library, extra
        super().__init__(
            f"this needs the library {library}, which is not installed: {install_line(extra)}"
        )


def install_line(extra: str) -> str:
    """The shell's line that adds an extra, to this installation as pip or pipx made it."""
    command = "pip install"
    if (Path(sys.prefix) / "pipx_metadata.json").is_file():
        command = "pipx install --force"
    return f"{command} {_requirement(extra)}"


def _requirement(extra: str) -> str:
    """This distribution with an extra, from the folder, file or repository that it came from."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    try:
        text = distribution(CONSOLE_SCRIPT).read_text("direct_url.json")
    except PackageNotFoundError:  # a checkout that is not installed
        return quote(f"{PARENT}[{extra}]")
    origin = json.loads(text or "{}")
    url = urlsplit(origin.get("url", ""))
    if "vcs_info" in origin:
        return quote(f"{CONSOLE_SCRIPT}[{extra}] @ {origin['vcs_info']['vcs']}+{origin['url']}")
    path = unquote(url.path)
    if url.scheme != "file" or not Path(path).exists():
        return quote(f"{CONSOLE_SCRIPT}[{extra}]")
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    return editable + quote(f"{path}[{extra}]")


def missing_library(error: ModuleNotFoundError, extra: str = "") -> MissingLibraryError | None:
    """Return the error for a missing optional library; None for any other module.

    ``extra``: the extra to name instead of the first one that installs the library.

    >>> missing_library(ModuleNotFoundError(name="pyspark")).extra
    'trial'
    >>> missing_library(ModuleNotFoundError(name="explorer.nothing")) is None
    True
    """
    library = (error.name or "").partition(".")[0]
    extras = [extra for extra, libraries in EXTRAS.items() if library in libraries]
    return MissingLibraryError(library, extra or extras[0]) if extras else None


@contextmanager
def optional_libraries(extra: str = "") -> Iterator[None]:
    """Convert the import error of an optional library into a ``MissingLibraryError``.

    ``extra``: the extra that the caller needs, where that installs more than the library.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = missing_library(error, extra)
        if missing is None:
            raise
        raise missing from None


def require(extra: str) -> None:
    """Raise ``MissingLibraryError`` for the first module of an extra that is not installed."""
    from importlib.util import find_spec

    for library in EXTRAS[extra]:
        if find_spec(library) is None:
            raise MissingLibraryError(library, extra)
