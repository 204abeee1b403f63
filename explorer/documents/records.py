"""Plain values as records, with msgspec; its complaints as sentences with a path."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

from explorer.errors import DocumentError
from explorer.java_numbers import fits_long
from explorer.wording import TYPE_WORDS, described, listed, quoted, quoting_hint, step, suggestion

Record = TypeVar("Record", bound=msgspec.Struct)

_COMPLAINT: Final = re.compile(
    r"(?P<what>.*?)(?: - at (?P<key>`key` in )?`\$(?P<path>(?:\.[\w-]+|\[\d+\]|\[\.\.\.\])*)`)?",
    re.DOTALL,
)
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|(\[\.\.\.\])")
_EXPECTED: Final = re.compile(r"Expected `(?P<wanted>[^`]*)`")
_LENGTH: Final = re.compile(r"Expected `array` of length (?P<wanted>\d+), got (?P<given>\d+)")
_FIELD: Final = re.compile(
    r"Object (?P<how>missing required|contains unknown) field `(?P<name>.*)`", re.DOTALL
)
_PYTHON: Final[Mapping[str, tuple[type, ...]]] = {
    "int": (int,),
    "float": (int, float),
    "str": (str,),
    "bool": (bool,),
    "array": (tuple, list),
    "object": (dict,),
    "null": (type(None),),
}
"""Python types of each of msgspec's words; a sentence names the last one."""


def to_record(values: object, record: type[Record]) -> Record:
    """Convert plain values; raises ``DocumentError`` with the path of the first misfit."""
    try:
        msgspec.msgpack.encode(values)
        return msgspec.convert(values, record)
    except msgspec.ValidationError as error:
        raise _sentence(str(error), values, record) from None
    except RecursionError:
        raise DocumentError(path="", problem="the document contains itself") from None
    except (UnicodeEncodeError, OverflowError, TypeError) as error:
        faulty, problem = _UNWRITABLE[type(error)]
        raise DocumentError(
            next((path for path, leaf in _leaves(values, "") if faulty(leaf)), ""), problem
        ) from None


def _sentence(complaint: str, values: object, record: type) -> DocumentError:
    match = _COMPLAINT.fullmatch(complaint)
    what, path = (match["what"], match["path"] or "") if match else (complaint, "")
    if match and match["key"]:
        place, holder = _misfit(values, path, lambda value: _strange_key(value) is not None)
        key = _strange_key(holder)
        problem = (
            f"a column or option name must be text, but is {described(key)}{quoting_hint(key)}"
        )
        return DocumentError(place.lstrip("."), problem)
    if field := _FIELD.fullmatch(what):
        return _field_sentence(field["how"], field["name"], path, values, record)
    if length := _LENGTH.match(what):
        problem = f"must be a list of {length['wanted']}, but has {length['given']}"
        return DocumentError(path.lstrip("."), problem)
    if expected := _EXPECTED.match(what):
        return _type_sentence(expected["wanted"].split(" | "), values, path)
    if what.startswith("Invalid enum value"):
        allowed = [str(choice) for choice in getattr(_type_at(record, path), "values", ())]
        path, value = _misfit(values, path, lambda value: value not in allowed)
        hint = suggestion(str(value), allowed)
        problem = f"must be {listed(allowed, 'or')}, but is {described(value)}{hint}"
        return DocumentError(path.lstrip("."), problem)
    return DocumentError(path.lstrip("."), what)


def _field_sentence(how: str, name: str, path: str, values: object, record: type) -> DocumentError:
    missing = how == "missing required"
    at, _ = _misfit(
        values, path, lambda value: isinstance(value, Mapping) and (name in value) is not missing
    )
    place = f"{at}.{step(name)}".lstrip(".")
    if missing:
        return DocumentError(place, "is missing and must be given")
    kind = _type_at(record, path)
    anies = [field.encode_name for field in getattr(kind, "fields", ())]
    hint = suggestion(name, anies) or (f"; the fields are {listed(anies)}" if anies else "")
    return DocumentError(place, f"there is no field {quoted(name)}{hint}")


