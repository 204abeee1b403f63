"""What do the methods of a compiled Java class call, and in which line?

Reads the constant pool and the methods of a class file. The code of a method is not decoded: an
instruction is found by its bytes, and counts if the constants that it names fit.
"""

import re
import struct
from collections.abc import Iterator
from typing import Final

import msgspec

MOST_BYTES: Final = 1 << 20
"""Size of a class file that is read."""

_WIDTHS: Final = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4}
_WIDTHS_OF_MODULES: Final = {15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
"""By the tag of a constant, the number of its bytes; a text (1) has its own."""
_TEXT: Final = 1
_LONG_TAGS: Final = frozenset({5, 6})
"""Numbers of 64 bits, which count as two constants."""
_INVOKES: Final = re.compile(rb"[\xb6\xb7\xb8\xb9](..)", re.DOTALL)


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """A field or a method that a class names."""

    owner: str
    """The full name of its class."""
    name: str
    descriptor: str


class Method(msgspec.Struct, frozen=True, kw_only=True):
    """A method with its code."""

    name: str
    code: bytes
    lines: tuple[tuple[int, int], ...]
    """Positions in the code at which lines begin, and their numbers; ascending by position."""

    def line_at(self, position: int) -> int | None:
        """The line of an instruction; None where the class holds no lines."""
        return next((line for start, line in reversed(self.lines) if start <= position), None)


class ClassFile:
    """A class file; raises ``ValueError`` for bytes that are none."""

    def __init__(self, content: bytes) -> None:
        if len(content) > MOST_BYTES or content[:4] != b"\xca\xfe\xba\xbe":
            msg = "no class file of at most 1 MiB"
            raise ValueError(msg)
        self._content, self._constants = content, dict[int, tuple[int, bytes]]()
        try:
            self.methods = tuple(self._methods(self._after_constants()))
        except (struct.error, KeyError, IndexError) as error:
            msg = "a class file that ends early"
            raise ValueError(msg) from error

    def text(self, index: int) -> str | None:
        """The text of a constant: a string, or the name of a class."""
        tag, value = self._constants.get(index, (0, b""))
        if tag in {7, 8}:
            return self.text(_short(value, 0))
        return value.decode("utf-8", "replace") if tag == _TEXT else None

    def reference(self, index: int) -> Reference | None:
        """The field or the method of a constant; None for any other constant."""
        tag, value = self._constants.get(index, (0, b""))
        if tag not in {9, 10, 11}:
            return None
        owner = self.text(_short(value, 0))
        pair = self._constants.get(_short(value, 2), (0, b""))[1]
        name, descriptor = self.text(_short(pair, 0)), self.text(_short(pair, 2))
        if owner is None or name is None or descriptor is None:
            return None
        return Reference(owner=owner.replace("/", "."), name=name, descriptor=descriptor)

    def calls(self, method: Method) -> Iterator[tuple[int, Reference]]:
        """The methods that a method calls, each with the position of the call."""
        for found in _INVOKES.finditer(method.code):
            called = self.reference(_short(found[1], 0))
            if called is not None and called.descriptor.startswith("("):
                yield found.start(), called

    def _after_constants(self) -> int:
        """Read the constants; return the position behind them."""
        at, index, count = 10, 1, _short(self._content, 8)
        while index < count:
            tag = self._content[at]
            if tag == _TEXT:
                width = _short(self._content, at + 1)
                self._constants[index] = tag, self._content[at + 3 : at + 3 + width]
                at += 3 + width
            else:
                width = (_WIDTHS | _WIDTHS_OF_MODULES)[tag]
                self._constants[index] = tag, self._content[at + 1 : at + 1 + width]
                at += 1 + width
            index += 2 if tag in _LONG_TAGS else 1
        return at

    def _methods(self, at: int) -> Iterator[Method]:
        at += 6
        at += 2 + 2 * _short(self._content, at)
        _, at = self._members(at)
        members, _ = self._members(at)
        for name, attributes in members:
            if (code := attributes.get("Code")) is not None:
                yield self._method(name, code)

    def _method(self, name: str, code: bytes) -> Method:
        (size,) = struct.unpack_from(">I", code, 4)
        at = 8 + size
        at += 2 + 8 * _short(code, at)
        table = self._attributes(code, at)[0].get("LineNumberTable", b"\0\0")
        pairs = (struct.unpack_from(">HH", table, 2 + 4 * row) for row in range(_short(table, 0)))
        return Method(name=name, code=code[8 : 8 + size], lines=tuple(sorted(pairs)))

    def _members(self, at: int) -> tuple[list[tuple[str, dict[str, bytes]]], int]:
        """The fields, or the methods, with their attributes, and the position behind them."""
        found, count = [], _short(self._content, at)
        at += 2
        for _ in range(count):
            name = self.text(_short(self._content, at + 2)) or ""
            attributes, at = self._attributes(self._content, at + 6)
            found.append((name, attributes))
        return found, at

    def _attributes(self, content: bytes, at: int) -> tuple[dict[str, bytes], int]:
        found, count = {}, _short(content, at)
        at += 2
        for _ in range(count):
            (size,) = struct.unpack_from(">I", content, at + 2)
            found[self.text(_short(content, at)) or ""] = content[at + 6 : at + 6 + size]
            at += 6 + size
        return found, at


def _short(content: bytes, at: int) -> int:
    (value,) = struct.unpack_from(">H", content, at)
    return int(value)
