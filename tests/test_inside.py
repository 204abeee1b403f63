"""The guide for new developers: each of its ten stops has a file to read and a test to run."""

import ast
import re
from pathlib import Path
from typing import Final

from tests.many_cases import for_each

ROOT: Final = Path(__file__).resolve().parents[1]
GUIDE: Final = (ROOT / "docs" / "inside.md").read_text(encoding="utf-8")
STOPS: Final = re.findall(r"^\| (\d+)\. [^|]+ \| `([^`]+)` \| `([^`]+)` \|$", GUIDE, re.MULTILINE)
PATHS: Final = re.findall(r"`((?:explorer|components|tests|docs)/[\w/.]+|[A-Z]+\.\w+)`", GUIDE)


def test_there_are_ten_stops_in_order() -> None:
    assert [int(number) for number, _, _ in STOPS] == [*range(1, 11)]


@for_each(("file", "test"), [stop[1:] for stop in STOPS])
def test_a_stop_names_a_file_and_a_test(file: str, test: str) -> None:
    """The tests themselves run with all others."""
    module, _, name = test.partition("::")
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    tests = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]

    assert (ROOT / file).is_file()
    assert name in tests if name else tests


def test_every_path_in_the_guide_exists() -> None:
    assert len(PATHS) > 20
    assert [path for path in PATHS if not (ROOT / path).exists()] == []
