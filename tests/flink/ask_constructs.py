"""Writes ``more_constructs.jsonl.gz``: what the releases from 1.12 on make of rarer constructs.

``python -m tests.flink.ask_constructs`` asks every release that .ci/flink has brought. A line: the
``question``, the ``versions`` that share an answer, and nodes, edges, vertices and job edges, or
``error``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.deployment.asking import answers
from tests.flink.all_releases import ask_all
from tests.flink.ask_tasks import compiled

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


def _ask(program: str, version: str, folder: Path, questions: Sequence[str]) -> Sequence[str]:
    return answers(program, lib(version), compiled(version, folder, program), questions)


if __name__ == "__main__":
    ask_all("AskConstructs", QUESTIONS, "more_constructs", RELEASES[FIRST:], _ask)
