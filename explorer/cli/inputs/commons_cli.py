"""Options and words of a command line, as Flink's command line tool parses them.

Mirrors ``DefaultParser`` of Commons CLI, which stops at the first word that is no option.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from explorer.errors import ExplorerError

UNLIMITED: Final = -2
_SHORTEST_PREFIX: Final = 2


class CliOption(NamedTuple):
    """``Option``: an option's short and long name, and and its number of values."""

    short: str
    long: str = ""
    values: int = 0


class CliLine:
    """``CommandLine``: options with their values, and the words after them."""

    def __init__(self) -> None:
        self.options: list[tuple[str, list[str]]] = []
        self.words: list[str] = []

    def has(self, short: str) -> bool:
        """Whether an option is set."""
        return any(name == short for name, _ in self.options)

    def value(self, short: str) -> str | None:
        """The first value of an option."""
        return next((values[0] for name, values in self.options if name == short and values), None)

    def all_values(self, short: str) -> list[str]:
        """All values of an option."""
        return [value for name, values in self.options if name == short for value in values]

    def properties(self, short: str) -> dict[str, str]:
        """``getOptionProperties``: by key, the value; true where there is none."""
        pairs = [values for name, values in self.options if name == short and values]
        return {pair[0]: pair[1] if len(pair) > 1 else "true" for pair in pairs}


def parse_line(words: Sequence[str], options: Sequence[CliOption]) -> CliLine:
    """Parse words; raises ``ExplorerError`` with the parser's message."""
    return _LineParser(options).parse(words)


class _LineParser:
    """The state of ``DefaultParser``: the options, the line, the option that waits for values."""

    def __init__(self, options: Sequence[CliOption]) -> None:
        self.by_short = {option.short: option for option in options}
        self.by_long = {option.long: option for option in options if option.long}
        self.line = CliLine()
        self.waiting: tuple[CliOption, list[str]] | None = None
        self.stopped = False

    def parse(self, words: Sequence[str]) -> CliLine:
        for word in words:
            self.read(word)
        self.require_values()
        return self.line

    def read(self, word: str) -> None:
        """``handleToken``."""
        if self.stopped:
            self.line.words.append(word)
        elif word == "--":
            self.stopped = True
        elif self.waiting and self.accepts() and self.is_value(word):
            self.add_value(word.removeprefix('"').removesuffix('"'))
        elif word.startswith("--"):
            self.read_long(word)
        elif word.startswith("-") and word != "-":
            self.read_short(word)
        else:
            self.stop_at(word)
        if self.waiting and not self.accepts():
            self.waiting = None

    def accepts(self) -> bool:
        """``acceptsArg``: whether the waiting option accepts another value."""
        if self.waiting is None:
            return False
        option, values = self.waiting
        return option.values == UNLIMITED or len(values) < option.values

    def is_value(self, word: str) -> bool:
        """Whether a word is no option; a negative number is a value, too."""
        return not (self.is_long(word) or self.is_short(word)) or _is_number(word)

    def is_long(self, word: str) -> bool:
        if not word.startswith("-") or len(word) == 1:
            return False
        if self.long_options(word.partition("=")[0]):
            return True
        return self.long_prefix(word) is not None and not word.startswith("--")

    def is_short(self, word: str) -> bool:
        name = word[1:].partition("=")[0] if word.startswith("-") else ""
        return name in self.by_short or name[:1] in self.by_short

    def long_options(self, word: str) -> list[str]:
        """The long names that a word is, or begins."""
        name = word.removeprefix("-").removeprefix("-")
        if name in self.by_long:
            return [name]
        return [long for long in self.by_long if long.startswith(name)]

    def long_prefix(self, word: str) -> str | None:
        """The longest long name with which a word begins, as Xmx in Xmx512m."""
        name = word.removeprefix("-").removeprefix("-")
        ends = range(len(name) - 2, _SHORTEST_PREFIX - 1, -1)
        return next((name[:end] for end in ends if name[:end] in self.by_long), None)

    def read_long(self, word: str) -> None:
        """``handleLongOption``."""
        name, equals, value = word.partition("=")
        matches = self.long_options(name)
        if not matches:
            self.stop_at(word)
            return
        if len(matches) > 1:
            choices = ", ".join(f"'{match}'" for match in matches)
            msg = f"Ambiguous option: '{name}'  (could be: {choices})"
            raise ExplorerError(msg)
        option = self.by_long[matches[0]]
        if equals and not option.values:
            self.stop_at(word)
            return
        self.open(option)
        if equals:
            self.add_value(value, is_last=True)

    def read_short(self, word: str) -> None:
        """``handleShortAndLongOption``."""
        name, equals, value = word[1:].partition("=")
        if equals:
            self.read_short_with_value(word, name, value)
        elif name in self.by_short:
            self.open(self.by_short[name])
        elif len(name) == 1:
            self.stop_at(word)
        elif self.long_options(name):
            self.read_long(word)
        elif (long := self.long_prefix(name)) and self.by_long[long].values:
            self.open(self.by_long[long])
            self.add_value(name[len(long) :], is_last=True)
        elif self.is_property(name):
            self.open(self.by_short[name[0]])
            self.add_value(name[1:], is_last=True)
        else:
            self.read_concatenated(word)

    def read_short_with_value(self, word: str, name: str, value: str) -> None:
        if len(name) == 1:
            option = self.by_short.get(name)
            if option is None or not option.values:
                self.stop_at(word)
                return
            self.open(option)
            self.add_value(value, is_last=True)
        elif self.is_property(name):
            self.open(self.by_short[name[0]])
            self.add_value(name[1:])
            self.add_value(value, is_last=True)
        else:
            self.read_long(word)

    def is_property(self, name: str) -> bool:
        """Whether a word is a property behind its option, as Dkey."""
        option = self.by_short.get(name[:1])
        return option is not None and (option.values > 1 or option.values == UNLIMITED)

    def read_concatenated(self, word: str) -> None:
        """``handleConcatenatedOptions``: short options one after another, the last with a value."""
        for turn, letter in enumerate(word[1:], start=1):
            if letter not in self.by_short:
                self.stop_at(word[turn:] if turn > 1 else word)
                return
            self.open(self.by_short[letter])
            if self.waiting and turn + 1 < len(word):
                self.add_value(word[turn + 1 :])
                return

    def open(self, option: CliOption) -> None:
        """``handleOption``."""
        self.require_values()
        values: list[str] = []
        self.line.options.append((option.short, values))
        self.waiting = (option, values) if option.values else None

    def add_value(self, text: str, *, is_last: bool = False) -> None:
        """``addValueForProcessing``: a property's key and value are two values."""
        if self.waiting is None:
            return
        option, values = self.waiting
        key, equals, remainder = text.partition("=")
        is_pair = option.values > 1 and equals and len(values) < option.values - 1
        values += [key, remainder] if is_pair else [text]
        if is_last:
            self.waiting = None

    def require_values(self) -> None:
        """``checkRequiredArgs``."""
        if self.waiting is None:
            return
        option, values = self.waiting
        if not values if option.values == UNLIMITED else self.accepts():
            msg = f"Missing argument for option: {option.short}"
            raise ExplorerError(msg)

    def stop_at(self, word: str) -> None:
        """``handleUnknownToken``: from here on words are the program's."""
        self.line.words.append(word)
        self.stopped = True


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
