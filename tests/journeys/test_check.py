"""From the findings and fixes of *Check* to a lock file that the shell checks."""

import json
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from tests.checks.pairs import BARE, changed, expecting
from tests.journeys.screen import Screen

MEANT = {
    **expecting(changed(BARE, "out", chaining_strategy="HEAD"), chained=[["count", "out"]]),
    "name": "counts",
    "flink": "1.20",
}


def shell(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command line, as a commit hook would run it."""
    command = [sys.executable, "-m", "explorer", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def saved(screen: Screen, name: str, path: Path) -> None:
    """Press a button that downloads, and keep the file under the name that it has beside others."""
    with screen.page.expect_download() as download:
        screen.page.get_by_role("button", name=name, exact=True).click()
    assert download.value.suggested_filename == path.name
    download.value.save_as(path)


def test_an_unintended_change_is_marked_fixed_locked_and_found(
    screen: Screen, tmp_path: Path
) -> None:
    screen.upload("counts.json", json.dumps(MEANT).encode())
    screen.tab("Check")
    body = screen.page.locator(".st-key-check-body")
    verdict = screen.page.locator(".st-key-check-bar .x-outcome")
    expect(verdict).to_contain_text("1 error")
    screen.show_graphs()
    screen.wait_for("stream", "found('e1') === 'error'")
    assert screen.graph("stream", "found('n1')") is None

    body.get_by_role("button", name="Show", exact=True).first.click()
    screen.wait_for("stream", "picked() === 'e1'")
    body.get_by_text("EX01: why?").click()
    expect(body.get_by_text("The document states that the two share a task")).to_be_visible()
    body.get_by_role("button", name="Remove HEAD from out").click()
    screen.idle()
    expect(verdict).to_contain_text(re.compile("[Nn]othing|warning|note"))
    screen.wait_for("stream", "found('e1') !== 'error'")
    expect(screen.counts).to_contain_text("2 tasks")

    body.get_by_role("button", name="Give count the uid count, and its current ID").first.click()
    screen.idle()
    expect(body.get_by_text("A stateful operator has no uid.")).to_have_count(0)
    document = tmp_path / "counts.yaml"
    saved(screen, "Lock", tmp_path / "counts.yaml.lock")
    screen.page.get_by_role("button", name="Share", exact=True).click()
    saved(screen, "Download YAML", document)
    screen.page.keyboard.press("Escape")
    assert shell("check", document, "--locked").returncode == 0

    renamed = re.sub(r"uid: count, uid_hash: [^,}]+", "uid: counted", document.read_text())
    document.write_text(renamed)
    caught = shell("check", document, "--locked")
    assert caught.returncode == 1
    assert "error LK01: count: 'id: " in caught.stdout
    assert "LK02" not in caught.stdout
