"""``schema`` and ``completion``: by what editors and shells complete documents and lines."""

import argparse
import json
from typing import Final

from explorer.cli.command import argument, command, formats, print_text
from explorer.document_schemas import ROOTS, document_schema
from explorer.errors import UsageError
from explorer.extras import require
from explorer.locations import CONSOLE_SCRIPT
from explorer.wording import listed, quoted

_FILES: Final = ("FILE", "NEW", "OLD", "PATH", "REPORT", "SAVEPOINT", "TARGET")
"""Words of the placeholders that stand for files; ``DIR`` is a folder."""


@command(
    "schema",
    argument(
        "name",
        metavar="KIND",
        nargs="?",
        choices=tuple(ROOTS),
        default="pipeline",
        help="pipeline (default), lesson or lock",
    ),
    formats("json"),
)
def _schema(args: argparse.Namespace) -> None:
    print_text(json.dumps(document_schema(args.name), ensure_ascii=False, indent=2))


@command("completion", argument("shell", metavar="SHELL", help="bash, zsh, fish or tcsh"))
def _completion(args: argparse.Namespace) -> None:
    require("completion")
    import shtab

    from explorer.cli.main import parser

    if args.shell not in shtab.SUPPORTED_SHELLS:
        msg = f"there is no completion for {quoted(args.shell)}: {listed(shtab.SUPPORTED_SHELLS)}"
        raise UsageError(msg)
    whole = parser()
    for action in whole.all_arguments():
        words = str(action.metavar or "").split("|")
        if "DIR" in words:
            vars(action)["complete"] = shtab.DIRECTORY  # as shtab reads it
        elif not {*words}.isdisjoint(_FILES):
            vars(action)["complete"] = shtab.FILE
    whole.prog = CONSOLE_SCRIPT
    print_text(shtab.complete(whole, shell=args.shell))
