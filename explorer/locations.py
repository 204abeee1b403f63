"""Locations of the page, the samples and shared browser code, in a checkout and a wheel; of Java.

A wheel may add the names ``explorer`` and ``components`` only, so it carries ``app.py`` within
``components`` and ``sample_graphs`` within ``explorer``, as in pyproject.toml. ``app.py`` has a
folder of its own there: Streamlit puts the script's folder on the path of modules. A path of rows
may also be the URL of a storage.
"""

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
PARENT: Final = HERE.parent


CONSOLE_SCRIPT: Final = "streamgraph-explorer"
"""Name of the distribution and of the program that installing it puts on the PATH."""
PROGRAM: Final = (
    CONSOLE_SCRIPT
    if sys.argv and Path(sys.argv[0]).stem == CONSOLE_SCRIPT
    else "python -m explorer"
)
"""The command line as it was called in this process: hints begin with it."""
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
"""Names of this machine for itself, under which a page always answers."""
PLAYGROUND_VARIABLE: Final = "STREAMGRAPH_EXPLORER_PLAYGROUND"
"""The environment variable with the address of a playground, to which the page makes links."""
PUBLIC_VARIABLE: Final = "STREAMGRAPH_EXPLORER_PUBLIC"
"""The environment variable that makes the page a public one: 1."""
BASELINE_VARIABLE: Final = "STREAMGRAPH_EXPLORER_BASELINE"
"""The environment variable that names the page's default baseline, set by its host."""
BASELINE_RELEASE_VARIABLE: Final = "STREAMGRAPH_EXPLORER_BASELINE_RELEASE"
"""The environment variable with the release of that baseline; unset: the one that it names."""


def app_file() -> Path:
    """The page's entry script, for ``streamlit run``.

    >>> app_file().name
    'app.py'
    """
    return _first(PARENT / "components" / "entry" / "app.py", PARENT / "app.py")


def sample_folder() -> Path:
    """The folder of the sample pipelines and their input data.

    >>> sample_folder().name
    'sample_graphs'
    """
    return _first(HERE / "sample_graphs", PARENT / "sample_graphs")


def browser_folder() -> Path:
    """The folder of the browser code that the page shares with the notebook's widget.

    >>> browser_folder().name
    'browser'
    """
    return HERE / "drawing" / "browser"


def cache_folder() -> Path:
    """The folder for what is made or downloaded once, below the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "streamgraph-explorer"


def java_program() -> tuple[str, str]:
    """The Java that a process starts: its path, or '' and then in a few words what is missing."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is not None and Path(java).is_file():
        return java, ""
    return "", f"JAVA_HOME is {home!r}, and has no bin/java" if home else "no java is on the PATH"


def _first(installed: Path, in_checkout: Path) -> Path:
    """The installed place if it exists; its neighbour may belong to another package."""
    return installed if installed.exists() else in_checkout


_URL: Final = re.compile(r"(file:///|(hdfs|viewfs|s3a?|gs|abfss?)://[^/])", re.IGNORECASE)


def is_url(path: str) -> bool:
    """Whether a path is a URL of a storage that Hadoop's file systems know.

    >>> is_url("s3a://bucket/a.csv"), is_url("file:///a.csv"), is_url("http://host/a.csv")
    (True, True, False)
    """
    return _URL.match(path) is not None


_LOCAL: Final = re.compile(r"file:(?://(?:localhost)?)?(/.*)", re.IGNORECASE)


def local_path(place: str | Path) -> str:
    """The path of a ``file:`` URI as Flink writes it; any other text unchanged.

    >>> local_path("file:/sp-1"), local_path("file:///my%20sp"), local_path("s3://b/sp")
    ('/sp-1', '/my sp', 's3://b/sp')
    """
    from urllib.parse import unquote

    match = _LOCAL.fullmatch(str(place))
    return unquote(match[1]) if match else str(place)
