"""Reads Java class files: names, members, the references of the constant pool, and calls by line.

Mirrors chapter 4 of the Java Virtual Machine Specification. Nothing is loaded or run; sizes and
counts have limits. The code of a method is not decoded: an instruction is found by its bytes, and
counts if the constants that it names fit.
"""

import re
import struct
from collections.abc import Iterator
from struct import Struct
from typing import Final

from explorer.errors import ExplorerError
from explorer.model.frozen import FrozenRecord

MAX_CLASS: Final = 4 << 20
"""Bytes of a class file that is read; Java's own limits allow little more."""
PRIVATE: Final = 0x0002
STATIC: Final = 0x0008
_MAGIC: Final = b"\xca\xfe\xba\xbe"
_UTF8, _CLASS, _STRING, _NAME_AND_TYPE = 1, 7, 8, 12
_REFERENCES: Final = frozenset({9, 10, 11})
"""Tags of a field, a method and an interface's method."""
_WIDE: Final = frozenset({5, 6})
"""Tags of a long and a double, which occupy two entries."""
_SIZES: Final = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2}
_SIZES_FROM_9: Final = {17: 4, 18: 4, 19: 2, 20: 2}
_SHORT: Final = Struct(">H")
_PAIR: Final = Struct(">HH")
_INT: Final = Struct(">I")
_INVOKES: Final = re.compile(rb"[\xb6\xb7\xb8\xb9](..)", re.DOTALL)
"""An instruction that calls a method, with the position of its constant."""


class ClassFileError(ExplorerError):
    """Bytes that are no class file."""


class Reference(FrozenRecord, frozen=True, kw_only=True):
    """A class, or a member of one, that a class file refers to."""

    owner: str
    """The class, as ``org/apache/flink/Name$Inner``."""
    member: str | None = None
    """A method's name and descriptor, as ``open()V``, or a field's, as ``NAME:I``; None: none."""

    @property
    def name(self) -> str:
        """The member's name; empty where there is no member."""
        return re.split("[(:]", self.member or "")[0]

    @property
    def descriptor(self) -> str:
        """The member's type; of a method, with its parentheses."""
        return (self.member or "").removeprefix(self.name).removeprefix(":")


class Member(FrozenRecord, frozen=True, kw_only=True):
    """A field or a method that a class declares."""

    key: str
    """As ``Reference.member``."""
    access: int
    deprecated: bool


class Method(FrozenRecord, frozen=True, kw_only=True):
    """A method with its code."""

    name: str
    code: bytes
    lines: tuple[tuple[int, int], ...]
    """Positions in the code at which lines begin, and their numbers; ascending by position."""

    def line_at(self, position: int) -> int | None:
        """The line of an instruction; None where the class holds no lines."""
        return next((line for start, line in reversed(self.lines) if start <= position), None)


class ClassFile(FrozenRecord, frozen=True, kw_only=True):
    """Declarations and references of a class file; names are Java's internal ones, with slashes."""

    name: str
    access: int
    super_name: str | None
    interfaces: tuple[str, ...]
    members: tuple[Member, ...]
    deprecated: bool
    annotations: frozenset[str]
    """Types of its annotations, as ``Lorg/apache/flink/annotation/Public;``."""
    references: frozenset[Reference]
    methods: tuple[Method, ...]
    """Methods with code, in the file's order."""
    constants: "ConstantPool"

    def calls(self, method: Method) -> Iterator[tuple[int, Reference]]:
        """The methods that a method calls, each with the position of the call in its code."""
        for match in _INVOKES.finditer(method.code):
            called = self.constants.reference(int.from_bytes(match[1], "big"))
            if called is not None and called.descriptor.startswith("("):
                yield match.start(), called


class _ClassBytes:
    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def short(self) -> int:
        (value,) = _SHORT.unpack_from(self.content, self.at)
        self.at += 2
        return int(value)

    def block(self) -> "_ClassBytes":
        """The bytes that a length of four bytes precedes."""
        (size,) = _INT.unpack_from(self.content, self.at)
        start = self.at + 4
        if start + size > len(self.content):
            msg = "a class file ends in the middle of an attribute"
            raise ClassFileError(msg)
        self.at = start + size
        return _ClassBytes(self.content[start : self.at])


