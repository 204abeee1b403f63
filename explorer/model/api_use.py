"""The uses of Flink's API by a program's classes, and the changes of that API by releases."""

import re
from typing import Final

from explorer.model.frozen import FrozenRecord

_PRIMITIVES: Final = {
    "B": "byte",
    "C": "char",
    "D": "double",
    "F": "float",
    "I": "int",
    "J": "long",
    "S": "short",
    "Z": "boolean",
    "V": "void",
}
_TYPE: Final = re.compile(r"(\[*)(?:L([^;]+);|([BCDFIJSZV]))")


class ApiUse(FrozenRecord, frozen=True, kw_only=True):
    """A class of Flink, or a member of one, that classes of a program use."""

    owner: str
    """The class by Java's internal name, as ``org/apache/flink/api/common/ExecutionConfig``."""
    member: str = ""
    """A method's name and descriptor, as ``open()V``, or a field's, as ``NAME:I``; empty: the
    class itself."""
    users: tuple[str, ...]
    """The program's classes that use it, sorted; with dots."""
    overrides: bool = False
    """Whether they override the method, so that nothing fails where Flink has it no more."""

    @property
    def name(self) -> str:
        """As source code has it: ``RichFunction.open(Configuration)``."""
        return api_name(self.owner, self.member)


class ApiChange(FrozenRecord, frozen=True, kw_only=True):
    """A removal or deprecation of a class or a member by a release."""

    release: str
    replacement: str = ""
    """Of a class: the new class of its simple name; of a member: the only other one of its name."""


def api_name(owner: str, member: str = "") -> str:
    """A class or a member as source code has it.

    >>> api_name("a/b/Rich$Part", "open(La/Configuration;[I)V")
    'Rich.Part.open(Configuration, int[])'
    """
    simple = owner.rpartition("/")[2].replace("$", ".")
    if not member:
        return simple
    name, bracket, remainder = member.partition("(")
    if not bracket:
        return f"{simple}.{name.partition(':')[0]}"
    return (
        f"{simple}.{method_name(member)}" if name != "<init>" else f"{simple}({_types(remainder)})"
    )


def method_name(member: str) -> str:
    """A method as source code has it, without its class: ``open(Configuration)``."""
    name, _, remainder = member.partition("(")
    return f"{name}({_types(remainder)})"


def _types(descriptor: str) -> str:
    """The parameters of a descriptor, by simple names."""
    values = _TYPE.findall(descriptor.partition(")")[0])
    return ", ".join(
        (_PRIMITIVES.get(basic) or name.rpartition("/")[2].replace("$", ".")) + "[]" * len(arrays)
        for arrays, name, basic in values
    )
