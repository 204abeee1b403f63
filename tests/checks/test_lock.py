"""A lock file: a fact on a line, and the same lock when it is read again."""

from typing import Any

import pytest

from explorer.checks.lock import lock_names, lock_text, make_lock, read_lock
from explorer.documents import load_document
from explorer.errors import DocumentError
from explorer.flink.compiler import Compilation, compile_program
from tests.many_cases import for_each


def compiled(**count: Any) -> Compilation:
    transformations = [
        {"id": "s", "type": "source", "uid": "in"},
        {"id": "k", "type": "key_by", "inputs": ["s"], "keys": ["w"]},
        {"id": "count", "type": "reduce", "inputs": ["k"], "uid": "count", **count},
        {"id": "o", "type": "sink", "inputs": ["count"], "uid": "out"},
    ]
    return compile_program(load_document({"transformations": transformations}), "1.20")


def test_a_changed_fact_changes_its_line_alone() -> None:
    before = lock_text(make_lock(compiled())).splitlines()
    after = lock_text(make_lock(compiled(max_parallelism=64))).splitlines()
    changed = {line.strip() for line in set(before) ^ set(after)}

    assert "max_parallelism: 64" in changed
    assert all(line.startswith(("max_parallelism", "derived")) for line in changed)


def test_an_operator_is_called_by_its_transformation() -> None:
    assert list(lock_names(compiled()).values()) == ["s", "count", "o"]


def test_a_chain_is_a_line() -> None:
    assert "  - [count, o]" in lock_text(make_lock(compiled())).splitlines()


@for_each(
    ("text", "says"),
    [
        ("- 1\n", "this is no lock"),
        ("lock: 2\nflink: x\n", "lock: must be 1"),
        ("lock: 1\nflink: x\nchains: 3\n", "chains: must be"),
        ("lock: [", "this is not YAML"),
        ("lock: 1\n3: 4\nflink: x\n", "3"),
    ],
)
def test_a_text_that_is_no_lock_is_refused(text: str, says: str) -> None:
    with pytest.raises(DocumentError, match=says):
        read_lock(text)
