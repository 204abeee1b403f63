"""Several JavaScript modules as one text, for a page or a notebook.

Neither can fetch a second file. Each module becomes a function that is called once, in the order in
which a browser would run them, and returns what it exports. That is all that our own modules need:
imports by name, of the default or as one object, one a line, and exports at a declaration; a bundle
ends with a list of its exports.
"""

import re
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
"""Address of another component's files on the page; here it is the sibling folder."""


@cache
def link_modules(entry: Path) -> str:
    """The module at ``entry`` and all that it imports, as one module with its default export.

    Raises ``BrokenInvariantError`` where a file of ours imports or exports in another form.
    """
    order: dict[Path, str] = {}
    _visit(entry.resolve(), order)
    text = "".join(
        f"const m{number} = (() => {{\n{_wrap_module(source, path, list(order))}}})();\n"
        for number, (path, source) in enumerate(order.items())
    )
    exports = "export default" in order[entry.resolve()]
    return f"{text}export default m{len(order) - 1}.default;\n" if exports else text


def _visit(path: Path, order: dict[Path, str]) -> None:
    """Add a module after the modules that it imports."""
    if path in order:
        return
    source = path.read_text(encoding="utf-8")
    for match in _IMPORT.finditer(source):
        _visit(_target(path, match[4]), order)
    order[path] = source


def _target(importer: Path, named: str) -> Path:
    relative = _SERVED.sub(r"../\1/", named)
    return (importer.parent / relative).resolve()


def _wrap_module(source: str, path: Path, order: list[Path]) -> str:
    """Return a module as the body of a function that returns what it exports."""

    def bind_import(match: re.Match[str]) -> str:
        names = f"{{ default: {match[1]} }}" if match[1] else f"{{ {match[2]} }}"
        return f"const {match[3] or names} = m{order.index(_target(path, match[4]))};\n"

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
