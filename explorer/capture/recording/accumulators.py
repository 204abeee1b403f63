"""The accumulators that a job's functions register, with the values of a job without records.

A function registers them in ``open``, which a capture does not call: names and classes are read
from the function's compiled class.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from py4j.protocol import Py4JError

from explorer.capture.jvm.java_objects import JavaObjects
from explorer.documents.readers.class_files import ClassFile, ClassFileError, Reference, read_class

_PACKAGE: Final = "org.apache.flink.api.common.accumulators"
_COUNTERS: Final = {
    "getIntCounter": f"{_PACKAGE}.IntCounter",
    "getLongCounter": f"{_PACKAGE}.LongCounter",
    "getDoubleCounter": f"{_PACKAGE}.DoubleCounter",
    "getHistogram": f"{_PACKAGE}.Histogram",
}
"""By method of the ``RuntimeContext``, the accumulator that it registers under a name."""
_HELPERS: Final = {"CollectHelper": "SerializedListAccumulator", "CountHelper": "LongCounter"}
"""By output format of a DataSet job that returns rows, its accumulator."""
_NAME: Final = rb"(?:\x12(?P<short>.)|\x13(?P<wide>..))"
_VALUE: Final = rb"(?:\x2a\xb4(?P<field>..)|\xb2(?P<static>..)|\xbb..\x59\xb7(?P<made>..))"
_REGISTERED: Final = re.compile(
    _NAME + rb"(?:" + _VALUE + rb"\xb9(?P<add>..)\x03\x00|\xb9(?P<get>..)\x02\x00)", re.DOTALL
)
"""``addAccumulator("name", this.field)`` and ``getIntCounter("name")`` as javac compiles them."""
_MOST_BYTES: Final = 1 << 20
"""Of a class file that is fetched from the JVM."""
_OBJECT: Final = re.compile(r"L(.+);")


def empty_accumulators(objects: JavaObjects, pipeline: Any) -> dict[str, Any]:
    """Return the accumulators of a StreamGraph or a DataSet plan by name, with nothing added."""
    values: dict[str, Any] = {}
    for function in _functions(objects, pipeline):
        for name, kind, field in _read_registrations(objects, function):
            # An accumulator to which nothing was added; None where it cannot be made.
            held_value = None if field is None else objects.field(function, field)
            accumulator = (
                _create_accumulator(objects, kind, function) if held_value is None else held_value
            )
            if accumulator is not None:
                values.setdefault(name, accumulator)
    return values


def fetched_results(objects: JavaObjects, pipeline: Any) -> dict[str, Any]:
    """By name, the empty accumulators in which ``DataSet.collect`` and ``count`` return rows."""
    if objects.has(pipeline, "getStreamNodes"):
        return {}
    return {
        str(objects.field(function, "id")): _create_accumulator(
            objects, f"{_PACKAGE}.{accumulator}", function
        )
        for function in _data_set_functions(objects, pipeline)
        for helper, accumulator in _HELPERS.items()
        if objects.is_a(function, helper)
    }


def _functions(objects: JavaObjects, pipeline: Any) -> Iterator[Any]:
    """Yield the user functions of a pipeline, each before the function that it wraps."""
    if not objects.has(pipeline, "getStreamNodes"):
        yield from _data_set_functions(objects, pipeline)
        return
    for node in objects.each(objects.tabled(pipeline).getStreamNodes()):
        operator = objects.call(node.getOperatorFactory(), "getOperator")
        function = objects.call(operator, "getUserFunction")
        while function is not None:
            yield function
            function = objects.call(function, "getWrappedFunction")


def _data_set_functions(objects: JavaObjects, plan: Any) -> Iterator[Any]:
    """Yield the functions and output formats of a DataSet plan, upstream from its sinks."""
    waiting, values = objects.each(plan.getDataSinks()), set()
    while waiting:
        operator = waiting.pop()
        if operator is None or operator.hashCode() in values:
            continue
        values.add(operator.hashCode())
        wrapper = objects.call(operator, "getUserCodeWrapper")
        if (function := objects.call(wrapper, "getUserCodeObject")) is not None:
            yield function
        for getter in ("getInput", "getFirstInput", "getSecondInput"):
            waiting.append(objects.call(operator, getter))


def _read_registrations(
    objects: JavaObjects, function: Any
) -> tuple[tuple[str, str, str | None], ...]:
    """Return the registrations of the function's class, which is read once."""
    values, name = objects.remembered("registered accumulators"), str(objects.class_name(function))
    if name not in values:
        values[name] = tuple(_registrations(function.getClass()))
    result: tuple[tuple[str, str, str | None], ...] = values[name]
    return result


def _registrations(kind: Any) -> Iterator[tuple[str, str, str | None]]:
    """Yield each name with its accumulator's class and the function's field that holds it."""
    while kind is not None and not str(kind.getName()).startswith(("org.apache.flink.", "java.")):
        if (file := class_file(kind.getClassLoader(), str(kind.getName()))) is not None:
            for method in file.methods:
                for call in _REGISTERED.finditer(method.code):
                    yield from _registration(file, call)
        kind = kind.getSuperclass()


def class_file(loader: Any, name: str) -> ClassFile | None:
    """Return the compiled class of that name; None where the loader does not have it."""
    file = f"{name.replace('.', '/')}.class"
    stream = None if loader is None else loader.getResourceAsStream(file)
    if stream is None:
        return None
    try:
        return read_class(bytes(stream.readAllBytes()), _MOST_BYTES)
    except (ClassFileError, Py4JError):
        return None
    finally:
        stream.close()


def _registration(file: ClassFile, call: re.Match[bytes]) -> Iterator[tuple[str, str, str | None]]:
    """Yield the accumulator that a call registers; none where the bytes mean otherwise."""

    def reference(group: str) -> Reference | None:
        position = int.from_bytes(call[group] or b"", "big")
        return file.constants.reference(position) if call[group] else None

    name = file.constants.string(int.from_bytes(call["short"] or call["wide"], "big"))
    called = reference("get") or reference("add")
    if name is None or called is None:
        return
    if called.name in _COUNTERS and call["get"]:
        yield name, _COUNTERS[called.name], None
        return
    held_reference, result = reference("field") or reference("static"), reference("made")
    if called.name == "addAccumulator" and result is not None:
        yield name, result.owner.replace("/", "."), None
    elif (
        called.name == "addAccumulator"
        and held_reference
        and (kind := _OBJECT.fullmatch(held_reference.descriptor))
    ):
        yield name, kind[1].replace("/", "."), held_reference.name


def _create_accumulator(objects: JavaObjects, kind: str, function: Any) -> Any:
    try:
        loader = function.getClass().getClassLoader()
        maker = objects.java.java.lang.Class.forName(kind, True, loader)  # noqa: FBT003 - Java's
        return maker.newInstance()
    except Py4JError:
        return None
