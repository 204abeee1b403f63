"""Browser code of the library imports none of the page's."""

import re

from explorer.drawing.html.standalone import ASSETS
from explorer.locations import browser_folder


def test_browser_code_of_the_library_imports_its_own_files_only() -> None:
    folder = ASSETS.parent
    imported = {
        (source.parent / re.sub(r"\.\./streamgraph-explorer\.(\w+)/", r"../\1/", name)).resolve()
        for source in folder.rglob("*.js")
        for name in re.findall(
            r'^import .* from "([^"]+)";$', source.read_text("utf-8"), re.MULTILINE
        )
    }

    assert browser_folder() / "shared" / "step.js" in imported
    assert [path for path in imported if not path.is_relative_to(folder)] == []
