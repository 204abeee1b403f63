"""Builds the playground: ``python -m reference.playground.building [FOLDER]``, default ``build``.

``playground/index.html`` is for a static server and reads its files from beside it;
``explorer.html`` holds everything and opens from a folder, without a network.
"""

import base64
import gzip
import io
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from explorer.document_schemas import document_schema
from explorer.drawing.html.linked_modules import link_modules
from explorer.drawing.html.widget_scene import widget_styles
from explorer.drawing.svg.palette import properties
from explorer.drawing.svg.svg_style import MONO, SANS
from explorer.errors import ExplorerError, UsageError
from explorer.locations import browser_folder, sample_folder
from explorer.playground.page_kernel import Kernel, sample_menu
from reference.playground.parts import ROOT, msgspec_files, pyodide_folder, yaml_files

HERE: Final = Path(__file__).parent
BROWSER: Final = browser_folder() / "playground"
LARGEST_FILE: Final = 10_000_000
"""Bytes of the one file at most, so that it can be sent by mail."""
ELSEWHERE: Final = (
    "capture",
    "cli",
    "datastream/widget.py",
    "engine",
    "rehearsal",
    "rest",
    "sandbox",
    "targets",
)
"""Parts of ``explorer`` that the kernel never imports; a contract in pyproject.toml holds it."""
UNUSED: Final = (
    "_android_support.py", "_apple_support.py", "_ios_support.py", "_osx_support.py",
    "_pydatetime.py", "_pyio.py", "_pyrepl", "asyncio/__main__.py", "asyncio/proactor_events.py",
    "asyncio/tools.py", "asyncio/windows_events.py", "asyncio/windows_utils.py", "bdb.py",
    "cProfile.py", "cmd.py", "colorsys.py", "compileall.py", "concurrent/futures/process.py",
    "concurrent/interpreters", "configparser.py", "ctypes/_aix.py", "ctypes/macholib",
    "ctypes/wintypes.py", "doctest.py", "email", "filecmp.py", "fileinput.py", "ftplib.py", "http",
    "imaplib.py", "json/tool.py", "logging/config.py", "logging/handlers.py", "mailbox.py",
    "modulefinder.py", "multiprocessing", "netrc.py", "optparse.py", "pdb.py", "pickletools.py",
    "plistlib.py", "poplib.py", "profile.py", "pstats.py", "pty.py", "pyclbr.py", "pydoc.py",
    "rlcompleter.py", "sched.py", "shelve.py", "smtplib.py", "socketserver.py", "sqlite3",
    "sysconfig/__main__.py", "tabnanny.py", "tarfile.py", "timeit.py", "trace.py", "unittest",
    "urllib/robotparser.py", "wave.py", "webbrowser.py", "wsgiref", "xml", "xmlrpc", "zipapp.py",
)  # fmt: skip
"""Parts of Python's library that neither the explorer nor Pyodide's start imports."""
ENCODINGS: Final = (
    "__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "raw_unicode_escape",
    "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_8", "utf_8_sig",
)  # fmt: skip
"""The encodings that are used or recognised, of Python's many."""
PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
SECONDS: Final = 300
"""How long Node may compile the modules."""


def build(folder: Path) -> Iterator[Path]:
    """Write the static folder and the one file; yield their paths."""
    files = packed_files()
    page = Page()
    static = folder / "playground"
    shutil.rmtree(static, ignore_errors=True)
    static.mkdir(parents=True)
    for name, content in files.items():
        (static / f"{name}.bin").write_bytes(content)
    index = static / "index.html"
    index.write_text(page.text({name: f"{name}.bin" for name in files}), encoding="utf-8")
    yield index
    whole = folder / "explorer.html"
    whole.write_text(page.text(files), encoding="utf-8")
    if whole.stat().st_size > LARGEST_FILE:
        msg = f"{whole} has {whole.stat().st_size:,} bytes; {LARGEST_FILE:,} are allowed"
        raise UsageError(msg)
    yield whole


def packed_files() -> dict[str, bytes]:
    """The files that the worker needs, each compressed with gzip."""
    pyodide = pyodide_folder()
    files = {name: (pyodide / name).read_bytes() for name in PYODIDE}
    sources = {
        "python_stdlib.zip": python_library(pyodide / "python_stdlib.zip"),
        "explorer.zip": explorer_files(),
    }
    files |= compiled_archives(pyodide, sources)
    # The level 9 takes half as long again, for 0.2 % of the size.
    return {name: gzip.compress(content, 8, mtime=0) for name, content in files.items()}


