"""What runs where a document holds no functions, as a captured program's: synthetic operators.

A source sends numbers; any other operator hands on so many records for each that comes in, and
takes so much time. Without figures of its own it hands on what comes.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from explorer.documents.columns import NUMBERS
from explorer.flink.compiler import Compilation
from explorer.model.stream_graph import StreamNode, Synthetic
from explorer.task import plan
from explorer.trial.work import Arriving, Outcome, distinct_types, each

RECORDS: Final = 1000
"""What a source sends of which nothing is said."""
_NONE: Final = Synthetic()
_MILLION: Final = 1_000_000

NOTE: Final = (
    f"the functions of this program are not in its document, so synthetic operators run in their "
    f"place: a source sends {RECORDS:,} numbers and an operator hands on each record that comes "
    "in, unless its field synthetic says otherwise (records, records_out, cost); tasks, channels, "
    "records and times are then counted, and rows, their bytes and their keys are stand-ins"
)

NOT_FED_BACK: Final = (
    "{name}: synthetic operators feed no record back into an iteration, since how often one goes "
    "round its functions alone know"
)


def is_synthetic(compilation: Compilation) -> bool:
    """Whether a trial runs synthetic operators: where the transformations are not known."""
    return compilation.pipeline is None


def figures(node: StreamNode) -> Synthetic:
    """What is said of an operator; nothing, where nothing is."""
    return node.synthetic or _NONE


def synthetic_source(node: StreamNode) -> plan.Source:
    """A source of numbers from 0 on."""
    given = figures(node)
    records = RECORDS if given.records is None else given.records
    rows = plan.SequenceRows(first=0, last=records - 1)
    return plan.Source(rows=rows, row_type=NUMBERS, cost=given.cost)


def synthetic_work(node: StreamNode, arriving: Sequence[Arriving]) -> Outcome:
    """What an operator that is no source does; its rows are those that come in."""
    given = figures(node)
    main = distinct_types(one.row_type for one in arriving)
    if given == _NONE:
        return Outcome(main=main)
    ratios = [(None, 1.0 if given.records_out is None else given.records_out)]
    outputs = tuple(
        (tag, round(ratio * _MILLION)) for tag, ratio in (*ratios, *given.side_outputs.items())
    )
    step = plan.Synthesize(outputs=outputs, cost=given.cost)
    return replace(each(arriving, lambda _: step), main=main)
