"""Describes in one sentence why a program was not captured, with its exception and a remedy."""

import re
from collections.abc import Iterator
from typing import Any, Final

from explorer.capture.connectors import jar_to_add
from explorer.errors import ExplorerError
from explorer.locations import PROGRAM
from explorer.wording import cut


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

_REMEDIES: Final = (
    (
        r"java\.lang\.(NoClassDefFoundError|ClassNotFoundException): (?!org[./]apache[./]flink\b)",
        "add the jar that has this class with --classpath JAR",
    ),
    (
        r"java\.lang\.(NoClassDefFoundError|ClassNotFoundException): ",
        "Flink {flink} has no such class in its lib folder: the jar was made for another release, "
        "which --flink R names ('{program} flink list' shows the installed ones), or the class is "
        "a connector's or a library's, and its jar --classpath adds",
    ),
    (
        # PyFlink's words for a class that is not on the class path.
        r"Could not found the Java class|\bdoes not exist in the JVM",
        "add that class's jar with --classpath JAR",
    ),
    (
        r"java\.lang\.(NoSuchMethod|NoSuchField|AbstractMethod|IncompatibleClassChange|Verify"
        r"|Linkage)Error\b",
        "the jar was made for another release than Flink {flink}: name it with --flink R "
        "('{program} flink list' shows the installed ones)",
    ),
    (
        r"java\.lang\.UnsupportedClassVersionError\b",
        "the jar was compiled for a newer Java: point JAVA_HOME at one",
    ),
    (
        # Which of the two is thrown depends on whether the interpreter has ended already.
        r"Python callback server start failed|Failed to start Python process\.",
        "name the interpreter that has apache-flink {flink} with --python EXE, and the functions' "
        "files in the script, as in SET 'python.files' = '/path/functions.py'",
    ),
    (r"Neither a 'Main-Class'", "name the program's main class with --class NAME"),
    (
        r"The (?:Local|Remote)(?:Stream)?Environment cannot be (?:used|instantiated)",
        "use StreamExecutionEnvironment.getExecutionEnvironment(), which runs the job on whatever "
        "cluster the program is submitted to, and here records it",
    ),
)
"""By what an exception's class and message say, what to do; the first that fits counts."""

_LACKING: Final = re.compile(
    r"Could not find any (?:\w+ )?factory for identifier '(?P<what>[^']*)'"
)
"""A connector, a format or a catalog that no jar has."""

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
_EXPECTED: Final = re.compile(r"\.? Was expecting (?:one of)?: .*")
_TWICE: Final = re.compile(r"\b([A-Z][^.]{5,100}\. )\1+")
"""A sentence that a wrapped exception repeats."""
_TRACEBACK: Final = "Traceback (most recent call last):"
LONGEST: Final = 400
"""Characters of an exception's message that are repeated."""


def failure_sentence(flink: str, thrown: Any, failed: str, fix: str, *, place: bool) -> str:
    """A program's exception as a message with a remedy.

    ``flink``: the version that it met; ``failed``: what failed, and when; ``fix``: what to do
    where the exception gives none; ``place``: whether to name where it was thrown.
    """
    chain = list(causes(thrown))
    java_exception = own_exception(thrown)
    reported = _read_message(java_exception)
    if _message(chain[-1]) not in f"{_message(java_exception)} {reported}":
        reported = f"{reported}, caused by {_read_message(chain[-1])}"
    where = _place(java_exception) if place else ""
    remedies = (remedy(flink, f"{_name(value)}: {_message(value)}") for value in chain)
    return f"{failed} with {reported}{where}; {next(filter(None, remedies), fix)}"


def own_exception(thrown: Any) -> Any:
    """The program's own exception, out of those that only carry it."""
    chain = list(causes(thrown))
    return next((value for value in chain if _name(value) not in _WRAPPERS), chain[-1])


def causes(thrown: Any) -> Iterator[Any]:
    """The exception, and by what each one was caused."""
    while thrown is not None:
        yield thrown
        thrown = thrown.getCause()


def _name(thrown: Any) -> str:
    return str(thrown.getClass().getName())


def _message(thrown: Any) -> str:
    """Return the message in one line, without the list of tokens that the parser expected."""
    message = str(thrown.getMessage() or "")
    # Of a Python traceback only the last line, which names the exception.
    frames = message.partition(_TRACEBACK)[2].splitlines()
    message = next(
        (frame for frame in reversed(frames) if frame and not frame[0].isspace()), message
    )
    return _TWICE.sub(r"\1", _EXPECTED.sub("", " ".join(message.split())))


def _read_message(thrown: Any) -> str:
    message = cut(_message(thrown), LONGEST)
    return f"{_name(thrown)}: {message}" if message else _name(thrown)


def _place(cause: Any) -> str:
    """Return the innermost frame that is neither Java's nor Flink's."""
    for frame in cause.getStackTrace():
        if not str(frame.getClassName()).startswith(_LIBRARIES):
            return f" (at {frame.toString()})"
    return ""


def remedy(flink: str, reported: str) -> str:
    """The remedy for an exception's class and message; empty: unknown."""
    if lacking := _LACKING.search(reported):
        return jar_to_add(lacking["what"], flink)
    for pattern, what in _REMEDIES:
        if result := re.search(pattern, reported):
            return what.format(flink=flink, program=PROGRAM, **result.groupdict())
    return ""
