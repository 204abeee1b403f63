"""``mcp``: serves read-only tools to an agent, over stdio."""

import argparse
import os
from pathlib import Path

from explorer.cli.command import argument, command
from explorer.errors import UsageError
from explorer.extras import require
from explorer.wording import quoted


@command(
    "mcp",
    argument(
        "folder",
        metavar="DIR",
        nargs="?",
        help="the folder of the documents, captured programs and savepoints that the tools read; "
        "they read no others, write nothing and start no program; default: the current one",
    ),
    argument("--root", metavar="DIR", help="the same folder, as an option"),
)
def _serve(args: argparse.Namespace) -> None:
    if args.folder is not None and args.root is not None:
        msg = "name one folder: DIR and --root DIR mean the same"
        raise UsageError(msg)
    name = args.folder or args.root or "."
    folder = Path(name).resolve()
    if not folder.is_dir():
        msg = f"{quoted(name, 200)} is no folder: name the one that the tools may read"
        raise UsageError(msg)
    require("agent")
    from explorer.cli.agent.confined_files import confine_process
    from explorer.cli.agent.tools import tool_server

    server = tool_server()
    os.chdir(folder)
    confine_process(folder)
    server.run()