def _type_sentence(wanted: list[str], values: object, path: str) -> DocumentError:
    known = [_PYTHON[word] for word in wanted if word in _PYTHON]
    types = {kind for kinds in known for kind in kinds}
    path, value = _misfit(values, path, lambda value: type(value) not in types)
    names = [TYPE_WORDS[kinds[-1]] for kinds in known if kinds != _PYTHON["null"]]
    words = listed(names or ["left out"], "or")
    if path == ".flink":
        return DocumentError(
            "flink", f'write the release in quotes, as in "1.20", not {quoted(value)}'
        )
    fix = quoting_hint(value) if "str" in wanted else ""
    return DocumentError(path.lstrip("."), f"must be {words}, but is {described(value)}{fix}")


def _strange_key(values: object) -> Any:
    """Return the first key of a mapping that is not text; None if all are."""
    keys = values if isinstance(values, Mapping) else ()
    return next((key for key in keys if not isinstance(key, str)), None)


def _misfit(values: object, path: str, faulty: Callable[[Any], bool]) -> tuple[str, Any]:
    """The first value at a path that is faulty; msgspec does not say which entry of a mapping.

    Where none is, as behind a key that is no text, the path as it was written and the whole.
    """
    pairs: list[tuple[str, Any]] = [("", values)]
    for match in _STEP.finditer(path):
        pairs = [pair for at, value in pairs for pair in _below(at, value, match)]
    return next(((at, value) for at, value in pairs if faulty(value)), (path, values))


def _below(at: str, value: Any, part: re.Match[str]) -> Iterator[tuple[str, Any]]:
    """Yield what a step of a path leads to: a field, an element or each entry of a mapping."""
    name, index, _ = part.groups()
    if name and isinstance(value, Mapping) and name in value:
        yield f"{at}{part[0]}", value[name]
    elif index and isinstance(value, list | tuple) and int(index) < len(value):
        yield f"{at}{part[0]}", value[int(index)]
    elif not name and not index and isinstance(value, Mapping):
        yield from ((f"{at}.{step(key)}", value[key]) for key in value)


def _type_at(record: type, path: str) -> inspect.Type:
    """Return the declared type at a path, without its ``| None``."""
    kind = _plain(inspect.type_info(record))
    for name, _, _ in _STEP.findall(path):
        if isinstance(kind, inspect.StructType):
            field = next((item for item in kind.fields if item.encode_name == name), None)
            kind = _plain(field.type) if field else kind
        elif isinstance(kind, inspect.VarTupleType):
            kind = _plain(kind.item_type)
        elif isinstance(kind, inspect.DictType):
            kind = _plain(kind.value_type)
    return kind


def _plain(kind: inspect.Type) -> inspect.Type:
    if isinstance(kind, inspect.UnionType):
        return next(type_ for type_ in kind.types if not isinstance(type_, inspect.NoneType))
    return kind


def _leaves(values: object, path: str) -> Iterable[tuple[str, object]]:
    """Yield every key and scalar with its path, in the document's order."""
    if isinstance(values, Mapping):
        for key, value in values.items():
            yield path, key
            yield from _leaves(value, f"{path}.{step(key)}".lstrip("."))
    elif isinstance(values, list | tuple):
        for position, value in enumerate(values):
            yield from _leaves(value, f"{path}[{position}]")
    else:
        yield path, values


_UNWRITABLE: Final[Mapping[type[Exception], tuple[Callable[[object], bool], str]]] = {
    UnicodeEncodeError: (
        lambda leaf: isinstance(leaf, str) and any("\ud800" <= item <= "\udfff" for item in leaf),
        "the text holds half of a character (a lone surrogate); write the whole one",
    ),
    OverflowError: (
        lambda leaf: isinstance(leaf, int) and not fits_long(leaf),
        "the number does not fit into 64 bits",
    ),
    TypeError: (
        lambda leaf: not isinstance(leaf, str | int | float | bool | None),
        "must be a plain value: text, a number, true, false, a list or a mapping",
    ),
}
"""Find the faulty leaf by the exception that msgspec raises, and describe the problem."""
