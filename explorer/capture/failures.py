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
_LIBRARIES: Final = (
    "com.sun.",
    "java.",
    "jdk.",
    "org.apache.calcite.",
    "org.apache.flink.",
    "py4j.",
    "scala.",
    "sun.",
)
"""Packages that are not the program's own."""
_LONGEST: Final = 400
"""Characters of an exception's message that are repeated."""
_FIRST_LEVEL: Final = 44
"""Class files of Java N have the version 44 + N."""


def failure_sentence(flink: str, thrown: Any, failed: str, mend: str, *, place: bool) -> str:
    """What a program's exception says, and what to do.

    ``flink``: the version that it met; ``failed``: what failed, and when; ``mend``: what to do
    where the exception does not tell; ``place``: whether to say where it was thrown.
    """
    chain = list(_causes(thrown))
    own = next((one for one in chain if _name(one) not in _WRAPPERS), chain[-1])
    told = _told(own)
    if (last := _told(chain[-1])) and _one_line(chain[-1].getMessage()) not in told:
        told = f"{told}, caused by {last}"
    where = _place(own) if place else ""
    remedies = (_remedy(flink, _name(one), _one_line(one.getMessage())) for one in chain)
    return f"{failed} with {told}{where}; {next(filter(None, remedies), mend)}"


def _causes(thrown: Any) -> Iterator[Any]:
    while thrown is not None:
        yield thrown
        thrown = thrown.getCause()


def _name(thrown: Any) -> str:
    return str(thrown.getClass().getName())


def _told(thrown: Any) -> str:
    message = _one_line(thrown.getMessage())
    message = message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"
    return f"{_name(thrown)}: {message}" if message else _name(thrown)


def _place(cause: Any) -> str:
    """Where in the program: the innermost frame that is neither Java's nor Flink's."""
    for frame in cause.getStackTrace():
        name = str(frame.getClassName())
        if not name.startswith(_LIBRARIES):
            return f" (at {frame.toString()})"
    return ""


def _remedy(flink: str, name: str, message: str) -> str:
    if name in _MISSING:
        return _missing_class(flink, message)
    if name in _OTHER_RELEASE:
        return (
            f"the jar was made for another release than Flink {flink}: name the folder of that "
            "release's jars with --flink-lib"
        )
    if name == "java.lang.UnsupportedClassVersionError":
        return _newer_java(message)
    if "'Main-Class'" in message:
        return "name the program's main class with --class NAME"
    if factory := _FACTORY.search(message):
        return f"add the jar of the connector or format {factory[1]!r} with --classpath JAR"
    return ""


def _missing_class(flink: str, message: str) -> str:
    if not _FLINK.search(message.replace("/", ".")):
        return "add the jar that has this class with --classpath JAR"
    return (
        f"Flink {flink} has no such class in its lib folder: the jar was made for another "
        "release, which --flink-lib can name, or the class is a connector's or a library's, "
        "whose jar --classpath adds"
    )


def _newer_java(message: str) -> str:
    level = _JAVA_LEVEL.search(message)
    release = f" {int(level[1]) - _FIRST_LEVEL}" if level else ""
    return f"the jar needs Java{release}: point JAVA_HOME at one"


def _one_line(message: object) -> str:
    return "" if message is None else " ".join(str(message).split())
