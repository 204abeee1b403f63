"""The line that adds an extra names what this installation came from."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from explorer.extras import install_line
from explorer.locations import PARENT


def _installed_from(origin: dict[str, Any] | None, folder: Path) -> None:
    """Write the metadata that pip writes."""
    metadata = folder / "streamgraph_explorer-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: streamgraph-explorer\nVersion: 1\n")
    if origin is not None:
        (metadata / "direct_url.json").write_text(json.dumps(origin))


@pytest.mark.parametrize(
    ("origin", "line"),
    [
        (None, "'streamgraph-explorer[page]'"),
        ({"url": "file://HERE", "dir_info": {}}, "'HERE[page]'"),
        ({"url": "file://HERE", "dir_info": {"editable": True}}, "-e 'HERE[page]'"),
        ({"url": "file://HERE/gone.whl", "archive_info": {}}, "'streamgraph-explorer[page]'"),
        (
            {"url": "https://host/it.git", "vcs_info": {"vcs": "git"}},
            "'streamgraph-explorer[page] @ git+https://host/it.git'",
        ),
        ({"url": "https://host/it.whl", "archive_info": {}}, "'streamgraph-explorer[page]'"),
    ],
)
def test_an_extra_is_added_from_where_the_package_came(
    origin: dict[str, Any] | None, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "a folder"
    here.mkdir()
    if origin is not None:
        origin = {**origin, "url": origin["url"].replace("HERE", here.as_uri()[len("file://") :])}
    _installed_from(origin, tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    assert install_line("page") == f"pip install {line.replace('HERE', str(here))}"


def test_pipx_adds_it_to_its_own_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _installed_from(None, tmp_path)
    (tmp_path / "pipx_metadata.json").write_text("{}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))

    assert install_line("page") == "pipx install --force 'streamgraph-explorer[page]'"


def test_a_checkout_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])

    assert install_line("page") == f"pip install '{PARENT}[page]'"
