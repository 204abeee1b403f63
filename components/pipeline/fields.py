"""How is each field of a transformation edited? One row a field.

A structured field is written in a text area: a mapping as a line for each entry, any other record
in the document's own notation, so that the form can hold whatever a document can.
"""

from typing import Final, Literal, get_args

import msgspec

from explorer.flink.kinds import KINDS, allowed_fields
from explorer.flink.partitioners import NAMED
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


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A field of the document and its widget."""

    name: str
    label: str
    widget: Widget
    first: bool = False
    """Whether it is among the few that are always in view."""
    choices: tuple[str, ...] = ()
    hint: str = ""
    """What an empty widget shows."""


ID: Final = Field(name="id", label="id", widget="text", first=True)
FIELDS: Final = (
    Field(name="inputs", label="inputs", widget="inputs", first=True),
    Field(name="name", label="name", widget="text", first=True),
    Field(name="parallelism", label="parallelism", widget="number", first=True, hint="the job's"),
    Field(name="chaining_strategy", label="chaining strategy", widget="strategy", first=True),
    Field(name="uid", label="uid", widget="text", first=True, hint="none"),
    Field(
        name="slot_sharing_group",
        label="slot sharing group",
        widget="text",
        first=True,
        hint="inherited",
    ),
    Field(
        name="rows",
        label="rows",
        widget="record",
        first=True,
        hint="path: flights.csv\nformat: csv",
    ),
    Field(
        name="write",
        label="write",
        widget="record",
        first=True,
        hint="path: late-flights\nformat: csv",
    ),
    Field(name="select", label="select", widget="mapping", first=True, hint="word: lower(word)"),
    Field(
        name="select1", label="select 1", widget="mapping", first=True, hint="column: expression"
    ),
    Field(
        name="select2", label="select 2", widget="mapping", first=True, hint="column: expression"
    ),
    Field(name="where", label="where", widget="text", first=True, hint="n > 0"),
    Field(
        name="split",
        label="split",
        widget="record",
        first=True,
        hint='value: line\npattern: "[^a-z]+"\nas: word',
    ),
    Field(
        name="side_outputs",
        label="side outputs",
        widget="mapping",
        first=True,
        hint="tag: condition",
    ),
    Field(
        name="state",
        label="keyed state",
        widget="record",
        first=True,
        hint="shape: total\ncolumn: n\nas: total",
    ),
    Field(
        name="between",
        label="between (ms)",
        widget="record",
        first=True,
        hint="lower: -5000\nupper: 5000",
    ),
    Field(name="lookup", label="lookup", widget="record", first=True, hint="column: n\nkey: n"),
    Field(
        name="selects",
        label="selects by input",
        widget="record",
        first=True,
        hint="first: {n: n}\nsecond: {n: n + 1}",
    ),
    Field(
        name="wait",
        label="asynchronous wait",
        widget="record",
        first=True,
        hint="delay: 10\ncapacity: 100\nordered: true",
    ),
    Field(name="keys", label="keys", widget="list", first=True, hint="carrier, origin"),
    Field(name="equal_to", label="second input's keys", widget="list", first=True, hint="as keys"),
    Field(
        name="group",
        label="what it makes of a group",
        widget="choice",
        first=True,
        choices=get_args(Group),
    ),
    Field(name="aggregate", label="aggregate", widget="mapping", first=True, hint="n: sum(n)"),
    Field(
        name="timestamps",
        label="timestamps",
        widget="record",
        first=True,
        hint="column: time\nout_of_orderness: 0",
    ),
    Field(
        name="window",
        label="window",
        widget="record",
        first=True,
        hint="assigner: tumbling\nsize: 5000",
    ),
    Field(name="function", label="function", widget="text", hint="the reduce function's class"),
    Field(
        name="partitioner",
        label="partitioner",
        widget="choice",
        first=True,
        choices=NAMED,
    ),
    Field(
        name="exchange_mode",
        label="exchange mode",
        widget="choice",
        first=True,
        choices=get_args(ExchangeMode),
    ),
    Field(name="tag", label="tag", widget="text", first=True),
    Field(name="iteration", label="iteration", widget="text", first=True, hint="the iterate's id"),
    Field(name="max_wait", label="longest wait (ms)", widget="number", hint="none"),
    Field(name="parallel", label="parallel source", widget="switch", first=True),
    Field(name="committer", label="committer", widget="switch", first=True),
    Field(name="global_committer", label="global committer", widget="switch"),
    Field(name="keyed", label="keyed", widget="switch"),
    Field(name="mutates", label="changes its input", widget="switch"),
    Field(name="input_selectable", label="selects its input", widget="switch"),
    Field(name="input_format", label="input format", widget="text", hint="its class"),
    Field(name="output_format", label="output format", widget="text", hint="its class"),
    Field(name="max_parallelism", label="max parallelism", widget="number", hint="derived"),
    Field(name="uid_hash", label="uid hash", widget="text", hint="32 hex digits"),
    Field(name="co_location_group", label="co-location group", widget="text", hint="none"),
    Field(name="buffer_timeout", label="buffer timeout (ms)", widget="number", hint="the job's"),
    Field(
        name="managed_memory_weight", label="managed memory (weight)", widget="number", hint="none"
    ),
    Field(
        name="resources",
        label="resources (cores, MB)",
        widget="record",
        hint="cpu: 1\nheap_mb: 128",
    ),
)
"""In the order of the form."""


def fields_of(transformation: Transformation) -> tuple[Field, ...]:
    """The fields that a transformation's type takes."""
    allowed = allowed_fields(KINDS[transformation.type])
    return tuple(field for field in FIELDS if field.name in allowed)


def strategies(type: str) -> tuple[str, ...]:
    """The strategies to choose from, the operator's own first.

    >>> strategies("map")
    ('ALWAYS', 'HEAD', 'NEVER')
    """
    kind = KINDS[type]
    return tuple(dict.fromkeys((kind.strategy, *kind.strategies)))
