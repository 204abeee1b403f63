"""Python files of the project, each parsed once for all tests of a worker that read it."""

import ast
from functools import cache
from pathlib import Path
from typing import Final

import pytest

SAME_WORKER: Final = pytest.mark.xdist_group("sources")
"""Tests that read all sources, or most, belong to one worker."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def syntax_nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file, each behind its parent."""
    return tuple(ast.walk(parsed(path)))
