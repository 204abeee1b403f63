"""``compile`` and ``draw``: what Flink makes of a document, as JSON or as a picture."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

from explorer.cli.command import (
    DOCUMENT,
    argument,
    command,
    document_at,
    formats,
    note_scheduler,
    print_json,
    print_text,
    say_check,
    warn,
)
from explorer.cli.inputs.target_arguments import target_options
from explorer.datastream.compiled import CompiledGraph, compile_graph
from explorer.documents.text.writing import write_file
from explorer.errors import UsageError
from explorer.explain.flink_check import FlinkCheck, check_against_flink
from explorer.flink.json_members import execution_graph_members


def _members(compiled_graph: CompiledGraph, *names: str) -> dict[str, Any]:
    members = compiled_graph.to_dict()
    return {name: members[name] for name in names}


_EMITS: Final[dict[str, Callable[[CompiledGraph], Any]]] = {
    "all": lambda compiled_graph: compiled_graph.to_dict(),
    "stream-graph": lambda compiled_graph: _members(compiled_graph, "stream_graph"),
    "job-graph": lambda compiled_graph: _members(
        compiled_graph, "job_graph", "adaptive_job_graph", "selected"
    ),
    "execution-graph": lambda compiled_graph: execution_graph_members(
        compiled_graph.execution_graph
    ),
    "execution-plan": lambda compiled_graph: compiled_graph.to_dict()["execution_plan"],
}
"""By what is asked for, the members to print."""

_Draw: TypeAlias = Callable[[CompiledGraph, argparse.Namespace], str]
_FORMATS: Final[dict[str, _Draw]] = {
    "svg": lambda compiled, args: compiled.to_svg(
        args.graph or "both", savepoint=args.savepoint, direction=args.direction
    ),
    "html": lambda compiled, args: compiled.to_html(
        graph=args.graph or "both", savepoint=args.savepoint
    ),
    "mermaid": lambda compiled, args: compiled.to_mermaid(
        graph=args.graph or "stream", savepoint=args.savepoint
    ),
    "dot": lambda compiled, args: compiled.to_dot(
        graph=args.graph or "stream", savepoint=args.savepoint
    ),
}
"""By name, what draws the graph of a command's arguments; None is what the format draws by default.
"""


def _compile_target(args: argparse.Namespace) -> tuple[CompiledGraph, FlinkCheck | None]:
    """The compilation, and whether it is Flink's own of a captured program."""
    document = document_at(args.file, target_options(args))
    compiled_graph = compile_graph(document, args.flink)
    warn(compiled_graph.warnings)
    note_scheduler(compiled_graph)
    return compiled_graph, check_against_flink(compiled_graph, document)


@command(
    "compile",
    *DOCUMENT,
    argument("--emit", choices=list(_EMITS), default="all", help="what to print"),
    formats("json"),
)
def _compile(args: argparse.Namespace) -> None:
    compiled_graph, check = _compile_target(args)
    members = _EMITS[args.emit](compiled_graph)
    if check is not None and args.emit == "all":
        members |= {"equals_flink": check.equal, "differs_from_flink": list(check.differences)}
    print_json(members)
    say_check(check)


@command(
    "draw",
    *DOCUMENT,
    formats(*_FORMATS),
    argument(
        "--graph",
        choices=["both", "stream", "job", "execution"],
        help="default: both StreamGraph and JobGraph; for Mermaid and DOT, the StreamGraph",
    ),
    argument(
        "--savepoint",
        metavar="PATH",
        help="also draw the bytes of its state at the operators and tasks that get it",
    ),
    argument(
        "--direction",
        choices=["down", "right"],
        default="down",
        help="in SVG, where the edges of StreamGraph and JobGraph point; default: down",
    ),
    argument("--out", metavar="FILE", help="write to a file instead of stdout"),
)
def _draw(args: argparse.Namespace) -> None:
    if args.direction != "down" and args.format != "svg":
        msg = f"--direction {args.direction} needs --format svg, not {args.format}."
        raise UsageError(msg)
    text = _FORMATS[args.format](_compile_target(args)[0], args)
    if args.out is None:
        print_text(text)
    else:
        write_file(Path(args.out), text)
