"""Fields of a transformation with their widgets, a row for each.

A structured field is written in a text area: a mapping as a line for each entry, any other record
in the document's own notation, so that the form can hold whatever a document can.
"""

from collections.abc import Sequence
from typing import Final, Literal, get_args

import msgspec

from explorer.flink.kinds import KINDS
from explorer.flink.partitioners import NAMED_PARTITIONERS
from explorer.model.pipeline import ExchangeMode, Group, Transformation

Widget = Literal[
    "text",
    "number",
    "decimal",
    "choice",
    "strategy",
    "inputs",
    "ids",
    "switch",
    "list",
    "mapping",
    "record",
]


class Field(msgspec.Struct, frozen=True):
    """A field of the document and its widget."""

    name: str
    label: str
    widget: Widget
    choices: tuple[str, ...] = ()
    hint: str = ""
    """What an empty widget shows."""
    default: int | None = None
    """The number in force where the document has none: the widget's + and - begin there."""


ID: Final = Field("id", "id", "text")
FIRST: Final = (
    Field("inputs", "inputs", "inputs"),
    Field("name", "name", "text"),
    Field("parallelism", "parallelism", "number", hint="job default"),
    Field("chaining_strategy", "chaining strategy", "strategy"),
    Field("uid", "uid", "text", hint="none"),
    Field("slot_sharing_group", "slot sharing group", "text", hint="inherited"),
    Field("rows", "rows", "record", hint="path: flights.csv\nformat: csv"),
    Field("write", "write", "record", hint="path: late-flights\nformat: csv"),
    Field("select", "select", "mapping", hint="word: lower(word)"),
    Field("select1", "select 1", "mapping", hint="column: expression"),
    Field("select2", "select 2", "mapping", hint="column: expression"),
    Field("where", "where", "text", hint="n > 0"),
    Field("split", "split", "record", hint='value: line\npattern: "[^a-z]+"\nas: word'),
    Field("side_outputs", "side outputs", "mapping", hint="tag: condition"),
    Field("outputs", "outputs by name", "mapping", hint="even: n % 2 = 0"),
    Field("names", "selected names", "list", hint="even, odd"),
    Field("state", "keyed state", "record", hint="shape: total\ncolumn: n\nas: total"),
    Field("between", "between (ms)", "record", hint="lower: -5000\nupper: 5000"),
    Field("lookup", "lookup", "record", hint="column: n\nkey: n"),
    Field("selects", "selects by input", "record", hint="first: {n: n}\nsecond: {n: n + 1}"),
    Field("wait", "asynchronous wait", "record", hint="delay: 10\ncapacity: 100\nordered: true"),
    Field("keys", "keys", "list", hint="carrier, origin"),
    Field("equal_to", "second input's keys", "list", hint="as keys"),
    Field("group", "what it makes of a group", "choice", choices=get_args(Group)),
    Field("aggregate", "aggregate", "mapping", hint="n: sum(n)"),
    Field("sort", "sort", "record", hint="column: n\norder: ASCENDING"),
    Field("timestamps", "timestamps", "record", hint="column: time\nout_of_orderness: 0"),
    Field("window", "window", "record", hint="assigner: tumbling\nsize: 5000"),
    Field("partitioner", "partitioner", "choice", choices=NAMED_PARTITIONERS),
    Field("exchange_mode", "exchange mode", "choice", choices=get_args(ExchangeMode)),
    Field("tag", "tag", "text"),
    Field("iteration", "iteration", "text", hint="the iterate's id"),
    Field("parallel", "parallel source", "switch"),
    Field("committer", "committer", "switch"),
)
"""Those that are always in view."""
MORE: Final = (
    Field("function", "function", "text", hint="the reduce function's class"),
    Field("max_wait", "longest wait (ms)", "number", hint="none"),
    Field("global_committer", "global committer", "switch"),
    Field("keyed", "keyed", "switch"),
    Field("mutates", "changes its input", "switch"),
    Field("input_selectable", "selects its input", "switch"),
    Field("input_format", "input format", "text", hint="its class"),
    Field("output_format", "output format", "text", hint="its class"),
    Field("max_parallelism", "max parallelism", "number", hint="derived"),
    Field("uid_hash", "uid hash", "text", hint="32 hex digits"),
    Field("co_location_group", "co-location group", "text", hint="none"),
    Field("buffer_timeout", "buffer timeout (ms)", "number", hint="job default"),
    Field("managed_memory_weight", "managed memory (weight)", "number", hint="none"),
    Field("resources", "resources (cores, MB)", "record", hint="cpu: 1\nheap_mb: 128"),
)
"""Those behind a head to open."""


def fields_of(transformation: Transformation, among: Sequence[Field]) -> tuple[Field, ...]:
    """Return the fields that a transformation's type accepts."""
    allowed = KINDS[transformation.type].allowed_fields
    return tuple(field for field in among if field.name in allowed)
