"""Whether a text is a value of an option's type.

Mirrors ``ConfigurationUtils.convertValue`` and ``StructuredOptionsSplitter``, release by release.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Final

from explorer.flink.declared_options import DeclaredOption
from explorer.flink.option_values import NANOSECONDS, SIZE_UNITS
from explorer.flink.releases import Release
from explorer.java_numbers import fits_int, fits_long
from explorer.wording import listed

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,19}")
_FLOAT: Final = re.compile(
    r"[+-]?(NaN|Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[fFdD]?"
    r"|0[xX]([0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFdD]?)"
)
_MEASURE: Final = re.compile(r"([0-9]{1,40})([^0-9].*)?", re.DOTALL)
_ISO: Final = re.compile(
    r"\+?P(?=.)([0-9]+D)?(T(?=[0-9])([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]{0,9})?S)?)?", re.IGNORECASE
)
_PAIR_OF_YAML: Final = re.compile(r"\{.*\}|[^{\s][^{]*?:\s+(?!.*:\s)\S.*", re.DOTALL)
_KEY_AND_VALUE: Final = 2
_JAVA_SPACE: Final = "".join(map(chr, range(33)))
"""What ``String.trim`` removes."""
_EXAMPLES: Final[Mapping[str, str]] = {
    "Boolean": "true or false",
    "Integer": "a whole number, as 4",
    "Long": "a whole number, as 4",
    "Float": "a number, as 0.5",
    "Double": "a number, as 0.5",
    "Duration": "a duration, as 10 s",
    "MemorySize": "a size, as 64 mb",
    "Map": "pairs, as key:value,other:value",
}


def is_readable(option: DeclaredOption, text: str, release: Release) -> bool:
    """Whether the release reads the text as a value of the option; true for an unknown type.

    >>> from explorer.flink.releases import release
    >>> is_readable(DeclaredOption(type="Duration"), "10 parsecs", release("1.20"))
    False
    """
    return _is_of_type(option.type, option.constants, text, release)


def describe_values(option: DeclaredOption) -> str:
    """The values that an option may have, in words.

    >>> describe_values(DeclaredOption(type="enum X", constants=("A", "B")))
    'A or B'
    """
    element = option.type.removeprefix("List<").removesuffix(">")
    words = listed(option.constants, "or") if option.constants else _EXAMPLES.get(element, "a text")
    return words if element == option.type else f"a list, as of {words}"


def _is_of_type(name: str, constants: Iterable[str], text: str, release: Release) -> bool:
    if name.startswith("List<"):
        parts, element = _list_parts(text, release), name[5:-1]
        return parts is not None and all(
            _is_of_type(element, constants, part, release) for part in parts
        )
    if name.startswith("enum "):
        # ``ConfigurationUtils.convertToEnum`` compares in upper case: an option in small letters is
        # no error.
        return text.upper() in {constant.upper() for constant in constants}
    return name not in _TYPES or _TYPES[name](text, release)


def _list_parts(text: str, release: Release) -> list[str] | None:
    """The elements of a list; None: Flink cannot split the text."""
    if release.yaml_values and text.startswith("[") and text.endswith("]"):
        # Only the elements' types are looked at, so that commas in quotes do no harm.
        return [part.strip().strip("'\"") for part in text[1:-1].split(",") if part.strip()]
    return _split(text, ";")


def _split(text: str, delimiter: str) -> list[str] | None:
    """``StructuredOptionsSplitter.splitEscaped``: None: Flink refuses the quotes.

    >>> _split("'a;b'; c", ";"), _split("'a", ";"), _split("'a'b", ";")
    (['a;b', 'c'], None, None)
    """
    pattern = (
        rf"\s+|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|{delimiter}|[^'\"\s{delimiter}][^{delimiter}]*"
    )
    tokens, end = [], 0
    for match in re.finditer(pattern, text):
        if match.start() != end:
            return None
        end = match.end()
        if not match[0].isspace():
            tokens.append(match[0])
    pairs = pairwise(tokens)
    if end != len(text) or any(
        token[0] in "'\"" and following != delimiter for token, following in pairs
    ):
        return None
    quoted = {"'", '"'}
    return [
        token[1:-1].replace(token[0] * 2, token[0])
        if token[0] in quoted
        else token.strip(_JAVA_SPACE)
        for token in tokens
        if token != delimiter
    ]


def _is_whole(fits: Callable[[int], bool]) -> Callable[[str, Release], bool]:
    return lambda text, _: bool(_WHOLE.fullmatch(text)) and fits(int(text))


def _is_float(text: str, _: Release) -> bool:
    """``Double.parseDouble``, which trims, and reads Java's suffixes and hexadecimal numbers."""
    return _FLOAT.fullmatch(text.strip(_JAVA_SPACE)) is not None


def _measure(text: str, units: Mapping[str, int]) -> tuple[int, int] | None:
    """The number and the factor of its unit; None: there is no number, or no such unit."""
    match = _MEASURE.fullmatch(text.strip(_JAVA_SPACE))
    factor = units.get((match[2] or "").strip(_JAVA_SPACE).lower()) if match else None
    return None if match is None or factor is None else (int(match[1]), factor)


def _is_size(text: str, _: Release) -> bool:
    measure = _measure(text, SIZE_UNITS)
    return measure is not None and fits_long(measure[0] * measure[1])


def _is_duration(text: str, release: Release) -> bool:
    """``TimeUtils.parseDuration``: a Java duration holds a long of seconds."""
    trimmed = text.strip(_JAVA_SPACE)
    if release.iso_durations and _ISO.fullmatch(trimmed):
        return True
    measure = _measure(trimmed, NANOSECONDS)
    if measure is None or (not release.minute_letter and trimmed.lower().endswith("m")):
        return False
    number, factor = measure
    fits = release.durations_of_any_size or fits_long(number)
    # A ``Duration`` holds seconds in a long and nanoseconds besides: the product of both may not
    # fit a long and the value still be read.
    return fits and fits_long(number * factor // 10**9)


def _is_map(text: str, release: Release) -> bool:
    if release.yaml_values and _PAIR_OF_YAML.fullmatch(text):
        return True
    pairs = _split(text, ",")
    # ``ConfigurationUtils.convertToProperties`` cuts at commas and then at colons, quotes apart; a
    # pair with a colon in its value needs quotes, or Flink refuses the whole map.
    return pairs is not None and all(
        len(_split(pair, ":") or ()) == _KEY_AND_VALUE for pair in pairs
    )


_TYPES: Final[Mapping[str, Callable[[str, Release], bool]]] = {
    "Boolean": lambda text, _: text.upper() in {"TRUE", "FALSE"},
    "Integer": _is_whole(fits_int),
    "Long": _is_whole(fits_long),
    "Float": _is_float,
    "Double": _is_float,
    "Duration": _is_duration,
    "MemorySize": _is_size,
    "Map": _is_map,
}
