"""The tools of ``mcp``: each runs a command of the shell and returns both forms of its result.

The structured content is the record that the command prints as JSON, the text what it prints to a
person, with its notes and warnings: a verdict's text says what was not checked.
"""

import io
import re
import threading
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import version
from typing import Annotated, Any, Final, Literal

import msgspec
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from explorer.cli.agent.confined_files import file_in_folder
from explorer.cli.main import run_command
from explorer.datastream.compiled import compile_graph
from explorer.documents.loading import contents_in_memory
from explorer.errors import ExplorerError, UsageError, own_bug
from explorer.locations import CONSOLE_SCRIPT

MOST_BYTES: Final = 4 * 1024 * 1024
"""Bytes of a record that is sent; a larger one is named in the text with the command for it."""
_INSTRUCTIONS: Final = (
    "Flink's StreamGraph, JobGraph and operator IDs of programs, and whether the state of one "
    "restores into another. A file is a pipeline document (YAML, JSON), a captured program (JSON), "
    "a savepoint or a sample's name as 01-word-count. Repeat to the user what a verdict reports "
    "as not checked."
)

File = Annotated[
    str | None, Field(description="a document or captured program, by its path in the folder")
]
Text = Annotated[
    str | None, Field(description="the text of a document, in place of a file of the folder")
]
Old = Annotated[str, Field(description="a savepoint's folder, an older document or its text")]
New = Annotated[str, Field(description="a document or captured program, its path or its text")]
Operator = Annotated[str, Field(description="an operator, by its id, name or operator ID")]
Baseline = Annotated[
    str | None,
    Field(description="a savepoint's folder, an older document or its text; default: none"),
]
Release = Annotated[
    str | None, Field(description="the Flink release, as 1.20; default: the document's own")
]
OldRelease = Annotated[str | None, Field(description="the Flink release of the older side")]
Matches = Annotated[
    dict[str, str] | None,
    Field(description="operators of the older side by those of the new one that take their state"),
]
SavepointFolder = Annotated[
    str | None, Field(description="a savepoint: its folder, or its file _metadata")
]
Options = Annotated[dict[str, str] | None, Field(description="Flink options by their names")]
Arguments = Mapping[str, Any]

_OUTPUT: Final = threading.Lock()
"""Held while a command prints into memory: the standard streams belong to the process."""


def tool_server() -> MCPServer:
    """The server with all tools, which reads files below the current folder."""
    server = MCPServer(
        CONSOLE_SCRIPT,
        instructions=_INSTRUCTIONS,
        version=version(CONSOLE_SCRIPT),
        log_level="ERROR",
    )
    annotations = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    for name, tool in TOOLS.items():
        server.tool(name=name, annotations=annotations)(tool)
    return server


def compile_program(
    file: File = None,
    document: Text = None,
    flink: Release = None,
    emit: Annotated[
        Literal["all", "stream-graph", "job-graph", "execution-graph", "execution-plan"],
        Field(description="which of the graphs to return"),
    ] = "all",
) -> CallToolResult:
    """Compile a program to StreamGraph, operator IDs and JobGraph, as Flink does."""

    def run(arguments: Arguments) -> CallToolResult:
        record, notes = _printed("compile", arguments)
        return _result("compile", record, str(compile_graph(arguments["file"], flink)) + notes)

    return _answer(run, {"file": file, "document": document, "flink": flink, "emit": emit})


def explain_edge(
    source: Operator,
    target: Operator,
    file: File = None,
    document: Text = None,
    flink: Release = None,
) -> CallToolResult:
    """Explain why the operators of an edge share a task or not, with suggested fixes."""
    edge = f"{source}->{target}"
    return _report("explain", {"file": file, "document": document, "edge": edge, "flink": flink})


def whatis(
    text: Annotated[str, Field(description="an ID, or a whole error message")],
    file: File = None,
    document: Text = None,
    baseline: Baseline = None,
) -> CallToolResult:
    """Find the operator that an operator ID, a vertex ID or an error message of Flink refers to."""
    return _report(
        "whatis", {"text": text, "file": file, "document": document, "baseline": baseline}
    )


def check(
    file: File = None, document: Text = None, baseline: Baseline = None, flink: Release = None
) -> CallToolResult:
    """Find faults of a program before it runs, with suggested fixes that were tried."""
    return _report(
        "check", {"file": file, "document": document, "baseline": baseline, "flink": flink}
    )


def check_state(
    old: Old,
    new: New,
    matches: Matches = None,
    flink: Release = None,
    from_flink: OldRelease = None,
    *,
    allow_non_restored: Annotated[
        bool, Field(description="as Flink's --allowNonRestoredState")
    ] = False,
) -> CallToolResult:
    """Decide whether a new version restores a savepoint, or the state of an older version."""
    return _report(
        "restore",
        {
            "old": old,
            "new": new,
            "match": matches,
            "allow_non_restored": allow_non_restored,
            "flink": flink,
            "from_flink": from_flink,
        },
    )


