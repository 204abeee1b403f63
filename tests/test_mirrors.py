"""Every module of the packages listed here has a test file of its name in the mirrored folder."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
MIRRORED: Final = (
    "analysis",
    "analysis/checks",
    "analysis/lessons",
    "analysis/plan",
    "deployment",
    "documents",
    "drawing",
    "edits",
    "engine/operators",
    "engine/report",
    "engine/rows",
    "engine/rows/expressions",
    "engine/rows/sinks",
    "engine/rows/sources",
    "engine/task",
    "flink",
    "flink/passes",
    "flink/passes/generation",
    "model",
    "rest",
    "savepoints",
)
"""Folders of ``explorer`` in which every module has its test file."""
WITHOUT_A_TEST: Final[dict[str, str]] = {
    "explorer/engine/rows/expressions/ir.py": "records of a typed expression, without a function",
    "explorer/engine/task/record_route.py": "records, made by the tests of narration",
    "explorer/model/changes.py": "records; the tests of edits apply each",
    "explorer/model/coverage.py": "records",
    "explorer/model/flink_job_graph.py": "records",
    "explorer/model/kubernetes.py": "records; the tests of documents read each",
    "explorer/model/rehearsal.py": "records; the tests of documents read each",
    "explorer/model/stream_config.py": "records",
    "explorer/model/task_trace.py": "records",
    "explorer/model/trace.py": "records",
    "explorer/savepoints/refusals.py": "sentences; the tests of restoring compare them",
}
"""Modules of these folders without a test file of their own, each with the reason."""


def modules(folder: str) -> list[Path]:
    """The modules of a folder of ``explorer``, without those of its subfolders."""
    paths = sorted((ROOT / "explorer" / folder).glob("*.py"))
    return [path.relative_to(ROOT) for path in paths if not path.name.startswith("__")]


def mirrored_test(module: Path) -> Path:
    return Path("tests", *module.parent.parts[1:], f"test_{module.name}")


@cache
def imported_names(file: Path) -> frozenset[str]:
    """What a test file imports, also through the helper modules of the tests."""
    found: set[str] = set()
    waiting = [file]
    while waiting:
        tree = ast.parse((ROOT / waiting.pop()).read_text(encoding="utf-8"))
        new = {name for node in ast.walk(tree) for name in _names(node)} - found
        found |= new
        helpers = [Path(*name.split(".")) for name in new if name.startswith("tests.")]
        waiting += [path for one in helpers if (ROOT / (path := one.with_suffix(".py"))).is_file()]
    return frozenset(found)


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module is not None:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_exercised(module: Path) -> bool:
    """Whether the module's test file imports the module, its package or the public interface."""
    names = imported_names(mirrored_test(module))
    package = ".".join(module.parts[:2])
    return "explorer" in names or any(f"{name}.".startswith(f"{package}.") for name in names)


@pytest.mark.parametrize("folder", MIRRORED)
def test_every_module_has_a_test_file_of_its_name(folder: str) -> None:
    missing = [
        str(mirrored_test(module))
        for module in modules(folder)
        if str(module) not in WITHOUT_A_TEST and not (ROOT / mirrored_test(module)).is_file()
    ]

    assert missing == []


@pytest.mark.parametrize("folder", MIRRORED)
def test_a_test_file_imports_the_package_of_its_module(folder: str) -> None:
    files = [module for module in modules(folder) if (ROOT / mirrored_test(module)).is_file()]

    assert [str(mirrored_test(module)) for module in files if not is_exercised(module)] == []


def test_a_module_listed_without_a_test_exists_and_has_none() -> None:
    for name, reason in WITHOUT_A_TEST.items():
        module = Path(name)
        assert (ROOT / module).is_file(), name
        assert module in modules("/".join(module.parent.parts[1:])), name
        assert not (ROOT / mirrored_test(module)).exists(), name
        assert reason, name
