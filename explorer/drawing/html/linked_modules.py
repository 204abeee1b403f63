"""Several JavaScript modules as one text, for a file, a notebook or a server.

The first two cannot fetch a second file, and from a server a browser fetches six at a time. Each
module becomes a function that is called once, in the order in which a browser would run them, and
returns what it exports. That is all that our own modules need: imports by name, of the default or
as one object, one a line, and exports at a declaration; a bundle ends with a list of its exports.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from explorer.errors import BrokenInvariantError

_IMPORT: Final = re.compile(
    r'^import (?:(\w+)|\{([\w\s,]+)\}|\* as (\w+)) from "([^"]+)";\n', re.MULTILINE
)
_EXPORT: Final = re.compile(
    r"^export (default )?(?=(?:async )?(?:function|const) (\w+))", re.MULTILINE
)
_EXPORT_LIST: Final = re.compile(r"\bexport ?\{((?:[\w$]+ as [\w$]+,?)+)\};\s*\Z")
"""The end of a bundle: local names, each with the name that it has outside."""
_UNLINKED: Final = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_SERVED: Final = re.compile(r"\.\./streamgraph-explorer\.(\w+)/")
"""Address of another component's files on the page."""

Folders = Mapping[str, Path]
"""Of the components' files, by component; one that is missing is the sibling of the importer's."""


@cache
def link_modules(entry: Path) -> str:
    """The module at ``entry`` and all that it imports, as one module with the same exports.

    Raises ``BrokenInvariantError`` where a file of ours imports or exports in another form.
    """
    return link_served(entry, {}, {})


def link_served(entry: Path, folders: Folders, apart: Mapping[Path, str]) -> str:
    """Link the module at ``entry`` and what it imports, but for the modules ``apart``.

    These remain files, each imported from its address: a module that others import as well must run
    once, since it has a state.
    """
    sources = imported_modules(entry, folders)
    order = [*sources]
    text = "".join(
        f'import * as m{number} from "{apart[path]}";\n'
        if path in apart
        else f"const m{number} = (() => {{\n{_wrap_module(source, path, order, folders)}}})();\n"
        for number, (path, source) in enumerate(sources.items())
    )
    return text + _exports(sources[order[-1]], f"m{len(order) - 1}")


def imported_modules(entry: Path, folders: Folders) -> dict[Path, str]:
    """The sources of a module and of all that it imports, each after those that it imports."""
    sources: dict[Path, str] = {}

    def visit(path: Path) -> None:
        if path not in sources:
            source = path.read_text(encoding="utf-8")
            for match in _IMPORT.finditer(source):
                visit(_target(path, match[4], folders))
            sources[path] = source

    visit(entry.resolve())
    return sources


def _target(importer: Path, named: str, folders: Folders) -> Path:
    if served := _SERVED.match(named):
        folder = folders.get(served[1], importer.parents[1] / served[1])
        return (folder / named[served.end() :]).resolve()
    return (importer.parent / named).resolve()


def _exports(source: str, module: str) -> str:
    """Return what exports the same as this source, of which ``module`` has the exports."""
    return "".join(
        f"export default {module}.default;\n"
        if default
        else f"export const {{ {name} }} = {module};\n"
        for default, name in _EXPORT.findall(source)
    )


def _wrap_module(source: str, path: Path, order: list[Path], folders: Folders) -> str:
    """Return a module as the body of a function that returns what it exports."""

    def bind_import(match: re.Match[str]) -> str:
        names = f"{{ default: {match[1]} }}" if match[1] else f"{{ {match[2]} }}"
        number = order.index(_target(path, match[4], folders))
        return f"const {match[3] or names} = m{number};\n"

    exports = [f"default: {name}" if default else name for default, name in _EXPORT.findall(source)]
    body = _EXPORT.sub("", _IMPORT.sub(bind_import, source))
    if bundled := _EXPORT_LIST.search(body):
        pairs = (pair.split(" as ") for pair in bundled[1].split(","))
        exports += [f"{outer.strip()}: {local.strip()}" for local, outer in pairs]
        body = body[: bundled.start()]
    if unlinked := _UNLINKED.search(body):
        msg = f"{path.name}: {unlinked[0]!r} is no import or export that can be linked"
        raise BrokenInvariantError(msg)
    return f"{body.rstrip()}\nreturn {{ {', '.join(exports)} }};\n"
