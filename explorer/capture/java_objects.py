"""Looking into Java objects whose classes differ from release to release, by reflection.

What a class has is asked once; a getter that one release calls otherwise is named with its other
names; what has no public getter is read from its field.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any, TypeVar

from py4j.protocol import Py4JError, Py4JJavaError

Answer = TypeVar("Answer")

_BETWEEN, _NULL = "\u0001", "\u0002"
_READERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "long": int,
    "java.lang.Integer": int,
    "java.lang.Long": int,
    "boolean": "true".__eq__,
}
"""By a method's type, how the text of its answer is read."""


class JavaObjects:
    """What is known of the classes of one JVM; ``java`` is its py4j view."""

    def __init__(self, java: Any) -> None:
        self.java = java
        self._known: dict[tuple[str, ...], Any] = {}
        self._class_names: dict[str, str] = {}
        """By py4j's name of an object, its class: each object is asked once."""
        self._list = java.java.util.ArrayList
        self._answers: dict[str, dict[str, Any]] = {}
        """By py4j's name of an object, what ``ask_all`` has asked it."""

    def each(self, collection: Any) -> list[Any]:
        """The elements of a Java collection, in its own order."""
        return list(self._list(collection))

    def ask_all(self, things: Sequence[Any], methods: Sequence[str]) -> None:
        """Ask many objects of one class in one call for each method; ``call`` knows the answers.

        Numbers, texts and truth values are themselves; of another object its text is the answer.
        Methods that the class does not have are left out.
        """
        if not things:
            return
        listed = self._list()
        for thing in things:
            listed.add(thing)
        for method in methods:
            if self.has(things[0], method):
                for thing, answer in zip(things, self._column(listed, method), strict=True):
                    self._answers.setdefault(str(thing._get_object_id()), {})[method] = answer  # noqa: SLF001 - as above

    def _column(self, listed: Any, method: str) -> list[Any]:
        """The answers of a list's elements, which Java joins to one text."""
        lang, util = self.java.java.lang, self.java.java.util
        found = listed.get(0).getClass().getMethod(method, self._none_of("java.lang.Class"))
        found.setAccessible(True)
        handles = lang.invoke.MethodHandles
        lookup = handles.publicLookup()
        handle = handles.filterReturnValue(
            lookup.unreflect(found).asType(self._takes_and_returns(found)), self._to_text()
        )
        function = lang.invoke.MethodHandleProxies.asInterfaceInstance(
            lang.Class.forName("java.util.function.Function"), handle
        )
        joined = str(
            listed.stream().map(function).collect(util.stream.Collectors.joining(_BETWEEN))
        )
        texts = joined.split(_BETWEEN)
        read = _READERS.get(str(found.getReturnType().getName()), str)
        if len(texts) != len(listed):  # a text holds what stands between
            return [self._called(one, method) for one in listed]
        return [None if text == _NULL else read(text) for text in texts]

    def _takes_and_returns(self, method: Any) -> Any:
        """The type of a handle that takes the method's object and returns any object."""
        lang = self.java.java.lang
        any_object = lang.Class.forName("java.lang.Object")
        return lang.invoke.MethodType.methodType(any_object, method.getDeclaringClass())

    def _to_text(self) -> Any:
        """A handle of ``Objects.toString(object, "null")`` with a null of ours."""
        lang = self.java.java.lang
        names = ("java.lang.Object", "java.lang.String")
        array = lang.reflect.Array
        kinds = array.newInstance(lang.Class.forName("java.lang.Class"), len(names))
        for position, name in enumerate(names):
            array.set(kinds, position, lang.Class.forName(name))
        nulls = array.newInstance(lang.Class.forName("java.lang.Object"), 1)
        array.set(nulls, 0, _NULL)
        found = lang.Class.forName("java.util.Objects").getMethod("toString", kinds)
        handles = lang.invoke.MethodHandles
        handle = handles.publicLookup().unreflect(found)
        return handles.insertArguments(handle, 1, nulls)

    def simple_name(self, thing: Any) -> str:
        """The name of the object's class without its package."""
        kind = self._class_of(thing)
        return self._once((kind, "simple"), lambda: str(thing.getClass().getSimpleName()))

    def entries(self, mapping: Any) -> list[tuple[Any, Any]]:
        """The keys and values of a Java map, in its own order."""
        return [(entry.getKey(), entry.getValue()) for entry in self.each(mapping.entrySet())]

    def class_name(self, thing: Any) -> str | None:
        """The full name of the object's class; None for null."""
        return None if thing is None else self._class_of(thing)

    def _class_of(self, thing: Any) -> str:
        """The full name of an object's class."""
        key = str(thing._get_object_id())  # noqa: SLF001 - py4j has no other name for it
        if key not in self._class_names:
            self._class_names[key] = str(thing.getClass().getName())
        return self._class_names[key]

    def java_class(self, name: str) -> Any:
        """py4j's view of the class of that full name, found once."""
        return self._once((name, "view"), lambda: reduce(getattr, name.split("."), self.java))

    def constant(self, key: str, find: Callable[[], Answer]) -> Answer:
        """What is the same for all objects of this JVM, found once."""
        return self._once((key, "constant"), find)

    def has_class(self, name: str) -> bool:
        """Whether there is a class of that full name."""
        return bool(self._once((name, "class"), lambda: self._loads(name)))

    def _loads(self, name: str) -> bool:
        try:
            self.java.java.lang.Class.forName(name)
        except Py4JJavaError:
            return False
        return True

    def has(self, thing: Any, method: str) -> bool:
        """Whether the object has a public method of that name."""
        kind = self._class_of(thing)
        return method in self._once((kind, "methods"), lambda: frozenset(dir(thing)))

    def call(self, thing: Any, *methods: str, default: Any = None) -> Any:
        """The answer of the first of these methods that the object has."""
        if thing is None:
            return default
        if self._answers:
            known = self._answers.get(str(thing._get_object_id()), {})  # noqa: SLF001 - as above
            for method in methods:
                if method in known:
                    return known[method]
        for method in methods:
            if self.has(thing, method):
                return self._called(thing, method)
        return default

    def _called(self, thing: Any, method: str) -> Any:
        try:
            return getattr(thing, method)()
        except Py4JJavaError:
            raise
        except Py4JError:
            # py4j finds no default method of an interface that another interface extends.
            found = thing.getClass().getMethod(method, self._none_of("java.lang.Class"))
            found.setAccessible(True)
            return found.invoke(thing, self._none_of("java.lang.Object"))

    def _none_of(self, name: str) -> Any:
        """An empty array of the class of that name."""
        kind = self.java.java.lang.Class.forName(name)
        return self.java.java.lang.reflect.Array.newInstance(kind, 0)

    def field(self, thing: Any, name: str, default: Any = None) -> Any:
        """The value of a field, private or inherited; ``default`` where the class has none."""
        if thing is None:
            return default
        found = self._field(thing, name)
        return default if found is None else found.get(thing)

    def set_field(self, thing: Any, name: str, value: Any) -> None:
        """Set a field, private or inherited, final or not; the class must have it."""
        self._field(thing, name).set(thing, value)

    def _field(self, thing: Any, name: str) -> Any:
        kind = self._class_of(thing)
        return self._once((kind, "field", name), lambda: _declared(thing.getClass(), name))

    def is_a(self, thing: Any, name: str) -> bool:
        """Whether a class or an interface of this simple name is among the object's own."""
        if thing is None:
            return False
        kind = self._class_of(thing)
        return name in self._once((kind, "kinds"), lambda: _kinds(thing.getClass()))

    def remembered(self, what: str) -> dict[str, Any]:
        """Answers that a caller keeps for the lifetime of this JVM, by a text of its own."""
        found: dict[str, Any] = self._once(("remembered", what), dict)
        return found

    def _once(self, key: tuple[str, ...], find: Callable[[], Answer]) -> Answer:
        if key not in self._known:
            self._known[key] = find()
        known: Answer = self._known[key]
        return known


def _declared(kind: Any, name: str) -> Any:
    """The field of that name, made readable; None where neither the class nor one above has it."""
    while kind is not None:
        with suppress(Py4JJavaError):
            found = kind.getDeclaredField(name)
            found.setAccessible(True)
            return found
        kind = kind.getSuperclass()
    return None


def _kinds(kind: Any) -> frozenset[str]:
    """The simple names of a class, of those that it extends, and of all their interfaces."""
    names, waiting = set(), [kind]
    while waiting:
        one = waiting.pop()
        if one is not None:
            names.add(str(one.getSimpleName()))
            waiting += [one.getSuperclass(), *one.getInterfaces()]
    return frozenset(names)
