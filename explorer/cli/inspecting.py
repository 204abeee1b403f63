"""``inspect-bytes``: prints the meaning of each byte of a serialized record."""

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from explorer.cli.command import FORMAT, argument, command, either, print_found, reader
from explorer.documents.checks.row_checks import row_fault
from explorer.documents.text.json_text import read_json
from explorer.drawing.view.one_line import one_line
from explorer.errors import DocumentError
from explorer.java_numbers import fits_long
from explorer.model.row_type import NO_COLUMNS, RowType, parse_schema
from explorer.wording import listed

if TYPE_CHECKING:
    from explorer.engine.task.inspection import BytePart

_WIDE: Final = 16
"""Bytes of a line; the rest of a long part goes on the next."""


def _row(text: str) -> list[Any]:
    try:
        result = read_json(text)
    except DocumentError as error:
        raise ValueError(text) from error
    json.dumps(result, ensure_ascii=False).encode()  # A lone surrogate is no text of Flink's.
    if not isinstance(result, list):
        raise ValueError(text)  # noqa: TRY004 - as what is no JSON at all
    return result


def _milliseconds(text: str) -> int:
    number = int(text)
    if not fits_long(number):
        raise ValueError(text)
    return number


_ROW: Final = reader(_row, """is no row: write a JSON list, as '["the", 1]'""")
_BYTES: Final = reader(
    bytes.fromhex, "are no bytes: write two hexadecimal digits for each, as '00 00 00 0a'"
)
_LONG: Final = reader(_milliseconds, "is no LONG: write a whole number of milliseconds")


def _event(text: str) -> str:
    from explorer.engine.task.inspection import EVENTS

    if text not in EVENTS:
        msg = f"{text!r} is no event that ends a partition: {listed(EVENTS)}"
        raise argparse.ArgumentTypeError(msg)
    return text


@command(
    "inspect-bytes",
    either(
        argument("--row", metavar="JSON", type=_ROW, help="""values, as '["the", 1]'"""),
        argument("--hex", metavar="DIGITS", type=_BYTES, help="bytes of a channel's buffers"),
        argument("--watermark", metavar="MS", type=_LONG, help="a watermark"),
        argument("--status", choices=("active", "idle"), help="a watermark status"),
        argument("--latency-marker", metavar="MS", type=_LONG, help="a latency marker"),
        argument("--event", metavar="NAME", type=_event, help="end of data, or end of partition"),
        required=True,
    ),
    argument("--schema", metavar="COLUMNS", help="the columns: 'word STRING, n LONG'"),
    argument(
        "--input",
        metavar="N",
        type=int,
        choices=(1, 2),
        help="1 or 2: the row goes to a join or coGroup over windows, tagged as this input's",
    ),
    argument("--timestamp", metavar="MS", type=_LONG, help="the record's, with --row"),
    FORMAT,
)
def _run(args: argparse.Namespace) -> None:
    from explorer.engine.task.inspection import inspect_elements, inspect_event

    if args.event is not None:
        parts = tuple(inspect_event(args.event))
    else:
        row_type = parse_schema(args.schema) if args.schema is not None else NO_COLUMNS
        row_type = row_type.tagged(args.input or 0)
        tagged, content = args.input is not None, _bytes(args, row_type)
        parts = tuple(inspect_elements(content, row_type.columns, tagged=tagged))
    print_found(args, lambda: [_members(part) for part in parts], lambda: "\n".join(_lines(parts)))


def _bytes(args: argparse.Namespace, row_type: RowType) -> bytes:
    """Content of a channel's buffers: the given bytes, or one serialized element."""
    from explorer.engine.task.serializers import (
        LENGTH_WIDTH,
        latency_marker_bytes,
        status_bytes,
        watermark_bytes,
    )

    if args.row is not None:
        return _row_bytes(args.row, row_type, args.timestamp)
    if args.hex is not None:
        return bytes(args.hex)
    if args.watermark is not None:
        element = watermark_bytes(args.watermark)
    elif args.status is not None:
        element = status_bytes(active=args.status == "active")
    else:
        element = latency_marker_bytes(args.latency_marker, "0" * 32, 0)
    return len(element).to_bytes(LENGTH_WIDTH, "big") + element


def _row_bytes(row: list[Any], row_type: RowType, timestamp: int | None) -> bytes:
    import numpy as np

    from explorer.engine.rows.batch import from_rows
    from explorer.engine.task.serializers import batch_bytes

    fault = row_fault("--row", row, row_type)
    if fault is not None:
        raise DocumentError(fault.at, fault.problem)
    batch = from_rows(row_type, [row])
    times = None if timestamp is None else np.array([timestamp], np.int64)
    return batch_bytes(batch.with_timestamps(times)).tobytes()


def _members(part: "BytePart") -> dict[str, Any]:
    reported = {"name": part.name, "value": part.value, "meaning": part.meaning}
    return {"offset": part.offset, "bytes": part.data.hex()} | reported


def _lines(parts: "tuple[BytePart, ...]") -> Iterator[str]:
    name = max((len(part.name) for part in parts), default=0)
    value = min(30, max((len(part.value) for part in parts), default=0))
    for part in parts:
        first, *further_lines = [
            part.data[start : start + _WIDE].hex(" ") for start in range(0, len(part.data), _WIDE)
        ]
        phrase = f"{one_line(part.name):<{name}}  {one_line(part.value):<{value}}  {part.meaning}"
        yield f"{part.offset:>5}  {first:<{3 * _WIDE}}{phrase}"
        yield from (f"{'':>5}  {line}" for line in further_lines)