def compiled_archives(
    pyodide: Path, sources: Mapping[str, Mapping[str, bytes]]
) -> dict[str, bytes]:
    """By name, an uncompressed archive with bytecode for the modules that a start imports."""
    node = shutil.which("node")
    if node is None:
        msg = "node is missing: run 'make playground', which installs it on Debian"
        raise UsageError(msg)
    with tempfile.TemporaryDirectory() as temporary:
        for name, members in sources.items():
            (Path(temporary) / name).write_bytes(zipped(members))
        result = subprocess.run(  # noqa: S603 - our own script
            [node, HERE / "bytecode.mjs", pyodide, *sources],
            cwd=temporary,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        if result.returncode:
            msg = f"node could not compile the modules: {result.stderr[-500:]}"
            raise ExplorerError(msg)
        return {name: (Path(temporary) / name).read_bytes() for name in sources}


def python_library(archive: Path) -> dict[str, bytes]:
    """The files of Python's library, by their paths, without those that are never imported."""
    with ZipFile(archive) as library:
        return {
            info.filename: library.read(info)
            for info in library.infolist()
            if not info.is_dir() and _is_imported(info.filename)
        }


def _is_imported(name: str) -> bool:
    if name.startswith("encodings/"):
        return Path(name).stem in ENCODINGS
    return not _is_below(name, UNUSED)


def explorer_files() -> dict[str, bytes]:
    """The kernel's modules, its libraries and the samples, by their paths in the archive."""
    package = ROOT / "explorer"
    modules = {
        f"explorer/{path.relative_to(package).as_posix()}": path.read_bytes()
        for path in package.rglob("*")
        if path.is_file()
        and path.suffix != ".pyc"
        and not _is_below(path.relative_to(package).as_posix(), (*ELSEWHERE, *_BUNDLED))
    }
    samples = {
        f"sample_graphs/{path.name}": path.read_bytes()
        for path in sample_folder().iterdir()
        if path.suffix in {".yaml", ".json"}
    }
    murmur = {"mmh3.py": (package / "playground" / "murmur.py").read_bytes()}
    return {**modules, **samples, **murmur, **yaml_files(), **msgspec_files()}


_BUNDLED: Final = ("drawing/browser/editor", "drawing/browser/playground", "document_schemas.py")
"""What the page itself has already."""


def _is_below(name: str, places: tuple[str, ...]) -> bool:
    return any(name == place or name.startswith(f"{place}/") for place in places)


def zipped(members: Mapping[str, bytes]) -> bytes:
    """An uncompressed archive, the same for the same members."""
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_STORED) as archive:
        for name, member in members.items():
            archive.writestr(ZipInfo(name), member)
    return content.getvalue()


class Page:
    """The page with its programs, its style and its first drawing, without the worker's files."""

    def __init__(self) -> None:
        self._body = _read(BROWSER / "index.html")
        self._style = "\n".join(
            (
                f":root{{--sans:{SANS};--mono:{MONO};{properties('--')};{properties('--x-')}}}",
                _read(BROWSER / "main.css"),
                f"#text{{{_read(BROWSER.parent / 'editor' / 'main.css')}}}",
            )
        )
        self._script = link_modules(BROWSER / "main.js")
        self._prepared = _json(prepared())

    def text(self, files: Mapping[str, bytes | str]) -> str:
        """The page; ``files``: by name, compressed bytes, or their address beside the page."""
        digest = base64.b64encode(sha256(self._script.encode()).digest()).decode()
        beside = " 'self'" if any(isinstance(content, str) for content in files.values()) else ""
        policy = (
            f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; worker-src blob:; "
            f"script-src 'sha256-{digest}' blob: 'wasm-unsafe-eval'; "
            f"connect-src data: blob:{beside}"
        )
        lines = [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            "<title>StreamGraph Explorer</title>",
            f"<style>\n{self._style}</style></head><body>",
            self._body,
            f'<script type="application/json" id="prepared">{self._prepared}</script>',
            *(_file_element(name, content) for name, content in files.items()),
            f'<script type="module">{self._script}</script></body></html>',
        ]
        return "\n".join(lines) + "\n"


def prepared() -> dict[str, Any]:
    """What the page has before Python starts: its first answer, menus, styles and the worker."""
    lock = json.loads((pyodide_folder() / "pyodide-lock.json").read_bytes())
    return {
        "first": Kernel().answer({"do": "traits", "values": {}}),
        "samples": sample_menu(),
        "schema": document_schema("pipeline"),
        "sheets": f"{widget_styles()}\n{_read(BROWSER / 'widget.css')}",
        "lock": json.dumps({**lock, "packages": {}}),
        "script": link_modules(BROWSER / "worker.js"),
    }


def _file_element(name: str, content: bytes | str) -> str:
    if isinstance(content, str):
        return f'<script type="text/plain" data-file="{name}" data-url="{content}"></script>'
    packed = base64.b85encode(content).decode().replace("<", ",")
    return (
        f'<script type="text/plain" data-file="{name}" data-size="{len(content)}">{packed}</script>'
    )


def _json(value: object) -> str:
    """Return JSON in which nothing can end the element that holds it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Build, and print the path and the size of each page."""
    try:
        for page in build(Path(arguments[0]) if arguments else ROOT / "build"):
            beside = page.parent.iterdir() if page.name == "index.html" else [page]
            size = sum(path.stat().st_size for path in beside)
            sys.stdout.write(f"{page}  {size / 1e6:.1f} MB\n")
    except ExplorerError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
