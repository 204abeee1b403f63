"""A class name stands for one class, so that a search for it finds one definition."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.python_sources import SAME_WORKER, parsed

pytestmark = SAME_WORKER
ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
def test_no_class_name_is_defined_twice() -> None:
    places = defaultdict(list)
    for package in ("explorer", "components"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in parsed(path).body:
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")

    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["check_document", "operator_rows", "vertex_rows", "restore", "connect"]
)
def test_a_function_with_a_common_name_is_defined_once(name: str) -> None:
    found = [
        path
        for package in ("explorer", "components")
        for path in sorted((ROOT / package).rglob("*.py"))
        if re.search(rf"^def {name}\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]

    assert len(found) <= 1
