"""Writes ``more_constructs.jsonl.gz``: what the releases from 1.12 on make of rarer constructs.

``python -m tests.flink.ask_constructs`` asks every release that .ci/flink has brought. A line: the
``question``, the ``versions`` that share an answer, and nodes, edges, vertices and job edges, or
``error``.
"""

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.deployment.asking import answers
from tests.flink.ask_tasks import compiled
from tests.golden_files import GOLDEN

FIRST: Final = RELEASES.index("1.12.5")
_CACHES: Final = (
    *("cache", "cache twice", "cache unread", "cache keyed", "cache rebalanced twice"),
    *("cache union", "cache side", "cache source", "cache mapped", "cache set", "cache unchained"),
)
_PARTITIONS: Final = tuple(
    f"partition {function}{more}"
    for function in ("map", "sort", "aggregate", "reduce")
    for more in ("", " keyed", " set", " mapped then", " rebalanced starting", " keyed then")
)
_WINDOWS: Final = tuple(
    f"window {how}{more}" for how in ("keyed", "all") for more in ("", " set", " then", " mapped")
)
_MULTIPLE: Final = ("multiple", "multiple three", "multiple set", "multiple mapped unchained")
_GLOBAL: Final = ("global", "global set", "global rebalanced twice", "global starting")
_STREAMING: Final = (*_CACHES, *_PARTITIONS, *_WINDOWS, *_MULTIPLE, *_GLOBAL)
QUESTIONS: Final = (*_STREAMING, *(f"{question} batch" for question in _STREAMING))


def main() -> None:
    """Write the file anew."""
    shared: dict[tuple[str, str], list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for version in RELEASES[FIRST:]:
            made = compiled(version, Path(folder), "AskConstructs")
            said = answers("AskConstructs", lib(version), made, QUESTIONS)
            for question, answer in zip(QUESTIONS, said, strict=True):
                shared.setdefault((question, answer), []).append(version.rpartition(".")[0])
    lines: list[dict[str, Any]] = [
        {"question": question, "versions": versions, **found}
        for (question, answer), versions in shared.items()
        if (found := json.loads(answer)) is not None
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (GOLDEN / "more_constructs.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
