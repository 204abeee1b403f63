"""``follow``: what happened to one row on its whole way, step by step."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from explorer.cli.command import (
    Command,
    document_at,
    file_argument,
    json_argument,
    print_found,
    release_argument,
)
from explorer.cli.running import data_argument, folder_of
from explorer.flink.compiler import compile_graph
from explorer.wording import counted

if TYPE_CHECKING:
    from explorer.trial import Way
    from explorer.trial.following import End

_SHOWN: Final = 20
"""Rows at the other end that are printed; JSON has more."""
_SAID: Final = frozenset({"row", "subtask", "handed on"})
"""Facts that a step's sentence holds already."""


def _arguments(parser: argparse.ArgumentParser) -> None:
    end = parser.add_mutually_exclusive_group()
    end.add_argument("--source", metavar="ID", help="follow a row of this source forward")
    end.add_argument(
        "--sink", metavar="ID", help="follow a row of this sink back to where it is from"
    )
    parser.add_argument(
        "--row", type=_row, default=1, metavar="K", help="which row, counted from 1; default: 1"
    )
    parser.add_argument(
        "--where",
        metavar="EXPRESSION",
        help="run only rows of the source for which this holds; default: its first 10,000 rows",
    )


def _row(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        msg = f"{text!r} is no row: write 1 for the first one"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _follow(args: argparse.Namespace) -> int:
    from explorer.trial import follow

    way = follow(
        compile_graph(document_at(args.file), args.flink),
        source=args.source,
        sink=args.sink,
        row=args.row,
        where=args.where,
        data_dir=folder_of(args),
    )
    print_found(args, way.to_dict, lambda: "\n".join(_lines(way)))
    return 0


def _lines(way: "Way") -> Iterator[str]:
    part = None
    for step in way.told:
        if step.part != part:
            yield f"{step.part}:"
            part = step.part
        yield f"  {step.number:>3}. {step.title}"
        yield f"       {step.sentence}"
        for head, texts in step.facts:
            if head not in _SAID:
                yield f"       {head}: {'; '.join(texts)}"
    if not way.whole:
        yield f"The way is longer; these are its first {counted(len(way.steps), 'step')}."
    yield _ends(way)
    yield from (f"  {_end(end)}" for end in way.ends[:_SHOWN])
    if way.ends_count > _SHOWN:
        yield f"  and {way.ends_count - _SHOWN:,} more"
    yield from (f"The run took the first rows of {name} alone." for name in way.cut)


def _ends(way: "Way") -> str:
    if way.direction == "back":
        return f"It comes of {counted(way.ends_count, 'row')} of sources:"
    if not way.ends_count:
        return "No row of a sink comes of it."
    come = "comes" if way.ends_count == 1 else "come"
    return f"{counted(way.ends_count, 'row')} of sinks {come} of it:"


def _end(end: "End") -> str:
    values = ", ".join(f"{name} {value!r}" for name, value in end.row.values)
    return f"{end.name}, row {end.place + 1:,}: {values}"


FOLLOW: Final = Command(
    name="follow",
    does="follow one row through the job: what each operator made of it, and how it came there",
    arguments=(file_argument, release_argument, data_argument, _arguments, json_argument),
    run=_follow,
)
