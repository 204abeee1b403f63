"""The answers that the page stores by name."""

import re
from pathlib import Path

STORED = re.compile(r"""\b(?:latest|shared)\(\s*["']([^"']+)["'],""")


def test_the_name_of_a_stored_answer_belongs_to_one_module() -> None:
    names = [
        name
        for path in sorted(Path("components").rglob("*.py"))
        for name in set(STORED.findall(path.read_text(encoding="utf-8")))
    ]

    assert len(names) > 30
    assert sorted(names) == sorted(set(names))
