"""Java objects that are read in columns: one call asks all known objects of a class.

Reading a StreamGraph object by object costs some 140 calls across the gateway for each operator.
Here the first object that is asked a question makes all objects of its class in the table answer
it, so the number of calls depends on classes and questions. ``java/explorer/capture/ObjectTable``
is the Java half; an object that cannot answer there is asked through the gateway as usual, which
raises Java's own exception.
"""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from py4j.java_gateway import JavaObject

JAR: Final = Path(__file__).parent / "capture.jar"
"""The compiled classes, built from the folder ``java`` by ``build_jar.py``."""
NO_ANSWER: Final[Any] = object()
"""The answer of an object with a class that lacks the method or the field, or that throws."""
_MAGIC: Final = "__"


class ObjectTable:
    """The objects that are reached from one root, and their answers so far.

    Answers are read once and stay: use a new table after Java has changed the objects.
    """

    def __init__(self, java: Any) -> None:
        self._table = java.explorer.capture.ObjectTable()
        self._rows: dict[int, TabledObject] = {}

    def root(self, value: Any) -> "TabledObject":
        """The object in this table; what it returns is in the table, too."""
        return self._row(int(self._table.add(value)), str(value.getClass().getName()))

    def real(self, row: int) -> Any:
        """The object of a row as py4j has it."""
        return self._table.get(row)

    def ask(self, class_name: str, kind: str, name: str, argument: Any) -> None:
        """Ask all objects of the class that have not answered, and keep their answers."""
        question = (kind, name, _key(argument))
        text = self._table.ask(class_name, kind, name, argument, _key(argument))
        value = iter(json.loads(text))
        for row, answer in zip(value, value, strict=True):
            self._row(row, class_name).answers[question] = self._read(answer)

    def _read(self, answer: Any) -> Any:
        match answer:
            case [row, class_name]:
                return self._row(row, class_name)
            case {"elements": elements}:
                return [self._read(element) for element in elements]
            case {}:
                return NO_ANSWER
            case _:
                return answer

    def _row(self, row: int, class_name: str) -> "TabledObject":
        if row not in self._rows:
            self._rows[row] = TabledObject(self, row, class_name)
        return self._rows[row]


class TabledObject(JavaObject):  # type: ignore[misc] # py4j ships no types
    """A Java object with answers from its table; py4j accepts it as an argument."""

    def __init__(self, table: ObjectTable, row: int, class_name: str) -> None:
        # JavaObject's own constructor needs the ID, which is only known once Java is asked.
        self._table, self.row, self.class_name = table, row, class_name
        self._real: Any = None
        self.answers: dict[tuple[str, str, str], Any] = {}
        """By kind, name and argument of a question."""

    @property
    def real(self) -> Any:
        """The object as py4j has it."""
        if self._real is None:
            self._real = self._table.real(self.row)
        return self._real

    def ask(self, kind: str, name: str, argument: Any = None) -> Any:
        """The answer to a question, which all objects of the class are asked in one call.

        Args:
            kind: ``method``, ``field``, ``elements``, ``new``, ``snapshot`` or ``equal``.
            name: The method, the field or the class that the question names.
            argument: The only argument of a method; None for no argument.

        Returns:
            A number, text, truth value, object of the table or list; ``NO_ANSWER`` where the class
            does not have the method or field, or it throws.
        """
        question = (kind, name, _key(argument))
        if question not in self.answers:
            self._table.ask(self.class_name, kind, name, argument)
        return self.answers[question]

    def _get_object_id(self) -> Any:
        return self.real._get_object_id()  # noqa: SLF001 - py4j's name for it

    def __getattr__(self, name: str) -> Any:
        if name.startswith(_MAGIC):
            raise AttributeError(name)
        return partial(self._call, name)

    def _call(self, name: str, *arguments: Any) -> Any:
        if not arguments or (len(arguments) == 1 and _is_plain_reference(arguments[0])):
            answer = self.ask("method", name, *arguments)
            if answer is not NO_ANSWER:
                return answer
        return getattr(self.real, name)(*arguments)

    def __iter__(self) -> Iterator[Any]:
        elements = self.ask("elements", "")
        return iter(self.real if elements is NO_ANSWER else elements)

    def __dir__(self) -> Any:
        return dir(self.real)

    def __str__(self) -> str:
        return str(self.toString())


def _is_plain_reference(argument: Any) -> bool:
    """Whether an argument is the same for all objects of a class, as a class loader is."""
    return isinstance(argument, JavaObject) and not isinstance(argument, TabledObject)


def _key(argument: Any) -> str:
    return "" if argument is None else str(argument._get_object_id())  # noqa: SLF001 - as above
