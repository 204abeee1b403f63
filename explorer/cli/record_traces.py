"""``follow``: trace one record, step by step."""

import argparse
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from explorer.cli.command import (
    DATA,
    DOCUMENT,
    FORMAT,
    argument,
    command,
    document_at,
    either,
    folder_of,
    naming_data_folder,
    print_found,
    whole,
)
from explorer.cli.inputs.target_arguments import target_options
from explorer.engine.rows.sources.columns import prepare_forks
from explorer.flink.compiler import compile_program
from explorer.wording import counted

if TYPE_CHECKING:
    from explorer.engine.preview.record_tracing import RecordRoute

_SHOWN: Final = 20
"""Rows at the other end that are printed; JSON has more."""
_WORDING: Final = frozenset({"row", "subtask", "emitted"})
"""Facts that a step's sentence holds already."""


@command(
    "follow",
    *DOCUMENT,
    DATA,
    either(
        argument("--source", metavar="ID", help="trace a record of this source downstream"),
        argument("--sink", metavar="ID", help="trace a record of this sink upstream"),
    ),
    argument(
        "--row",
        type=whole("no row: write 1 for the first one"),
        default=1,
        metavar="K",
        help="which row, counted from 1; default: 1",
    ),
    argument(
        "--where",
        metavar="EXPRESSION",
        help="run only rows of the source for which this holds; default: its first 10,000 rows",
    ),
    FORMAT,
)
def _follow(args: argparse.Namespace) -> None:
    prepare_forks()
    from explorer.engine.starting import follow

    compilation = compile_program(document_at(args.file, target_options(args)), args.flink)
    with naming_data_folder(args):
        route = follow(
            compilation,
            source=args.source,
            sink=args.sink,
            row=args.row,
            where=args.where,
            data_dir=folder_of(args),
        )
    print_found(args, route.to_dict, lambda: "\n".join(_lines(route)))


def _lines(route: "RecordRoute") -> Iterator[str]:
    for part, steps in groupby(route.reported, key=lambda step: step.part):
        yield f"{part}:"
        for step in steps:
            yield f"  {step.number:>3}. {step.title}"
            yield f"       {step.sentence}"
            reported = (detail for detail in step.details if detail[0] not in _WORDING)
            yield from (f"       {head}: {'; '.join(texts)}" for head, texts in reported)
    if not route.whole:
        yield f"The route is longer; these are its first {counted(len(route.steps), 'step')}."
    yield _ends(route)
    for end in route.ends[:_SHOWN]:
        values = ", ".join(f"{name} {value!r}" for name, value in end.row.values)
        yield f"  {end.name}, row {end.place + 1:,}: {values}"
    if route.ends_count > _SHOWN:
        yield f"  and {route.ends_count - _SHOWN:,} more"
    yield from (f"The run took the first rows of {name} alone." for name in route.cut)


def _ends(route: "RecordRoute") -> str:
    if route.direction == "back":
        return f"It comes of {counted(route.ends_count, 'row')} of sources:"
    if not route.ends_count:
        return "No record of a sink is derived from this record."
    come = "comes" if route.ends_count == 1 else "come"
    return f"{counted(route.ends_count, 'row')} of sinks {come} of it:"
