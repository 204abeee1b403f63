"""Packages and modules: each package has a folder of tests; none is too large or too small."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.many_cases import for_each
from tests.python_sources import SAME_WORKER, syntax_nodes

pytestmark = SAME_WORKER
ROOT: Final = Path(__file__).resolve().parents[1]
MOST_MODULES: Final = 25
"""Of one folder, ``__init__`` not counted."""
SHORT: Final = 40
"""Lines below which a module needs more than one importer."""
SHORT_MODULES: Final = {
    "components.learn.steps": "each tab is a module",
    "explorer.drawing.svg.pdf": "the only module that imports vl-convert, an optional library",
    "explorer.engine.operators.co_map": "each operator is a module, found by its type's name",
}
"""The short modules with one importer, and why each is one."""
PACKAGES: Final = [
    init.parent.relative_to(ROOT)
    for package in ("explorer", "components")
    for init in sorted((ROOT / package).rglob("__init__.py"))
]


def modules(package: Path) -> list[Path]:
    """The modules of a package, without those of its subpackages."""
    return [path for path in (ROOT / package).glob("*.py") if path.name != "__init__.py"]


@for_each("package", [path for path in PACKAGES if path.parts[0] == "explorer"], str)
def test_a_package_with_modules_has_a_folder_of_tests(package: Path) -> None:
    folder = ROOT / "tests" / Path(*package.parts[1:])

    assert not modules(package) or [*folder.glob("test_*.py")]


@for_each("package", PACKAGES, str)
def test_a_package_can_be_overlooked(package: Path) -> None:
    assert len(modules(package)) <= MOST_MODULES


def module_name(path: Path) -> str:
    """The name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_names(path: Path) -> Iterator[str]:
    """Yield what a file imports, also within functions, as modules and as their members."""
    for node in syntax_nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.law
def test_a_short_module_has_more_than_one_importer() -> None:
    files = [
        path for package in ("explorer", "components") for path in (ROOT / package).rglob("*.py")
    ]
    importers = defaultdict(set)
    for path in files:
        for name in imported_names(path):
            importers[name].add(path)

    lonely = {
        module_name(path)
        for path in files
        if path.name != "__init__.py"
        and len(path.read_text(encoding="utf-8").splitlines()) < SHORT
        and len(importers[module_name(path)]) == 1
    }
    assert lonely == {*SHORT_MODULES}
