"""Write the golden cases of state that is not asked for when an operator opens.

One program has an operator for each case, each with a source of its own, so that Flink restarts it
alone. A session cluster of Flink 1.20.5 runs the old program, takes a savepoint, starts the new
one from it and shows the tasks that have failed after a while. By operator, the golden file has
the innermost exception, or an empty text.
"""

import json
import re
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.capture.flinks import jar_of
from tests.golden_files import GOLDEN
from tests.rehearsal.ask_used import BEFORE_SAVEPOINT, PROGRAMS, VERSION
from tests.rest.session_cluster import SessionCluster, session_cluster

ARCHIVE: Final = GOLDEN / "lazy_state.tar.xz"
AFTER_RESTORE: Final = 30
"""Seconds until all timers of the savepoint have fired."""
OPTIONS: Final = {
    "web.exception-history-size": "300",
    "restart-strategy.type": "fixed-delay",
    "restart-strategy.fixed-delay.attempts": "100000",
    "restart-strategy.fixed-delay.delay": "1 h",
}
"""Each failed task stays failed, and no other one with it."""
_MARK: Final = re.compile(r"<<(?!<)(.*?)\|(.*?)>>", re.DOTALL)
_TYPE_MARK: Final = re.compile(r"<<<([^<>|]*)\|([^<>|]*)>>>")
_WORDS: Final = {
    "SOURCES": "org.apache.flink.streaming.api.functions.source",
    "SINKS": "org.apache.flink.streaming.api.functions.sink.v2",
    "WINDOW(": "org.apache.flink.streaming.api.windowing.time.Time.seconds(",
    "INTERVAL(": "org.apache.flink.streaming.api.windowing.time.Time.seconds(",
}


def source(side: int) -> str:
    """The text of the old (1) or the new program (2)."""
    text = (PROGRAMS / "LazyStates.java").read_text()
    text = _TYPE_MARK.sub(lambda mark: f"<{mark[side]}>", text)
    text = text.replace("<<>= 0|> 100>>", (">= 0", "> 100")[side - 1])
    text = _MARK.sub(lambda mark: mark[side], text)
    for word, value in _WORDS.items():
        text = text.replace(word, value)
    return text


def jar(side: int, folder: Path) -> Path:
    """The jar of one program, in a new folder."""
    folder.mkdir()
    (folder / "Program.java").write_text(source(side))
    return jar_of(folder / "Program.java", VERSION, folder)


def failures(answer: Any) -> Iterator[tuple[str, str]]:
    """Yield the names of failed operators, with their innermost exceptions."""
    for entry in answer["exceptionHistory"]["entries"]:
        for failure in (entry, *entry.get("concurrentExceptions", ())):
            lines = failure["stacktrace"].splitlines()
            causes = [line for line in lines if line.startswith("Caused by: ")] or lines
            text = re.sub(r"@[0-9a-f]{5,8}\b", "", causes[-1].removeprefix("Caused by: "))
            for name in (failure["taskName"] or "").partition(" (")[0].split(" -> "):
                yield name, text


def ask(cluster: SessionCluster, root: Path, folder: Path) -> dict[str, str]:
    """Run both programs; put savepoint and new program into the root."""
    running = cluster.submit(jar(1, folder / "old"), "")
    time.sleep(BEFORE_SAVEPOINT)
    cluster.cancel_with_savepoint(running, folder).rename(root / "savepoint")
    shutil.copy(jar(2, folder / "new"), root / "new.jar")
    job = cluster.start(root / "new.jar", root / "savepoint")
    time.sleep(AFTER_RESTORE)
    failed = dict(failures(cluster.ask(f"/jobs/{job}/exceptions?maxExceptions=300")))
    names = re.findall(r'"([a-z_]+_(?:same|other|added|removed|retyped|changed|on))"', source(2))
    return {name: failed.get(name, "") for name in (*names, "renamed", "two")}


def main() -> None:
    """Ask for all cases and pack them."""
    with tempfile.TemporaryDirectory() as name:
        folder, root = Path(name), Path(name) / "lazy_state"
        root.mkdir()
        (folder / "cluster").mkdir()
        with session_cluster(VERSION, folder / "cluster", "256mb", OPTIONS) as cluster:
            outcomes = ask(cluster, root, folder)
        (root / "cases.json").write_text(json.dumps(outcomes, indent=0, sort_keys=True))
        with tarfile.open(ARCHIVE, "w:xz") as archive:
            archive.add(root, "lazy_state")


if __name__ == "__main__":
    main()
