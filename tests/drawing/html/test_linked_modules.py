"""Modules that become one text: each called once, in order, and nothing left to fetch."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from explorer.drawing.html.linked_modules import link_modules
from explorer.drawing.html.standalone import ASSETS
from explorer.errors import BrokenInvariantError

FILES = {
    "counter.js": "let count = 0;\nexport function next() {\n  return (count += 1);\n}\n",
    "first.js": 'import { next } from "./counter.js";\n\nexport const FIRST = next();\n',
    "second.js": 'import { next } from "./counter.js";\n\nexport default function second() {\n'
    "  return next();\n}\n",
    "entry.js": 'import { FIRST } from "./first.js";\nimport second from "./second.js";\n'
    "\nexport default function entry() {\n  return [FIRST, second()];\n}\n",
}


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "entry.js"


def test_a_module_that_two_import_is_run_once(browser: Browser, tmp_path: Path) -> None:
    text = link_modules(written(tmp_path, FILES))

    page = browser.new_page()
    found = page.evaluate(
        """async (text) => {
            const file = new Blob([text], { type: "text/javascript" });
            const made = await import(URL.createObjectURL(file));
            return made.default();
        }""",
        text,
    )

    assert found == [1, 2]


@pytest.mark.parametrize(
    "line", ['import "./counter.js";', "export { next };", 'export * from "./counter.js";']
)
def test_a_module_that_cannot_be_linked_is_a_bug_of_ours(line: str, tmp_path: Path) -> None:
    with pytest.raises(BrokenInvariantError, match=re.escape(line)):
        link_modules(written(tmp_path, {**FILES, "entry.js": f"{line}\n"}))


@pytest.mark.parametrize("name", ["page.js", "widget.js"])
def test_our_own_modules_are_whole(name: str) -> None:
    text = link_modules(ASSETS / name)

    assert not re.search(r"^import\b", text, re.MULTILINE)
    assert ("export default" in text) == (name == "widget.js")
    assert link_modules(ASSETS / name) == text
