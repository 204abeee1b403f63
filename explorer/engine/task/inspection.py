"""Decodes Flink's bytes part by part, with the meaning of each.

Mirrors ``StreamElementSerializer`` with its tags, ``RowSerializer`` with its mask, ``StringValue``,
and the events of ``EventSerializer``.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, get_args

import msgspec

from explorer.engine.task.serializers import (
    LENGTH_WIDTH,
    ROW_KIND_BITS,
    TAG_INTERNAL_WATERMARK,
    TAG_LATENCY_MARKER,
    TAG_STATUS,
    TAG_WATERMARK,
    TAG_WITH_TIMESTAMP,
    TAG_WITHOUT,
    UNION_TAG_WIDTH,
    mask_width,
)
from explorer.errors import ExplorerError
from explorer.java_numbers import INT_MAX
from explorer.model.sql_plan import RowKind

_MOST_UNIT: Final = 0xFFFF
"""The largest UTF-16 char."""
_MORE: Final = 0x80
"""The bit of a varint's byte that announces another byte."""


class BytePart(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive bytes that encode one value."""

    offset: int
    data: bytes
    name: str
    value: str
    meaning: str
    """Purpose of the bytes, in a sentence without its full stop."""

    @property
    def hex(self) -> str:
        """The bytes as pairs of hexadecimal digits.

        >>> BytePart(offset=0, data=bytes([0, 255]), name="", value="", meaning="").hex
        '00 ff'
        """
        return self.data.hex(" ")


class InspectionError(ExplorerError):
    """Bytes that Flink did not write for these columns."""


class _RecordBytes:
    """Bytes that are read from left to right, as parts with their meanings."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, width: int, name: str, meaning: str, say: Callable[[bytes], object]) -> BytePart:
        """Read the next ``width`` bytes as a part; ``say`` decodes their value."""
        if len(self.data) - self.at < width:
            msg = (
                f"the bytes end at {len(self.data)}, within {name!r}, which begins at {self.at} "
                f"and takes {width}; give them whole"
            )
            raise InspectionError(msg)
        data = self.data[self.at : self.at + width]
        part = BytePart(offset=self.at, data=data, name=name, value=str(say(data)), meaning=meaning)
        self.at += width
        return part

    def varint(self, limit: int, ahead: int = 0) -> tuple[int, int]:
        """Decode the number that begins ``ahead`` bytes from here; also return its width.

        Raises ``InspectionError`` for a number above ``limit``, which Flink does not write.
        """
        number = width = 0
        while True:
            at = self.at + ahead + width
            if at >= len(self.data):
                msg = f"the bytes end at {len(self.data)}, within a string; give all of them"
                raise InspectionError(msg)
            number |= (self.data[at] & ~_MORE) << (7 * width)
            width += 1
            if number > limit:
                msg = (
                    f"the number at byte {self.at + ahead} is larger than {limit:,}, the most that "
                    "Flink writes there; check the columns and their types"
                )
                raise InspectionError(msg)
            if not self.data[at] & _MORE:
                return number, width


Fields = Sequence[tuple[str, str]]
"""A row's columns: name and type."""


def inspect_elements(data: bytes, fields: Fields, *, tagged: bool = False) -> tuple[BytePart, ...]:
    """Decode the elements in a channel's buffers, each with its length before it.

    ``fields``: the columns of the records; ``tagged``: whether a byte before each row names the
    input, as before a join over windows. Raises ``InspectionError``.
    """
    reading = _RecordBytes(data)
    parts: list[BytePart] = []
    while reading.at < len(data):
        length = reading.take(LENGTH_WIDTH, "length", _LENGTH, _read_unsigned)
        end = reading.at + int(length.value)
        parts += [length, *_element(reading, fields, tagged=tagged)]
        if reading.at != end:
            msg = (
                f"the element at {length.offset} declares {length.value} bytes, and for "
                f"these columns it takes {reading.at - length.offset - LENGTH_WIDTH}; "
                "check the columns and their types"
            )
            raise InspectionError(msg)
    return tuple(parts)


_LENGTH: Final = (
    "how many bytes the element takes; RecordWriter puts it before each, so that a record may span "
    "buffers"
)


def _element(reading: _RecordBytes, fields: Fields, *, tagged: bool) -> Iterator[BytePart]:
    tag = reading.take(1, "element tag", _TAG, lambda data: _TAGS.get(data[0], (str(data[0]),))[0])
    number = tag.data[0]
    yield tag
    if number not in _TAGS:
        known = ", ".join(f"{number} {name}" for number, (name, _) in _TAGS.items())
        msg = f"byte {tag.offset} is {number}, which no element begins with: {known}"
        raise InspectionError(msg)
    for width, name, meaning, say in _TAGS[number][1]:
        yield reading.take(width, name, meaning, say)
    if number in {TAG_WITH_TIMESTAMP, TAG_WITHOUT}:
        if tagged:
            yield reading.take(
                UNION_TAG_WIDTH,
                "union tag",
                "of which input of the join or coGroup the row is: UnionSerializer writes 1 or 2 "
                "before it",
                lambda data: _INPUTS.get(data[0], f"{data[0]}, which none is"),
            )
        yield from _row(reading, fields)


_INPUTS: Final = {1: "first input", 2: "second input"}


def _row(reading: _RecordBytes, fields: Fields) -> Iterator[BytePart]:
    width = mask_width(len(fields))
    mask = reading.take(width, "null mask", _MASK, lambda data: _mask_text(data, fields))
    yield mask
    for place, (name, kind) in enumerate(fields):
        byte, bit = divmod(ROW_KIND_BITS + place, 8)
        if mask.data[byte] >> (7 - bit) & 1:
            continue
        if kind == "STRING":
            yield from _text(reading, name)
        else:
            width, meaning, say = _PLAIN[kind]
            yield reading.take(width, name, f"{kind}: {meaning}", say)


_MASK: Final = (
    "two bits for the row kind, then a bit a column from the highest on, set where the value is "
    "null; a null takes no bytes"
)


def _mask_text(data: bytes, fields: Fields) -> str:
    bits = "".join(f"{byte:08b}" for byte in data)
    nulls = [
        name for (name, _), bit in zip(fields, bits[ROW_KIND_BITS:], strict=False) if bit == "1"
    ]
    # ``RowKind.toByteValue`` lies in the mask with its lowest bit first.
    kind = get_args(RowKind)[int(bits[:ROW_KIND_BITS][::-1], 2)]
    return f"{kind}, {' and '.join(nulls) if nulls else 'no value'} null"


def _text(reading: _RecordBytes, name: str) -> Iterator[BytePart]:
    """Decode a string: one part for its length, one for its chars."""
    number, width = reading.varint(INT_MAX)
    length = number - 1
    yield reading.take(
        width, f"{name}, length", _STRING_LENGTH, lambda _: f"{number} - 1 = {length}"
    )
    units, size = [], 0
    for _ in range(length):
        unit, width = reading.varint(_MOST_UNIT, size)
        units.append(unit)
        size += width
    raw = b"".join(unit.to_bytes(2, "big") for unit in units)
    if size:
        yield reading.take(size, name, _STRING, lambda _: repr(raw.decode("utf-16-be", "replace")))


_STRING_LENGTH: Final = (
    "STRING: how many chars there are, plus one, since 0 is null; seven bits a byte, the lowest "
    "first"
)
_STRING: Final = (
    "STRING: every UTF-16 char as a number of one to three bytes, the lowest bits first"
)


def _read_signed(data: bytes) -> int:
    return int.from_bytes(data, "big", signed=True)


def _read_unsigned(data: bytes) -> int:
    return int.from_bytes(data, "big")


Reader = tuple[int, str, str, Callable[[bytes], object]]
"""Width, name, meaning, and the decoder of the value."""
_TAG: Final = "what kind of element follows"
_TIME: Final[Reader] = (8, "timestamp", "milliseconds since 1970, big-endian", _read_signed)
_TAGS: Final[Mapping[int, tuple[str, tuple[Reader, ...]]]] = {
    TAG_WITH_TIMESTAMP: ("record with a timestamp", (_TIME,)),
    TAG_WITHOUT: ("record without a timestamp", ()),
    TAG_WATERMARK: (
        "watermark",
        ((8, "timestamp", "no record that follows is older; big-endian", _read_signed),),
    ),
    TAG_LATENCY_MARKER: (
        "latency marker",
        (
            (8, "marked time", "when the source sent it, milliseconds since 1970", _read_signed),
            (16, "operator ID", "of the source that sent it", bytes.hex),
            (4, "subtask", "of that source", _read_signed),
        ),
    ),
    TAG_STATUS: (
        "watermark status",
        (
            (
                4,
                "status",
                "whether the channel has watermarks to wait for: 0 active, -1 idle",
                lambda data: {0: "active", -1: "idle"}.get(
                    _read_signed(data), str(_read_signed(data))
                ),
            ),
        ),
    ),
    TAG_INTERNAL_WATERMARK: (
        "internal watermark",
        ((4, "subpartition", "where it came from, for who reads several", _read_signed), _TIME),
    ),
}
"""Name of each element tag, and the parts that follow before a record's row."""
_PLAIN: Final[Mapping[str, tuple[int, str, Callable[[bytes], object]]]] = {
    "LONG": (8, "two's complement, big-endian", _read_signed),
    "INT": (4, "two's complement, big-endian", _read_signed),
    "DOUBLE": (8, "IEEE 754, big-endian", lambda data: struct.unpack(">d", data)[0]),
    "BOOLEAN": (1, "1 true, 0 false", lambda data: "true" if data[0] else "false"),
}
"""Width, meaning and decoder of each type with a fixed width."""

EVENTS: Final[Mapping[str, bytes]] = {
    "end of data": bytes([0, 0, 0, 8, 0]),
    "end of partition": bytes(4),
}
"""``EventSerializer``'s bytes of the events that end a partition. Each has its own buffer, without
a length before it."""


def inspect_event(name: str) -> Iterable[BytePart]:
    """Decode an event that ends a partition."""
    reading = _RecordBytes(EVENTS[name])
    number = f"the number of the event's kind: {name}"
    yield reading.take(4, "event", number, _read_signed)
    if reading.at < len(reading.data):
        drained = "whether state is drained: 0 yes, as at the end of the input; 1 no, as at a stop"
        yield reading.take(1, "stop mode", drained, lambda data: ("DRAIN", "NO_DRAIN")[data[0]])
