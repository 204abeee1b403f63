"""``exchange``: the network exchange between two tasks, and how the first records crossed it."""

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
    folder_of,
    naming_data_folder,
    options_argument,
    print_found,
)
from explorer.cli.inputs.target_arguments import target_options
from explorer.deployment.exchanges.exchange import Exchange
from explorer.engine.rows.sources.columns import prepare_forks
from explorer.flink.compiler import compile_program
from explorer.lookup.exchange_lookup import exchange_of_edge
from explorer.wording import counted, quoted

if TYPE_CHECKING:
    from explorer.engine.preview.channel_records import ChannelRecords

_ROWS: Final = 10
"""Rows of a channel that are printed."""


@command(
    "exchange",
    *DOCUMENT,
    DATA,
    argument(
        "--edge", metavar="A->B", required=True, help="ids, names, node numbers or operator IDs"
    ),
    options_argument("--option", "a Flink option, as with -D"),
    FORMAT,
)
def _run(args: argparse.Namespace) -> None:
    prepare_forks()
    from explorer.engine.planning.synthetic import is_synthetic
    from explorer.engine.preview.channel_records import channel_records
    from explorer.engine.preview.tracing import traced_run

    document = document_at(args.file, target_options(args))
    compilation = compile_program(document, args.flink)
    exchange = exchange_of_edge(document, compilation, args.edge, dict(args.option))
    channels: tuple[ChannelRecords, ...] = ()
    if not is_synthetic(compilation):
        with naming_data_folder(args):
            run = traced_run(compilation, data_dir=folder_of(args))
        channels = channel_records(run, exchange.job_edge, exchange.buffer_size, _ROWS)
    print_found(
        args,
        lambda: exchange.to_dict() | {"carried": [channel.to_dict() for channel in channels]},
        lambda: "\n".join(_lines(exchange, channels)),
    )


def _lines(exchange: Exchange, channels: "tuple[ChannelRecords, ...]") -> Iterator[str]:
    yield f"{exchange.source} → {exchange.target}, Flink {exchange.flink_version}"
    for stage, parts in groupby(exchange.parts, key=lambda part: part.stage):
        yield f"{stage}:"
        for part in parts:
            yield f"  {part.part:<19}{part.short}"
            yield f"  {'':<19}{part.sentence}"
    for channel in channels:
        consumers = ", ".join(map(str, channel.consumers))
        yield (
            f"channel {channel.channel} of subtask {channel.subtask}, to subtask {consumers}: "
            f"{counted(channel.records, 'record')}, {counted(channel.bytes, 'byte')}"
        )
        for row in channel.rows:
            values = ", ".join(f"{name} {quoted(value, 30)}" for name, value in row.row.values)
            buffers = " to ".join(map(str, dict.fromkeys(row.buffers)))
            yield f"  {row.start:>7} + {row.size:<5} buffer {buffers}  {values}"
            yield f"  {'':<16} {row.choice.why}"
