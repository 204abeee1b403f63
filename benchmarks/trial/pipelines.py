"""What is run: words counted and numbers summed, as documents of ours and as input for all."""

import random
from pathlib import Path
from typing import Any

WORDS_PER_LINE = 8


def write_lines(path: Path, count: int) -> None:
    """Write lines of words with frequencies as in a text."""
    chosen = random.Random(1)  # noqa: S311 - the same text each time
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chosen.choices(letters, k=chosen.randint(1, 9))) for _ in range(3000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    with path.open("w") as file:
        for _ in range(count):
            file.write(" ".join(chosen.choices(words, weights, k=WORDS_PER_LINE)) + "\n")


def word_count(path: str, *, chaining: bool) -> dict[str, Any]:
    """Words of more than two letters, counted."""
    return {
        "environment": {"parallelism": 2, "chaining": chaining},
        "transformations": [
            {"id": "lines", "type": "legacy_source", "rows": {"path": path, "format": "text"}},
            {
                "id": "words",
                "type": "flat_map",
                "inputs": ["lines"],
                "split": {"value": "lower(line)", "pattern": "[^a-z]+", "as": "word"},
            },
            {"id": "long", "type": "filter", "inputs": ["words"], "where": "length(word) > 2"},
            {"id": "ones", "type": "map", "inputs": ["long"], "select": {"word": "word", "n": "1"}},
            {"id": "by", "type": "key_by", "inputs": ["ones"], "keys": ["word"]},
            {"id": "count", "type": "reduce", "inputs": ["by"], "aggregate": {"n": "sum(n)"}},
            {"id": "out", "type": "sink", "inputs": ["count"]},
        ],
    }


def numbers(count: int, *, chaining: bool) -> dict[str, Any]:
    """Every second number, summed by 500 keys."""
    rows = {"sequence": {"from": 0, "to": count - 1}}
    return {
        "environment": {"parallelism": 2, "chaining": chaining},
        "transformations": [
            {"id": "numbers", "type": "legacy_source", "rows": rows},
            {"id": "even", "type": "filter", "inputs": ["numbers"], "where": "n % 2 = 0"},
            {
                "id": "keyed",
                "type": "map",
                "inputs": ["even"],
                "select": {"k": "n / 2 % 500", "n": "n * 3 + 1"},
            },
            {"id": "by", "type": "key_by", "inputs": ["keyed"], "keys": ["k"]},
            {"id": "sum", "type": "reduce", "inputs": ["by"], "aggregate": {"n": "sum(n)"}},
            {"id": "out", "type": "sink", "inputs": ["sum"]},
        ],
    }
