"""A parser for the grammar of Java's object streams; it makes inert records and no Java object.

Snapshots of table serializers embed such streams (``InstantiationUtil.serializeObject``). A class
is a name here: nothing is loaded, called or instantiated, and sizes and depths are bounded.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from explorer.savepoints.data_input import DataInput, SavepointError, modified_utf8

_HEADER: Final = b"\xac\xed\x00\x05"
_DEEPEST: Final = 40
"""How deep objects may lie in one another: a logical type's fields need four levels each."""
_MOST_OBJECTS: Final = 20_000
_FIRST_HANDLE: Final = 0x7E0000
_WRITE_METHOD, _SERIALIZABLE, _EXTERNALIZABLE, _BLOCK_DATA = 1, 2, 4, 8
_WIDTHS: Final = {"B": 1, "C": 2, "D": 8, "F": 4, "I": 4, "J": 8, "S": 2, "Z": 1}
"""Bytes of a primitive value, by the type code of its field."""
_END: Final = object()
"""Marks the end of what a class wrote of its own."""


class JavaClass(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """``ObjectStreamClass``: a class as the stream describes it."""

    name: str
    flags: int
    fields: tuple[tuple[str, str], ...]
    """Type code and name of each field."""
    parent: "JavaClass | None" = None


class JavaObject(msgspec.Struct, kw_only=True, eq=False):
    """An object's class, its fields by name, and what its ``writeObject`` added."""

    class_name: str
    fields: dict[str, Any] = {}
    additions: list[Any] = []


def read_java_object(data: DataInput) -> Any:
    """Read the one object of a stream as plain values or records; raises ``SavepointError``."""
    if bytes(data.take(len(_HEADER))) != _HEADER:
        msg = f"no Java object stream begins at byte {data.at - len(_HEADER):,}"
        raise SavepointError(msg)
    content = _JavaStream(data).content(0)
    if content is _END:
        msg = f"a Java object stream is empty at byte {data.at:,}"
        raise SavepointError(msg)
    return content


class _JavaStream:
    def __init__(self, data: DataInput) -> None:
        self.data = data
        self.handles: list[Any] = []
        self.objects = 0

    def content(self, depth: int) -> Any:
        """The next element; ``_END`` where a class's additions end."""
        self.objects += 1
        if depth > _DEEPEST or self.objects > _MOST_OBJECTS:
            msg = f"a Java object stream is nested too deep or too long at byte {self.data.at:,}"
            raise SavepointError(msg)
        code = self.data.read_byte()
        reader = _CONTENTS.get(code)
        if reader is None:
            place = f"at byte {self.data.at - 1:,}"
            msg = f"a Java object stream has unknown content {code:#x} {place}"
            raise SavepointError(msg)
        return reader(self, depth)

    def read_reference(self, _: int) -> Any:
        # ``ObjectStreamConstants.baseWireHandle``: handles count from there in the order of the
        # stream.
        number = self.data.read_int() - _FIRST_HANDLE
        if not 0 <= number < len(self.handles):
            msg = f"a Java object stream refers to nothing at byte {self.data.at - 4:,}"
            raise SavepointError(msg)
        return self.handles[number]

    def read_text(self, _: int) -> str:
        text = self.data.read_utf()
        self.handles.append(text)
        return text

    def read_long_text(self, _: int) -> str:
        text = modified_utf8(bytes(self.data.take(self.data.read_long())))
        self.handles.append(text)
        return text

    def read_class_itself(self, depth: int) -> JavaClass:
        java_class = self.read_class_of(depth)
        self.handles.append(java_class)
        return java_class

    def read_class_of(self, depth: int) -> JavaClass:
        value = self.content(depth + 1)
        if not isinstance(value, JavaClass):
            msg = f"a Java object stream lacks a class at byte {self.data.at:,}"
            raise SavepointError(msg)
        return value

    def read_class(self, depth: int) -> JavaClass:
        name, _ = self.data.read_utf(), self.data.read_long()
        # ``ObjectOutputStream.writeNonProxyDesc`` numbers a class before its fields are written,
        # and these may refer to it: the place is taken first and filled later.
        place = len(self.handles)
        self.handles.append(None)
        flags = self.data.read_byte()
        count = int.from_bytes(self.data.take(2), "big")
        fields = tuple(self.read_field(depth) for _ in range(self.data.held(count, "fields", 3)))
        self.read_additions(depth)
        parent = self.content(depth + 1)
        if parent is not None and not isinstance(parent, JavaClass):
            msg = f"a Java class has no class above it at byte {self.data.at:,}"
            raise SavepointError(msg)
        java_class = JavaClass(name=name, flags=flags, fields=fields, parent=parent)
        self.handles[place] = java_class
        return java_class

    def read_field(self, depth: int) -> tuple[str, str]:
        code, name = chr(self.data.read_byte()), self.data.read_utf()
        if code in "L[":
            self.content(depth + 1)
        elif code not in _WIDTHS:
            msg = f"a Java class has a field of unknown type {code!r} at byte {self.data.at:,}"
            raise SavepointError(msg)
        return code, name

    def read_additions(self, depth: int) -> list[Any]:
        values: list[Any] = []
        while (value := self.content(depth + 1)) is not _END:
            values.append(value)
        return values

    def read_object(self, depth: int) -> JavaObject:
        kind = self.read_class_of(depth)
        java_object = JavaObject(class_name=kind.name, fields={}, additions=[])
        # Numbered before its fields are read, as ``ObjectOutputStream.writeOrdinaryObject`` does:
        # an object may hold itself.
        self.handles.append(java_object)
        # ``ObjectOutputStream.writeSerialData`` begins with the topmost class; another order gives
        # the bytes of one class to the fields of another.
        for java_class in self.lineage(kind):
            if java_class.flags & _EXTERNALIZABLE:
                if not java_class.flags & _BLOCK_DATA:
                    msg = f"the Java class {java_class.name} writes bytes of its own"
                    raise SavepointError(msg)
            else:
                for code, name in java_class.fields:
                    java_object.fields[name] = self.read_value(code, depth)
            # What a class's own ``writeObject`` adds ends with TC_ENDBLOCKDATA only where
            # SC_WRITE_METHOD is set; without the flag the next class's fields follow at once.
            if java_class.flags & (_WRITE_METHOD | _EXTERNALIZABLE):
                java_object.additions += self.read_additions(depth)
        return java_object

    def lineage(self, kind: JavaClass) -> list[JavaClass]:
        """The class and those above it, the topmost first."""
        java_classes: list[JavaClass] = []
        above: JavaClass | None = kind
        while above is not None and len(java_classes) <= _DEEPEST:
            java_classes.insert(0, above)
            above = above.parent
        return java_classes

    def read_value(self, code: str, depth: int) -> Any:
        if code in "L[":
            return self.content(depth + 1)
        value = int.from_bytes(self.data.take(_WIDTHS[code]), "big", signed=True)
        return bool(value) if code == "Z" else value

    def read_array(self, depth: int) -> list[Any]:
        kind = self.read_class_of(depth)
        values: list[Any] = []
        self.handles.append(values)
        code = kind.name[1:2]
        if code not in _WIDTHS and code not in {"L", "["}:
            msg = f"a Java array has the unknown class {kind.name[:80]!r}"
            raise SavepointError(msg)
        count = self.data.read_count("elements of an array", _WIDTHS.get(code, 1))
        values.extend(self.read_value(code, depth) for _ in range(count))
        return values

    def read_enum(self, depth: int) -> Any:
        kind = self.read_class_of(depth)
        place = len(self.handles)
        self.handles.append(None)
        # ``ObjectOutputStream.writeEnum`` numbers the constant before its name, which takes a
        # number too.
        name = self.content(depth + 1)
        java_object = JavaObject(class_name=kind.name, fields={"name": name})
        self.handles[place] = java_object
        return java_object


_CONTENTS: Final[dict[int, Callable[[_JavaStream, int], Any]]] = {
    0x70: lambda _, __: None,
    0x71: _JavaStream.read_reference,
    0x72: _JavaStream.read_class,
    0x73: _JavaStream.read_object,
    0x74: _JavaStream.read_text,
    0x75: _JavaStream.read_array,
    0x76: _JavaStream.read_class_itself,
    0x77: lambda stream, _: bytes(stream.data.take(stream.data.read_byte())),
    0x78: lambda _, __: _END,
    0x7A: lambda stream, _: bytes(stream.data.take(stream.data.read_count("bytes of a block", 1))),
    0x7C: _JavaStream.read_long_text,
    0x7E: _JavaStream.read_enum,
}
"""Readers of an element by ``ObjectStreamConstants``, ``TC_NULL`` first."""
