"""How a component's JavaScript and CSS files reach Streamlit, in every kind of installation.

Streamlit itself finds ``components/pyproject.toml`` in a wheel only: an editable install lists no
files, and a checkout is no distribution at all. So the same file is registered here, before a
mount.
"""

import posixpath
import re
import threading
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import streamlit as st
from streamlit.components.v2.bidi_component import ComponentResult
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.components.v2.types import ComponentRenderer

from explorer.locations import browser_folder

_IMPORTED: Final = re.compile(r'^import (?:[^"]+ from )?"([^"]+)";$', re.MULTILINE)
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
        _announce()
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


def served_files(*names: str) -> list[str]:
    """Addresses of files, relative to the page's; what a module imports comes before it.

    ``names``: of each the component and the file, as ``graph/main.js``. The server knows them from
    now on.
    """
    _announce()
    folders = {
        f"{manifest.name}.{component_config.name}": folder
        for manifest, root in _places()
        for component_config in manifest.components
        if (folder := _asset_root(component_config.name, component_config.asset_dir, root))
    }
    result: dict[str, None] = {}

    def visit(address: str) -> None:
        component, _, file = address.partition("/")
        text = (folders[component] / file).read_text(encoding="utf-8")
        for named in _IMPORTED.findall(text):
            imported = posixpath.normpath(posixpath.join(posixpath.dirname(address), named))
            if imported not in result:
                visit(imported)
        result[address] = None

    for name in names:
        visit(f"{_manifest().name}.{name}")
    return [f"./_stcore/bidi-components/{address}" for address in result]


def _announce() -> None:
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
