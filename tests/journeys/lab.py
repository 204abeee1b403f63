"""A notebook server of our own on loopback, and what a person does in JupyterLab."""

import json
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.patience import PATIENCE

QUIET = (
    "--no-browser",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port_retries=0",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)
"""A server that opens no browser and asks for no password."""
SILENT = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}
}
"""No question about news."""
UNUSED_EXTENSIONS = """
audio csvviewer debugger extensionmanager fileeditor help htmlviewer hub imageviewer inspector json
launcher logconsole lsp markdownviewer mermaid pdf pluginmanager running settingeditor terminal
tooltip vega5 video workspaces
""".split()  # noqa: SIM905 - one name a line would fill a page
"""JupyterLab's own extensions that neither a notebook nor its widgets need."""
PAGE_CONFIG = {
    # A build check would start Node.js and Yarn for each page that is opened.
    "buildCheck": False,
    "disabledExtensions": {
        # It fails without the lsp extension.
        "@jupyterlab/notebook-extension:language-server": True,
        **{f"@jupyterlab/{name}-extension": True for name in UNUSED_EXTENSIONS},
    },
}
SERVER_CONFIG = {
    "ServerApp": {"jpserver_extensions": {"jupyter_lsp": False, "jupyter_server_terminals": False}}
}
"""The server's counterparts of the unused extensions, off too."""
FOLDERS = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")


@contextmanager
def lab_server(folder: Path, port: int) -> Iterator[tuple[subprocess.Popen[bytes], Path, str]]:
    """JupyterLab over a folder; gives the process, its log and the token that it asks for."""
    token, log = secrets.token_hex(16), folder / "server.log"
    settings = folder / "settings"
    options = [f"--ServerApp.port={port}", f"--ServerApp.root_dir={folder}"]
    options.append(f"--LabApp.app_settings_dir={settings}")
    settings.mkdir()
    (settings / "overrides.json").write_text(json.dumps(SILENT), encoding="utf-8")
    config = settings / "jupyter_config_dir"
    (config / "labconfig").mkdir(parents=True)
    for name, content in (
        ("jupyter_server_config.json", SERVER_CONFIG),
        ("labconfig/page_config.json", PAGE_CONFIG),
    ):
        (config / name).write_text(json.dumps(content), encoding="utf-8")
    if os.geteuid() == 0:
        options.append("--allow-root")
    environment = {
        **os.environ,
        **{name: str(settings / name.lower()) for name in FOLDERS},
        "JUPYTER_TOKEN": token,
    }
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *QUIET, *options],
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
        )
    try:
        yield server, log, token
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


def notebook(cells: Sequence[str]) -> str:
    """A notebook's file with these cells, which were never run."""
    made: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "source": code,
            "outputs": [],
            "execution_count": None,
        }
        for number, code in enumerate(cells)
    ]
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    held = {"cells": made, "metadata": {"kernelspec": python}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(held)


class Lab:
    """A notebook that is open in JupyterLab."""

    def __init__(self, page: Page, address: str, token: str) -> None:
        self.page, self.address, self.token = page, address, token
        page.set_default_timeout(PATIENCE * 1000)
        expect.set_options(timeout=PATIENCE * 1000)

    def open(self, name: str) -> None:
        """Open a notebook of the server's folder, alone on the screen, as it was saved."""
        self.page.goto(f"{self.address}/doc/workspaces/auto-t/tree/{name}?reset&token={self.token}")
        expect(self.page.locator(".jp-Notebook .jp-Cell").first).to_be_visible()
        expect(self.page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()

    def run_all(self) -> None:
        """Run every cell, from the kernel's start on."""
        self.command("Run All Cells")
        prompts = self.page.locator(".jp-CodeCell .jp-InputPrompt")
        expect(prompts.last).to_have_text(re.compile(r"^\[[0-9]+\]:$"))

    def command(self, label: str) -> None:
        """Choose a command of the palette."""
        self.page.keyboard.press("Control+Shift+C")
        self.page.locator(".lm-CommandPalette-input").fill(label)
        self.page.locator(".lm-CommandPalette-item.lm-mod-active").click()

    def cell(self, number: int) -> Locator:
        """A cell with what it shows."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(number)

    def run(self, number: int) -> str:
        """Run a cell once more and return what it prints."""
        cell = self.cell(number)
        before = cell.locator(".jp-InputPrompt").inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        expect(cell.locator(".jp-InputPrompt")).not_to_have_text(before)
        expect(cell.locator(".jp-InputPrompt")).not_to_have_text("[*]:")
        found: str = cell.locator(".jp-OutputArea-output").last.inner_text()
        return found.strip()

    def saved(self, folder: Path, name: str) -> dict[str, Any]:
        """Save the notebook and read its file."""
        self.page.keyboard.press("Control+s")
        expect(self.page.locator(".jp-mod-dirty")).to_have_count(0)
        held: dict[str, Any] = json.loads((folder / name).read_text(encoding="utf-8"))
        return held
