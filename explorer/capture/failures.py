"""Why could a program not be captured? One sentence with its own exception, and what to do."""

import re
from collections.abc import Iterator
from typing import Any, Final

from explorer.errors import ExplorerError


class CaptureError(ExplorerError):
    """A program that did not come as far as a job."""


_WRAPPERS: Final = (
    "org.apache.flink.client.program.ProgramInvocationException",
    "java.lang.reflect.InvocationTargetException",
    "java.lang.reflect.UndeclaredThrowableException",
    "java.lang.ExceptionInInitializerError",
    "java.lang.BootstrapMethodError",
)
"""Exceptions that only carry the program's own."""

_MISSING: Final = frozenset({"java.lang.NoClassDefFoundError", "java.lang.ClassNotFoundException"})
_OTHER_RELEASE: Final = frozenset(
    {
        "java.lang.NoSuchMethodError",
        "java.lang.NoSuchFieldError",
        "java.lang.AbstractMethodError",
        "java.lang.IncompatibleClassChangeError",
        "java.lang.VerifyError",
        "java.lang.LinkageError",
    }
)
_FACTORY: Final = re.compile(r"Could not find any factory for identifier '([^']*)'")
_FLINK: Final = re.compile(r"(?:^|[L ('\"])org[./]apache[./]flink[./]")
_JAVA_LEVEL: Final = re.compile(r"class file version (\d+)")
_FIRST_LEVEL: Final = 44
"""Class files of Java N have the version 44 + N."""


def failure_sentence(flink: str, thrown: Any, *, jobs: int) -> str:
    """What a program's exception says, and what to do; ``flink``: the release that it met."""
    cause = _own_exception(thrown)
    name, message = str(cause.getClass().getName()), _one_line(cause.getMessage())
    when = "before it called execute()" if not jobs else f"after its job {jobs}"
    told = f"{name}: {message}" if message else name
    return f"the program failed {when} with {told}{_place(cause)}{_remedy(flink, name, message)}"


def _own_exception(thrown: Any) -> Any:
    """The outermost exception that is not merely a wrapper; of SQL's, the innermost."""
    chain = list(_causes(thrown))
    for cause in chain:
        if _FACTORY.search(str(cause.getMessage())):
            return cause
    return next((one for one in chain if one.getClass().getName() not in _WRAPPERS), chain[-1])


def _causes(thrown: Any) -> Iterator[Any]:
    while thrown is not None:
        yield thrown
        thrown = thrown.getCause()


def _place(cause: Any) -> str:
    """Where in the program: the innermost frame that is neither Java's nor Flink's."""
    for frame in cause.getStackTrace():
        name = str(frame.getClassName())
        if not name.startswith(("java.", "jdk.", "sun.", "py4j.", "org.apache.flink.", "com.sun.")):
            return f" (at {frame.toString()})"
    return ""


def _remedy(flink: str, name: str, message: str) -> str:
    if name in _MISSING and not _FLINK.search(message.replace("/", ".")):
        return "; add the jar that has this class with --classpath JAR"
    if name in _MISSING:
        return (
            f"; Flink {flink} has no such class in its lib folder: the jar was made for another "
            "release, which --flink-lib can name, or the class is a connector's or a library's, "
            "whose jar --classpath adds"
        )
    if name in _OTHER_RELEASE:
        return (
            f"; the jar was made for another release than Flink {flink}: name the folder of that "
            "release's jars with --flink-lib"
        )
    if name == "java.lang.UnsupportedClassVersionError":
        return _newer_java(message)
    if factory := _FACTORY.search(message):
        return f"; add the jar of the connector or format {factory[1]!r} with --classpath JAR"
    return "; mend the program, or give it the arguments it needs after --"


def _newer_java(message: str) -> str:
    level = _JAVA_LEVEL.search(message)
    release = f" {int(level[1]) - _FIRST_LEVEL}" if level else ""
    return f"; the jar needs Java{release}: point JAVA_HOME at one"


def _one_line(message: object) -> str:
    return "" if message is None else " ".join(str(message).split())
