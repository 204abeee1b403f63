"""Reference page of the Python interface, from signatures and docstrings."""

import ast
import inspect
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import explorer
from reference.markdown import block

INTRODUCTION = """# Python interface

All names below are attributes of the package `explorer`. Importing the package loads nothing; each
name is loaded at its first use. A wrong input raises a subclass of `explorer.ExplorerError` with
one message.

"""


def python_page() -> str:
    """Return the page: functions first, then classes with their public members."""
    members = {name: getattr(explorer, name) for name in explorer.__all__}
    functions = [name for name, member in members.items() if not inspect.isclass(member)]
    classes = [name for name, member in members.items() if inspect.isclass(member)]
    parts = [_function(name, members[name]) for name in functions]
    parts += [_class(name, members[name]) for name in classes]
    return INTRODUCTION + "\n".join(parts)


def _function(name: str, function: Any) -> str:
    called = function if inspect.isfunction(function) else type(function).__call__
    return f"## {name}\n\n{_signature(name, called)}\n{_docstring(called)}\n"


def _class(name: str, made: type) -> str:
    members = "\n".join(_members(made))
    return f"## {name}\n\n{_docstring(made)}\n\n{members}\n"


def _members(made: type) -> Iterator[str]:
    """Yield a section for each public attribute, property and method that our classes declare."""
    ours = [base for base in made.__mro__ if base.__module__.startswith("explorer")]
    described: set[str] = set()
    for base in ours:
        fields = _field_docstrings(base)
        for name, member in {**dict.fromkeys(fields), **vars(base)}.items():
            if name.startswith("_") or name in described:
                continue
            described.add(name)
            heading = f"### {made.__name__}.{name}\n\n"
            if inspect.isfunction(member):
                yield f"{heading}{_signature(name, member)}\n{_docstring(member)}\n"
            elif fields.get(name):
                yield f"{heading}{fields[name]}\n"
            elif isinstance(member, property | cached_property):
                yield f"{heading}{_docstring(member)}\n"


def _signature(name: str, function: Any) -> str:
    return block("text", f"{name}{inspect.signature(function)}".replace("'", ""))


def _docstring(member: Any) -> str:
    return (inspect.getdoc(member) or "").replace("``", "`").replace("<", "&lt;")


def _field_docstrings(record: type) -> dict[str, str]:
    """Return the docstring below each annotated field of a class, by field."""
    try:
        source = Path(inspect.getfile(record)).read_text(encoding="utf-8")
    except (OSError, TypeError):
        return {}
    return field_docstrings(source).get(record.__name__, {})


def field_docstrings(source: str) -> dict[str, dict[str, str]]:
    r"""Return the docstrings of annotated fields in a module's source, by class and field.

    >>> field_docstrings('class A:\n    x: int\n    "Number of rows."\n    y: int')
    {'A': {'x': 'Number of rows.', 'y': ''}}
    """
    return {
        node.name: dict(_list_documented(node.body))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef)
    }


def _list_documented(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for position, statement in enumerate(body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            below = body[position + 1] if position + 1 < len(body) else None
            value = below.value if isinstance(below, ast.Expr) else None
            text = value.value if isinstance(value, ast.Constant) else ""
            yield statement.target.id, " ".join(str(text).split()).replace("``", "`")