class ConstantPool:
    """A class file's constants: texts, and pairs of positions."""

    def __init__(self, read: _ClassBytes) -> None:
        self.texts: dict[int, bytes] = {}
        self.classes: dict[int, int] = {}
        self.strings: dict[int, int] = {}
        self.named: dict[int, tuple[int, int]] = {}
        self.referred: dict[int, tuple[int, int]] = {}
        position, count = 1, read.short()
        while position < count:
            position += self._entry(read, position)

    def _entry(self, read: _ClassBytes, position: int) -> int:
        """Read one entry and return how many positions it occupies."""
        tag = read.content[read.at]
        read.at += 1
        if tag == _UTF8:
            size = read.short()
            self.texts[position] = read.content[read.at : read.at + size]
            read.at += size
            return 1
        size = _SIZES.get(tag) or _SIZES_FROM_9.get(tag) or 0
        if not size:
            msg = f"a class file has a constant of the unknown kind {tag}"
            raise ClassFileError(msg)
        if tag in {_CLASS, _STRING}:
            kind = self.classes if tag == _CLASS else self.strings
            (kind[position],) = _SHORT.unpack_from(read.content, read.at)
        elif tag == _NAME_AND_TYPE:
            self.named[position] = _PAIR.unpack_from(read.content, read.at)
        elif tag in _REFERENCES:
            self.referred[position] = _PAIR.unpack_from(read.content, read.at)
        read.at += size
        return 2 if tag in _WIDE else 1

    def text(self, position: int) -> str:
        """The text of an entry; raises ``KeyError`` where it is none."""
        return self.texts[position].decode("utf-8", errors="replace")

    def string(self, position: int) -> str | None:
        """The text that a string stands for; None for any other constant."""
        return self.text(self.strings[position]) if position in self.strings else None

    def class_name(self, position: int) -> str:
        """The name of a class; raises ``KeyError`` where there is none."""
        return self.text(self.classes[position])

    def member(self, name: int, descriptor: int) -> str:
        """The key of a member, as ``Reference.member``."""
        type = self.text(descriptor)
        return f"{self.text(name)}{type}" if type.startswith("(") else f"{self.text(name)}:{type}"

    def reference(self, position: int) -> Reference | None:
        """The field or the method of a constant; None for any other constant."""
        if position not in self.referred:
            return None
        owner, named = self.referred[position]
        return Reference(
            owner=_element(self.class_name(owner)), member=self.member(*self.named[named])
        )


def read_class(content: bytes, most: int = MAX_CLASS) -> ClassFile:
    """Read a class file up to a limit of bytes; raises ``ClassFileError`` for anything else."""
    if not content.startswith(_MAGIC) or len(content) > most:
        msg = "these bytes are no class file"
        raise ClassFileError(msg)
    try:
        read = _ClassBytes(content)
        read.at = 8
        pool = ConstantPool(read)
        access, name, parent = read.short(), read.short(), read.short()
        interfaces = tuple(pool.class_name(read.short()) for _ in range(read.short()))
        fields = tuple(member for member, _ in _members(read, pool))
        methods = tuple(_members(read, pool))
        attributes = dict(_attributes(read, pool))
        owners = (_element(pool.class_name(position)) for position in pool.classes)
        members_referred = filter(None, map(pool.reference, pool.referred))
        return ClassFile(
            name=pool.class_name(name),
            access=access,
            super_name=pool.class_name(parent) if parent else None,
            interfaces=interfaces,
            members=(*fields, *(member for member, _ in methods)),
            deprecated="Deprecated" in attributes,
            annotations=frozenset(_annotations(attributes, pool)),
            references=frozenset(
                [*(Reference(owner=owner) for owner in owners), *members_referred]
            ),
            methods=tuple(
                _method(member, code, pool) for member, code in methods if code is not None
            ),
            constants=pool,
        )
    except (IndexError, KeyError, ValueError) as error:
        msg = f"a class file is damaged: {error}"
        raise ClassFileError(msg) from None
    except struct.error as error:
        msg = f"a class file ends too early: {error}"
        raise ClassFileError(msg) from None


def _members(read: _ClassBytes, pool: ConstantPool) -> Iterator[tuple[Member, _ClassBytes | None]]:
    """Yield each field or method with its attribute ``Code``; both have one layout."""
    for _ in range(read.short()):
        access, name, descriptor = read.short(), read.short(), read.short()
        attributes = dict(_attributes(read, pool))
        member = Member(
            key=pool.member(name, descriptor), access=access, deprecated="Deprecated" in attributes
        )
        yield member, attributes.get("Code")


def _method(member: Member, read: _ClassBytes, pool: ConstantPool) -> Method:
    read.at = 4  # the sizes of stack and local variables
    code = read.block().content
    handlers = read.short()
    read.at += 8 * handlers
    table = dict(_attributes(read, pool)).get("LineNumberTable")
    lines = ((table.short(), table.short()) for _ in range(table.short())) if table else ()
    return Method(name=member.key.partition("(")[0], code=code, lines=tuple(sorted(lines)))


def _attributes(read: _ClassBytes, pool: ConstantPool) -> Iterator[tuple[str, _ClassBytes]]:
    for _ in range(read.short()):
        yield pool.text(read.short()), read.block()


def _annotations(attributes: dict[str, _ClassBytes], pool: ConstantPool) -> Iterator[str]:
    """Yield the types of annotations without members, as stability annotations are."""
    for name in ("RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"):
        read = attributes.get(name)
        for _ in range(read.short() if read else 0):
            if read is None or read.at + 4 > len(read.content):
                break
            yield pool.text(read.short())
            if read.short():
                break  # members would have to be skipped


def _element(name: str) -> str:
    """Return the name of a class, or of an array's element class."""
    return name.lstrip("[").removeprefix("L").removesuffix(";") if name.startswith("[") else name
