"""How releases read command lines of ``flink run``.

``python -m tests.cli.inputs.ask_flink_run FOLDER...`` asks the lib folders of installations
(``AskFlinkRun.java``) and writes ``tests/golden/flink_run.jsonl.gz``: a line for each release, with
the answers in the order of ``LINES``.
"""

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from shutil import which
from typing import Final

from tests.golden_files import GOLDEN

SOURCE: Final = Path(__file__).with_name("AskFlinkRun.java")
_SPELLED: Final = {
    "p": ("-p 3", "-p3", "-p=3", "--parallelism 3", "--parallelism=3", "-parallelism 3"),
    "wrong": (
        "-p",
        "-p x",
        "-p 0",
        "-p -1",
        "-p=",
        "--parallelism=",
        "-p 3 -p 4",
        "-p 3.0",
        "-p+3",
    ),
    "c": ("-c a.B", "-ca.B", "-c=a.B", "--class a.B", "--class=a.B", "-class a.B", "--cl a.B"),
    "s": (
        *(
            "-s sp",
            "-ssp",
            "-s=sp",
            "--fromSavepoint sp",
            "--fromSavepoint=sp",
            "-fromSavepoint sp",
        ),
        *("-s sp -n", "-s sp --allowNonRestoredState", "-n", "-n -s sp", "--from sp", "-sn"),
    ),
    "d": (
        "-d",
        "--detached",
        "-dp 3",
        "-dp3",
        "-dn",
        "-dnp 3",
        "-d=true",
        "--detached=true",
        "-sae",
    ),
    "D": (
        *("-Dk=v", "-D k=v", "-Dk v", "-Dk", "-Dk=v=w", "-D k=v -D l=w", "-Dk=v -Dk=w", "-D=k=v"),
        *("-yDk=v", "-yD k=v", "-yD k=v -D l=w", "-D", "-Dk=", "-D k= -p 3"),
    ),
    "C": ("-C file:///a.jar", "--classpath file:///a.jar", "-C file:///a.jar -C file:///b.jar"),
    "C wrong": ("-C a.jar", "-C /a.jar", "-C"),
    "m": (
        *("-m yarn-cluster", "-myarn-cluster", "--jobmanager yarn-cluster", "-m host:8081"),
        *("--jobmanager=host:8081", "-t yarn-per-job", "--target local", "-e remote"),
    ),
    "y": (
        *("-yjm 2048", "-yjm2048", "-yjm=2048", "--yarnjobManagerMemory 2048", "-ytm 4096"),
        *("-ytm=4096m", "-ys 2", "-ys2", "-ys=2", "--yarnslots=2", "-ynm job", "-yqu default"),
        *("-yn 4", "-yn4", "--yarncontainer 4", "-yd", "-yid app", "-yt dir", "-yat T", "-ynl L"),
        *("-m yarn-cluster -yjm 1024 -ytm 2048 -ys 4 -p 8", "-yst", "-yz ns", "-z ns", "-yq"),
    ),
    "unknown": ("-foo", "--foo", "--foo=1", "-f", "-x 3", "--parallelsm 3", "--", "-", "-- -p 3"),
    "py": ("-py a.py", "-py=a.py", "--python a.py", "-pym mod", "-py a.py -pyfs b.py", "-pyarch z"),
    "other": (
        *("-q", "--sysoutLogging", "-j my.jar", "--jarfile my.jar", "-a x", "--arguments x", "-h"),
        *("-rm CLAIM", "-restoreMode CLAIM", "-s sp -rm claim", "-s sp -claimMode NO_CLAIM"),
        *("-s sp -rm foo", "-v", "--verbose", "-i", "--help"),
    ),
}
_TWICE: Final = frozenset({"p", "c", "s", "d"})
"""Groups of options that are asked with arguments of the program, too."""
_AFTER: Final = ("job.jar", "job.jar -p 5 --input x", "job.jar -- -c b.C", "")
LINES: Final = tuple(
    tuple(f"{flags} {rest}".split())
    for name, spellings in _SPELLED.items()
    for flags, rest in product(
        spellings, _AFTER[:2] if name in {"p", "c", "s", "d"} else _AFTER[:1]
    )
) + tuple(
    tuple(text.split())
    for text in (
        *_AFTER,
        "-p 2 -c a.B",
        "-p 2 job.jar -p 3 -s sp -n -C file:///a.jar -Dk=v",
        "-p 2 -- job.jar -p 3",
        "job.jar --parallelism=9",
        "-c a.B -p 4 -d job.jar --rate 10 -x",
        "-foo job.jar -p 3",
        "-py a.py --input x",
        "-pym mod -p 3 x y",
    )
)
"""The words after ``flink run``."""


def ask(lib: Path, classes: str) -> list[str]:
    """The parser's answer to each line."""
    file = Path(classes, "lines")
    file.write_text("\n".join("\t".join(words) for words in LINES) + "\n", encoding="utf-8")
    release = lib.parent.name.rpartition(".")[0]
    answer = subprocess.run(
        [which("java") or "", "-Xmx300m", "-cp", classes, "AskFlinkRun", lib, release, file],
        check=True,
        capture_output=True,
        text=True,
    )
    return answer.stdout.split("\n")[: len(LINES)]


def main(folders: Sequence[str]) -> None:
    """Ask the folders, in the order of their releases."""
    lines = []
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run([which("javac") or "", "-d", classes, SOURCE], check=True)
        for folder in map(Path, folders):
            release = folder.parent.name.rpartition(".")[0]
            lines.append(json.dumps({"release": release, "answers": ask(folder, classes)}))
    packed = gzip.compress("\n".join(lines).encode(), mtime=0)
    (GOLDEN / "flink_run.jsonl.gz").write_bytes(packed)


if __name__ == "__main__":
    main(sys.argv[1:])
