"""Run a notebook's cells in order, in a shell of their own, as a notebook's kernel does.

``python -m tests.notebooks FILE`` prints the outputs by cell as JSON; with ``--write`` it puts them
into the file, without the page of a graph: what shows notebooks on the web drops frames. The model
of a widget ends with its kernel, so the file has its drawing, and how to get the widget.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

Output = dict[str, Any]
KEPT: Final = ("text/plain", "image/svg+xml")
"""Kinds of output that the file holds."""


def sources(notebook: dict[str, Any]) -> Iterator[str]:
    """The code of a notebook, cell by cell."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(cell["source"])


def outputs(codes: Iterator[str]) -> Iterator[list[Output]]:
    """What each cell prints, then what it shows; raises what a cell raises."""
    os.environ["IPYTHONDIR"] = tempfile.mkdtemp()
    from IPython.core.displayhook import DisplayHook
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from traitlets.config import Config

    class Silent(DisplayHook):
        """Keeps the result and prints nothing."""

        def write_output_prompt(self) -> None: ...

        def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None: ...

    config = Config({"HistoryManager": {"enabled": False}})
    make_shell: Any = InteractiveShell
    shell = make_shell.instance(config=config, displayhook_class=Silent)
    for code in codes:
        with capture_output() as captured:
            done = shell.run_cell(code)
        done.raise_error()
        yield list(_shown(shell, captured.stdout, done.result))


def _shown(shell: Any, printed: str, result: object) -> Iterator[Output]:
    if printed:
        yield {"output_type": "stream", "name": "stdout", "text": printed}
    if result is None:
        return
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        data, metadata = shell.display_formatter.format(result)
    for shown in captured.outputs:  # A widget displays itself.
        yield {"output_type": "display_data", "data": shown.data, "metadata": shown.metadata}
    if data:
        yield {"output_type": "execute_result", "data": data, "metadata": metadata}


def written(notebook: dict[str, Any], found: list[list[Output]]) -> dict[str, Any]:
    """The notebook with these outputs."""
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for count, (cell, shown) in enumerate(zip(codes, found, strict=True), start=1):
        cell["execution_count"] = count
        cell["outputs"] = [_stored(output, count) for output in shown]
    return notebook


def _stored(output: Output, count: int) -> Output:
    if output["output_type"] == "stream":
        return {**output, "text": output["text"].splitlines(keepends=True)}
    data = {
        kind: text.splitlines(keepends=True)
        for kind, text in output["data"].items()
        if kind in KEPT
    }
    numbered = {"execution_count": count} if output["output_type"] == "execute_result" else {}
    return {**output, "data": data, **numbered}


def main() -> None:
    """Run the notebook that the command line names."""
    parser = argparse.ArgumentParser(description="run a notebook")
    parser.add_argument("file", type=Path)
    parser.add_argument("--write", action="store_true", help="put the outputs into the file")
    options = parser.parse_args()
    notebook = json.loads(options.file.read_text(encoding="utf-8"))
    found = list(outputs(sources(notebook)))
    if options.write:
        text = json.dumps(written(notebook, found), ensure_ascii=False, indent=1)
        options.file.write_text(text + "\n", encoding="utf-8")
    else:
        json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
