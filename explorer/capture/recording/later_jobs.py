"""Calls that would have executed jobs after the line in which a program failed."""

from collections.abc import Iterator
from typing import Any, Final

from explorer.capture.recording.accumulators import class_file
from explorer.capture.recording.api_uses import FLINK
from explorer.documents.readers.class_files import ClassFile, Method

_NOT_THE_PROGRAMS: Final = ("org.apache.flink.", "java.", "jdk.", "sun.")
_EXECUTES: Final = frozenset({"execute", "executeAsync", "executeAndCollect", "collect", "count"})
_ENVIRONMENTS: Final = ("Environment", "StatementSet", "DataStream", "DataSet", "Operator", "Table")
_MOST_FRAMES: Final = 100


def later_jobs(thrown: Any, loader: Any) -> tuple[str, ...]:
    """Calls that execute jobs behind the failure, as ``execute() at Reads.java:17``.

    Args:
        thrown: the exception that the program ended with, as Java's object.
        loader: the class loader of the program.

    Looks into each method of the program that was being called; only calls of Flink's own methods
    are found. Empty where classes hold no lines.
    """
    result: list[str] = []
    for frame in list(thrown.getStackTrace())[:_MOST_FRAMES]:
        name, line = str(frame.getClassName()), int(frame.getLineNumber())
        if line < 1 or name.startswith(_NOT_THE_PROGRAMS):
            continue
        compiled = class_file(loader, name)
        if compiled is None:
            continue
        for method in compiled.methods:
            if method.name == str(frame.getMethodName()):
                result += _calls_behind(compiled, method, line, str(frame.getFileName()))
    return tuple(dict.fromkeys(result))


def _calls_behind(compiled: ClassFile, method: Method, line: int, file: str) -> Iterator[str]:
    """Yield the calls of a method that has the line, from the next line on."""
    if not any(own == line for _, own in method.lines):
        return
    for position, called in compiled.calls(method):
        at = method.line_at(position)
        if at is None or at <= line or called.name not in _EXECUTES:
            continue
        if called.owner.startswith(FLINK) and called.owner.endswith(_ENVIRONMENTS):
            yield f"{called.name}() at {file}:{at}"
