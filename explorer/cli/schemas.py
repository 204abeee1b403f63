"""``schema``: the JSON Schema of pipeline documents, lessons or locks, for editors."""

import argparse
import json

from explorer.cli.command import argument, command, formats, print_text
from explorer.document_schemas import ROOTS, document_schema


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