def plan(
    new: New,
    old: Baseline = None,
    savepoint: SavepointFolder = None,
    matches: Matches = None,
    options: Options = None,
    flink: Release = None,
    from_flink: OldRelease = None,
) -> CallToolResult:
    """Give one verdict before a deploy: state, graph, resources, release and rules."""
    return _report(
        "plan",
        {
            "new": new,
            "old": old,
            "savepoint": savepoint,
            "match": matches,
            "config": options,
            "flink": flink,
            "from_flink": from_flink,
        },
    )


def compare(old: Old, new: Old, matches: Matches = None, flink: Release = None) -> CallToolResult:
    """List what changed between two programs or savepoints: operators, IDs, tasks, settings."""
    return _report("compare", {"old": old, "new": new, "match": matches, "flink": flink})


def resources(
    file: File = None,
    document: Text = None,
    options: Options = None,
    baseline: Baseline = None,
    flink: Release = None,
) -> CallToolResult:
    """Compute memory, slots, channels and network buffers of a program on a cluster."""
    return _report(
        "resources",
        {
            "file": file,
            "document": document,
            "option": options,
            "baseline": baseline,
            "flink": flink,
        },
    )


def draw(
    file: File = None,
    document: Text = None,
    graph: Annotated[
        Literal["stream", "job", "execution"], Field(description="which graph to draw")
    ] = "stream",
    savepoint: SavepointFolder = None,
    flink: Release = None,
) -> CallToolResult:
    """Draw a program's StreamGraph, JobGraph or ExecutionGraph as Mermaid."""

    def run(arguments: Arguments) -> CallToolResult:
        mermaid, notes = _printed("draw", {**arguments, "format": "mermaid"})
        record = msgspec.json.encode({"mermaid": mermaid}).decode()
        return _result("draw", record, mermaid + notes)

    return _answer(
        run,
        {
            "file": file,
            "document": document,
            "graph": graph,
            "savepoint": savepoint,
            "flink": flink,
        },
    )


TOOLS: Final[Mapping[str, Callable[..., CallToolResult]]] = {
    "compile": compile_program,
    "explain_edge": explain_edge,
    "whatis": whatis,
    "check": check,
    "restore": check_state,
    "plan": plan,
    "compare": compare,
    "resources": resources,
    "draw": draw,
}
_FILES: Final = ("file", "new", "old", "baseline", "savepoint")
"""Arguments that name a file or a savepoint."""
_IS_TEXT: Final = re.compile(r"\s*\{|.*\n", re.DOTALL)
"""What the text of a document has, and no file's name."""


def _report(name: str, arguments: Arguments) -> CallToolResult:
    """The result of a command that prints JSON or text."""

    def run(values: Arguments) -> CallToolResult:
        if name == "check":
            values = {**values, "files": [values["file"]]}
        record, _ = _printed(name, {**values, "format": "json"})
        text, notes = _printed(name, {**values, "format": "text"})
        return _result(name, record, text + notes)

    return _answer(run, arguments)


def _answer(run: Callable[[Arguments], CallToolResult], arguments: Arguments) -> CallToolResult:
    """Run a tool; what it refuses is an error of one sentence, as the shell prints it."""
    try:
        values, texts = _named_files(arguments)
        with _OUTPUT, contents_in_memory(texts):
            return run(values)
    except ExplorerError as error:
        sentence = "\n".join(filter(None, (str(error), error.excerpt)))
    except Exception as error:  # noqa: BLE001 - a mistake of ours is one sentence too
        sentence = own_bug(error)
    return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True)


def _named_files(arguments: Arguments) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The arguments with a file's name for each text, and the texts by these names.

    Raises ``UsageError`` for a file that may not be read, and for a program given twice or never.
    """
    values, texts = dict(arguments), dict[str, str]()
    if "document" in values:
        text = values.pop("document")
        if (text is None) == (values["file"] is None):
            msg = "name a file of the folder, or give the text of a document: one of both"
            raise UsageError(msg)
        if text is not None:
            values["file"], texts["<document>"] = "<document>", text
    for key in _FILES:
        value = values.get(key)
        if value is None or value in texts:
            continue
        if _IS_TEXT.match(value):
            values[key], texts[f"<{key}>"] = f"<{key}>", value
        else:
            values[key] = file_in_folder(value)
    return values, {name: text.encode(errors="surrogatepass") for name, text in texts.items()}


def _printed(name: str, values: Arguments) -> tuple[str, str]:
    """What a command prints, and the notes and warnings that it prints beside it."""
    arguments = {
        key: list(value.items()) if isinstance(value, dict) else value
        for key, value in values.items()
        if value is not None
    }
    with redirect_stdout(io.StringIO()) as output, redirect_stderr(io.StringIO()) as notes:
        run_command(name, arguments)
    return output.getvalue(), notes.getvalue()


def _result(name: str, record: str, text: str) -> CallToolResult:
    """Both forms of a result; a list is the member ``result`` of its record."""
    if len(record) > MOST_BYTES:
        text += (
            f"\nThe record has {len(record):,} bytes, and is sent up to {MOST_BYTES:,}: "
            f"{CONSOLE_SCRIPT} {name} prints it."
        )
        values: Any = {}
    else:
        values = msgspec.json.decode(record)
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=values if isinstance(values, dict) else {"result": values},
    )
