"""Every function of a test module is called by a test, so that no assertion is lost."""

import ast
from pathlib import Path

from tests.python_sources import SAME_WORKER, parsed, syntax_nodes

pytestmark = SAME_WORKER

TESTS = Path(__file__).parent


def names_in(node: ast.AST) -> set[str]:
    """Return the names that are read in a node; a parameter names a fixture."""
    nodes = list(ast.walk(node))
    read = {each.id for each in nodes if isinstance(each, ast.Name)}
    return read | {each.arg for each in nodes if isinstance(each, ast.arg)}


def imported_names() -> set[str]:
    """Return the names that a file of the tests imports from another one."""
    return {
        alias.name
        for path in TESTS.rglob("*.py")
        for node in syntax_nodes(path)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests.")
        for alias in node.names
    }


def unreached_functions(module: ast.Module, imported: set[str]) -> set[str]:
    """Return the functions that neither a test nor a fixture nor another file needs.

    Two functions that call only one another are unreached, too.
    """
    functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    reached = {
        name
        for name, function in functions.items()
        if name.startswith(("test_", "pytest_")) or name in imported or function.decorator_list
    }
    for node in module.body:
        if not isinstance(node, ast.FunctionDef):
            reached |= names_in(node) & functions.keys()
    waiting = list(reached)
    while waiting:
        found = names_in(functions[waiting.pop()]) & functions.keys() - reached
        reached |= found
        waiting += found
    return functions.keys() - reached


def test_every_function_of_a_test_module_is_reached() -> None:
    imported = imported_names()
    modules = sorted(TESTS.rglob("test_*.py"))
    assert len(modules) > 300
    unreached = {
        str(path.relative_to(TESTS)): names
        for path in modules
        if (names := unreached_functions(parsed(path), imported))
    }
    assert unreached == {}
