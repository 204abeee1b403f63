"""What the jars of all releases declare as options.

``python -m tests.flink.ask_options FOLDER...`` asks the lib folders of installations, oldest
release first (``AskOptions.java``), and writes ``explorer/flink/declared_options.json.gz``.
"""

import gzip
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shutil import which
from typing import Final

import msgspec

from explorer.flink.declared_options import DeclaredOption, Table
from tests.quick_java import QUICK, compile_java

SOURCE: Final = Path(__file__).with_name("AskOptions.java")
TABLE: Final = Path(__file__).parents[2] / "explorer" / "flink" / "declared_options.json.gz"
UNITS: Final = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
SIZES: Final = {"bytes": 1, "b": 1, "kb": 1 << 10, "mb": 1 << 20, "m": 1 << 20, "gb": 1 << 30}


def ask(lib: Path) -> dict[str, DeclaredOption]:
    """By key, the options that the jars of an installation declare."""
    folders = [folder for folder in (lib, lib.parent / "opt") if folder.is_dir()]
    with tempfile.TemporaryDirectory() as classes:
        compile_java([SOURCE], Path(classes))
        answer = subprocess.run(
            [which("java") or "", *QUICK, "-Xmx400m", "-cp", classes, "AskOptions", *folders],
            check=True,
            capture_output=True,
            text=True,
        )
    return dict(map(_option, answer.stdout.splitlines()))


def _option(line: str) -> tuple[str, DeclaredOption]:
    key, type_name, default, deprecated, alternative, constants = line.split("\t")
    return key, DeclaredOption(
        type=type_name,
        default=default,
        deprecated=tuple(deprecated.split()),
        alternative=tuple(alternative.split()),
        constants=tuple(filter(None, constants.split("|"))),
    )


def table(releases: Sequence[tuple[str, Mapping[str, DeclaredOption]]]) -> Table:
    """By key, the option from each release on in which it changed."""
    keys = sorted({key for _, options in releases for key in options})
    return {key: dict(_changes([(r, options.get(key)) for r, options in releases])) for key in keys}


def _changes(
    row: Sequence[tuple[str, DeclaredOption | None]],
) -> Iterator[tuple[str, DeclaredOption | None]]:
    """Each entry that differs from the one before it, with the default spelled as before."""
    last: DeclaredOption | None = None
    for release, declared in row:
        option = declared
        if option and last and as_value(option.default) == as_value(last.default):
            option = msgspec.structs.replace(option, default=last.default)
        if option != last:
            yield release, option
        last = option


def as_value(text: str) -> object:
    """A default as a value: releases spell one duration or size in several ways."""
    number = re.fullmatch(r"(-?\d+(?:\.\d+)?) ?([a-z]*)", text.lower())
    if number is None:
        return re.sub(r"\$[0-9a-f]+", "", text.upper().replace("-", "_"))
    factor = {**UNITS, **SIZES}.get(number[2], 1)
    return float(number[1]) * factor


def main(folders: Sequence[str]) -> None:
    """Ask the folders, in the order of their releases."""
    answers = [(Path(one).parent.name.rpartition(".")[0], ask(Path(one))) for one in folders]
    packed = gzip.compress(msgspec.json.encode(table(answers), order="sorted"), mtime=0)
    TABLE.write_bytes(packed)


if __name__ == "__main__":
    main(sys.argv[1:])
