"""How a component's JavaScript and CSS files reach Streamlit, in every kind of installation.

Streamlit itself finds ``components/pyproject.toml`` in a wheel only: an editable install lists no
files, and a checkout is no distribution at all. So the same file is registered here, before a
mount.
"""

import threading
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import streamlit as st
from streamlit.components.v2.bidi_component import ComponentResult
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.components.v2.types import ComponentRenderer

from explorer.drawing.html.linked_modules import imported_modules, link_served
from explorer.locations import browser_folder

ROOT: Final = Path(__file__).resolve().parents[1]
SHARED: Final = tuple(
    ComponentConfig(name=name, asset_dir=name)
    for name in ("shared", "board", "stepper", "lesson", "editor")
)
"""Browser code that the notebook's widget has too: folders of ``browser_folder()``."""
_registering: Final = threading.Lock()
"""Held while files are registered: a visitor who comes meanwhile would find the first alone."""


def packaged_component(
    name: str, *, js: str, css: str | None = None, isolated: bool = True
) -> ComponentRenderer:
    """Make the mounting command of the component ``name``, with the files ``js`` and ``css``.

    ``isolated``: it has a tree of its own, which the page's style and its searches do not reach.

    Its ``data`` reaches the browser as a text in JSON, which ``mounted.js`` parses.

    It may be called at import time: nothing is registered before the first mount, since there is no
    server yet, and each server (each AppTest is one) learns of the files at its own first mount.
    """

    @cache
    def register() -> ComponentRenderer:
        qualified = f"{_manifest().name}.{name}"
        return st.components.v2.component(qualified, js=js, css=css, isolate_styles=isolated)

    def mount(*, data: Any = None, **arguments: Any) -> ComponentResult:
        announce()
        # As one text: Streamlit would write a mapping as JSON twice, once for its identity.
        text = msgspec.json.encode(data).decode()
        return register()(data=text, **arguments)

    return mount


@cache
def _manifest() -> ComponentManifest:
    read = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rows = read["tool"]["streamlit"]["component"]["components"]
    project = read["project"]
    return ComponentManifest(
        name=project["name"],
        version=project["version"],
        components=[ComponentConfig.from_dict(row) for row in rows],
    )


@cache
def _places() -> tuple[tuple[ComponentManifest, Path], ...]:
    """Return the folders of the page's files, and of those shared with the widget."""
    manifest = _manifest()
    shared = ComponentManifest(
        name=manifest.name,
        version=manifest.version,
        components=[*SHARED],
    )
    return (manifest, ROOT), (shared, browser_folder())


class LinkedFile(NamedTuple):
    """The main module of a component, as one file with the modules that no other one imports."""

    text: str
    imports: tuple[str, ...]
    """Addresses of the others, each after those that it imports."""


def served_at(file: str) -> str:
    """Return the address of a component's file, as ``graph/main.js``, relative to the page's."""
    return f"./_stcore/bidi-components/{_manifest().name}.{file}"


@cache
def linked_file(component: str) -> LinkedFile:
    """Link the main module of a component."""
    folders = _folders()
    names = {folder: name for name, folder in folders.items()}
    entries = {name: folder / "main.js" for name, folder in folders.items()}
    entry = entries.pop(component)
    others = [imported_modules(main, folders) for main in entries.values() if main.exists()]
    apart = {
        path: f"{names[path.parent]}/{path.name}"
        for path in imported_modules(entry, folders)
        if any(path in modules for modules in others)
    }
    imported = {path: f"../{_manifest().name}.{file}" for path, file in apart.items()}
    return LinkedFile(
        link_served(entry, folders, imported), tuple(served_at(file) for file in apart.values())
    )


@cache
def _folders() -> dict[str, Path]:
    """Return the folder of each component's files."""
    return {
        component.name: folder.resolve()
        for manifest, root in _places()
        for component in manifest.components
        if (folder := _asset_root(component.name, component.asset_dir, root))
    }


def announce() -> None:
    """Register the files with the running server, unless it knows these very places.

    A manifest's components are registered together, so its first one answers for all.
    """
    manager = get_bidi_component_manager()
    with _registering:
        for manifest, root in _places():
            component = manifest.components[0]
            path = manager.get_component_asset_root(f"{manifest.name}.{component.name}")
            if path != _asset_root(component.name, component.asset_dir, root):
                manager.register_from_manifest(manifest, root)


@cache
def _asset_root(name: str, asset_dir: str | None, root: Path) -> Path | None:
    """Return the folder of a component's files; looked up once, since every mount asks."""
    return ComponentConfig(name=name, asset_dir=asset_dir).resolve_asset_root(root)
