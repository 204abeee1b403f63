"""Every release is asked the same questions; a line of a golden file has the answer of some."""

import gzip
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.capture.flinks import lib
from tests.deployment.ask_network import RELEASES
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN

PROGRAMS = Path(__file__).parent / "programs"


def ask_program(program: str, version: str, folder: Path, questions: Sequence[str]) -> list[str]:
    """Compile a program against a release and return its answers."""
    jars = lib(version)
    return answers(program, jars, classes(program, folder, jars, PROGRAMS), questions)


def ask_all(
    program: str,
    questions: Sequence[str],
    file: str,
    releases: Sequence[str] = RELEASES,
    ask: Callable[[str, str, Path, Sequence[str]], Sequence[str]] = ask_program,
) -> None:
    """Write the answers of all releases; a release without a construct answers null."""
    shared: dict[tuple[str, str], list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for version in releases:
            said = ask(program, version, Path(folder), questions)
            for question, answer in zip(questions, said, strict=True):
                shared.setdefault((question, answer), []).append(version.rpartition(".")[0])
    lines: list[dict[str, Any]] = [
        {"question": question, "versions": versions, **found}
        for (question, answer), versions in shared.items()
        if (found := json.loads(answer)) is not None
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (GOLDEN / f"{file}.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
