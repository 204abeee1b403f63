"""Access to Java objects with classes that differ from release to release, by reflection.

What a class has is asked once; a getter that one release calls otherwise is named with its other
names; what has no public getter is read from its field.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from typing import Any, TypeVar

from py4j.protocol import Py4JError, Py4JJavaError

from explorer.capture.jvm.object_tables import NO_ANSWER, ObjectTable, TabledObject

Answer = TypeVar("Answer")


class JavaObjects:
    """What is known of the classes of one JVM; ``java`` is its py4j view."""

    def __init__(self, java: Any) -> None:
        self.java = java
        self._known: dict[tuple[str, ...], Any] = {}
        self._class_names: dict[str, str] = {}
        """By py4j's name of an object, its class: each object is asked once."""
        self._list = java.java.util.ArrayList

    def each(self, collection: Any) -> list[Any]:
        """The elements of a Java collection, in its own order."""
        if isinstance(collection, TabledObject):
            return list(collection)
        return list(self._list(collection))

    def tabled(self, value: Any) -> TabledObject:
        """The object in a new table: it and what it returns are read in columns."""
        return ObjectTable(self.java).root(value)

    def made_of(self, value: Any, class_name: str) -> Any:
        """A new object of that class, built from the one; in the same table if that is in one."""
        if isinstance(value, TabledObject):
            answer = value.ask("new", class_name)
            if answer is not NO_ANSWER:
                return answer
        return self.java_class(class_name)(value)

    def simple_name(self, value: Any) -> str:
        """The name of the object's class without its package."""
        kind = self._class_of(value)
        return self._once((kind, "simple"), lambda: str(value.getClass().getSimpleName()))

    def entries(self, mapping: Any) -> list[tuple[Any, Any]]:
        """The keys and values of a Java map, in its own order."""
        return [(entry.getKey(), entry.getValue()) for entry in self.each(mapping.entrySet())]

    def class_name(self, value: Any) -> str | None:
        """The full name of the object's class; None for null."""
        return None if value is None else self._class_of(value)

    def _class_of(self, value: Any) -> str:
        """The full name of an object's class."""
        if isinstance(value, TabledObject):
            return value.class_name
        key = str(value._get_object_id())  # noqa: SLF001 - py4j has no other name for it
        if key not in self._class_names:
            self._class_names[key] = str(value.getClass().getName())
        return self._class_names[key]

    def java_class(self, name: str) -> Any:
        """py4j's view of the class of that full name, found once."""
        return self._once((name, "view"), lambda: reduce(getattr, name.split("."), self.java))

    def constant(self, key: str, find: Callable[[], Answer]) -> Answer:
        """What is the same for all objects of this JVM, found once."""
        return self._once((key, "constant"), find)

    def has_class(self, name: str) -> bool:
        """Whether there is a class of that full name."""

        def loads() -> bool:
            with suppress(Py4JJavaError):
                self.java.java.lang.Class.forName(name)
                return True
            return False

        return self._once((name, "class"), loads)

    def has(self, value: Any, method: str) -> bool:
        """Whether the object has a public method of that name."""
        kind = self._class_of(value)
        return method in self._once((kind, "methods"), lambda: frozenset(dir(value)))

    def call(self, value: Any, *methods: str, default: Any = None) -> Any:
        """The answer of the first of these methods that the object has."""
        if value is None:
            return default
        for method in methods:
            if self.has(value, method):
                return self._call(value, method)
        return default

    def _call(self, value: Any, method: str) -> Any:
        try:
            return getattr(value, method)()
        except Py4JJavaError:
            raise
        except Py4JError:
            # py4j finds no default method of an interface that another interface extends.
            result = value.getClass().getMethod(method, self._none_of("java.lang.Class"))
            result.setAccessible(True)
            return result.invoke(value, self._none_of("java.lang.Object"))

    def _none_of(self, name: str) -> Any:
        """An empty array of the class of that name."""
        kind = self.java.java.lang.Class.forName(name)
        return self.java.java.lang.reflect.Array.newInstance(kind, 0)

    def field(self, value: Any, name: str, default: Any = None) -> Any:
        """The value of a field, private or inherited; ``default`` where the class has none."""
        if value is None:
            return default
        if isinstance(value, TabledObject):
            answer = value.ask("field", name)
            return default if answer is NO_ANSWER else answer
        result = self._field(value, name)
        return default if result is None else result.get(value)

    def set_field(self, owner: Any, name: str, value: Any) -> None:
        """Set a field, private or inherited, final or not; the class must have it."""
        self._field(owner, name).set(owner, value)

    def _field(self, value: Any, name: str) -> Any:
        kind = self._class_of(value)
        return self._once((kind, "field", name), lambda: _find_field(value.getClass(), name))

    def is_a(self, value: Any, name: str) -> bool:
        """Whether a class or an interface of this simple name is among the object's own."""
        if value is None:
            return False
        kind = self._class_of(value)
        return name in self._once((kind, "kinds"), lambda: _kinds(value.getClass()))

    def remembered(self, name: str) -> dict[str, Any]:
        """Return a caller's cache, by its name; it exists as long as this JVM."""
        values: dict[str, Any] = self._once(("remembered", name), dict)
        return values

    def _once(self, key: tuple[str, ...], find: Callable[[], Answer]) -> Answer:
        if key not in self._known:
            self._known[key] = find()
        answer: Answer = self._known[key]
        return answer


def _find_field(kind: Any, name: str) -> Any:
    """The field of that name, made readable; None where neither the class nor one above has it."""
    while kind is not None:
        with suppress(Py4JJavaError):
            value = kind.getDeclaredField(name)
            value.setAccessible(True)
            return value
        kind = kind.getSuperclass()
    return None


def _kinds(kind: Any) -> frozenset[str]:
    """The simple names of a class, of those that it extends, and of all their interfaces."""
    names, waiting = set(), [kind]
    while waiting:
        value = waiting.pop()
        if value is not None:
            names.add(str(value.getSimpleName()))
            waiting += [value.getSuperclass(), *value.getInterfaces()]
    return frozenset(names)
