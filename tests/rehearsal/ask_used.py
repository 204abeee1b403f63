"""Write the golden cases of restored state that is used: what a session cluster did with each.

Each case is a pair of programs, the old and the new one. A cluster of Flink 1.20.5 runs the old
one, takes a savepoint, starts the new one from it and shows whether its tasks fail within seconds.

A cluster of 1.20.5 ran three more cases of the archive, at parallelism 2: `cep_stage_removed`
failed, in `tumbling_to_session` what was in the open windows never came out, and
`changelog_checkpoint` went on without the changelog that had written its checkpoint.
"""

import json
import shutil
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from tests.capture.flinks import jar_of
from tests.golden_files import GOLDEN
from tests.rest.session_cluster import SessionCluster, session_cluster

VERSION: Final = "1.20.5"
ARCHIVE: Final = GOLDEN / "used_state.tar.xz"
SIDES: Final = ("old", "new")
BEFORE_SAVEPOINT: Final = 3
AFTER_RESTORE: Final = 8
"""Seconds that a program runs; a timer that is saved fires within them."""
PROGRAMS: Final = Path(__file__).parent / "programs"
PROGRAM: Final = PROGRAMS / "Program.java"
DEFAULTS: Final = {
    "POSITION": "Long",
    "INPUT": "Long",
    "STATE": "Long",
    "OPEN": "state = asked();",
    "PROCESS": "state.update(v);",
    "TIMER": "",
    "MAP": "v",
    "KEY": '"k" + v % 20',
}
_LAZY: Final = {
    "OPEN": "",
    "STATE": "Integer",
    "PROCESS": "asked().update(v.intValue()); long soon = c.timerService().currentProcessingTime()"
    " + 6000; c.timerService().registerProcessingTimeTimer(soon);",
    "TIMER": "asked().value();",
}
_CSV: Final = {
    "INPUT": "String",
    "MAP": '"u" + v % 20 + "," + v',
    "KEY": 'v.split(",")[0]',
    "PROCESS": 'String[] parts = v.split(","); state.update(Long.parseLong(parts[1]));',
}
_ORDERED: Final = {
    "PROCESS": "Long before = state.value();"
    ' if (before != null && before >= v) throw new IllegalStateException("not in order");'
    " state.update(v);",
}
_POJO: Final = {
    "INPUT": "Order",
    "MAP": "order(v)",
    "KEY": "v.user",
    "STATE": "Order",
    "PROCESS": "Order o = state.value(); if (o != null && !o.user.equals(v.user)) throw new "
    'IllegalStateException(); v.extra = new ArrayList<>(Arrays.asList("" + v.n)); state.update(v);',
}
_WRITES: Final = {
    "PROCESS": "state.update(v); try (java.io.FileWriter w = new java.io.FileWriter("
    '"/var/tmp/used-state.txt")) { w.write(1); }',
}
CASES: Final[dict[str, tuple[dict[str, str], dict[str, str]]]] = {
    "timer_asks_same_type": (_LAZY, _LAZY),
    "timer_asks_other_type": (
        _LAZY,
        {**_LAZY, "STATE": "Long", "PROCESS": ""},
    ),
    "record_asks_other_type": (
        _LAZY,
        {**_LAZY, "STATE": "Long", "PROCESS": "asked().value();", "TIMER": ""},
    ),
    "text_that_is_parsed": (_CSV, _CSV),
    "records_in_order": (_ORDERED, _ORDERED),
    "pojo_with_kryo": (_POJO, _POJO),
    "kryo_content": (
        _POJO,
        {
            **_POJO,
            "PROCESS": "Order o = state.value();"
            " if (o != null) { long x = ((List<Long>) o.extra).get(0); } state.update(v);",
        },
    ),
    "writes_a_file": (_WRITES, _WRITES),
    "source_position_retyped": ({}, {"POSITION": "Integer"}),
    "source_same": ({}, {}),
}
"""By case, what the old and the new program have in place of the defaults."""


_MATCH: Final = (PROGRAMS / "match.sql").read_text()
SCRIPTS: Final = {
    "match_variable_renamed": (
        _MATCH,
        _MATCH.replace("A B+ C", "A D+ C").replace("B AS B.n", "D AS D.n"),
    ),
}
"""By case, the old and the new SQL script."""


def source(words: dict[str, str]) -> str:
    """A program's text."""
    text = PROGRAM.read_text()
    for word, value in {**DEFAULTS, **words}.items():
        text = text.replace(word, value)
    return text


def script_source(script: str) -> str:
    """The text of a program that runs a SQL script."""
    return (PROGRAMS / "RunScript.java").read_text().replace("SCRIPT", json.dumps(script))


def programs(name: str) -> tuple[str, list[str]]:
    """The file of a case's programs, and the texts of the old and the new one."""
    if name in SCRIPTS:
        return "RunScript.java", list(map(script_source, SCRIPTS[name]))
    return "Program.java", list(map(source, CASES[name]))


def jar(text: str, name: str, folder: Path) -> Path:
    """A program's jar in the folder."""
    folder.mkdir()
    (folder / name).write_text(text)
    return jar_of(folder / name, VERSION, folder)


def ask(cluster: SessionCluster, name: str, folder: Path) -> dict[str, Any]:
    """Run both programs of a case; put savepoint, new program and sources into a folder."""
    folder.mkdir()
    main_class, texts = programs(name)
    sides = zip(SIDES, texts, strict=True)
    old, new = (jar(text, main_class, folder / side) for side, text in sides)
    running = cluster.submit(old, "")
    time.sleep(BEFORE_SAVEPOINT)
    cluster.cancel_with_savepoint(running, folder).rename(folder / "savepoint")
    shutil.move(new, folder / "new.jar")
    job = cluster.start(folder / "new.jar", folder / "savepoint")
    time.sleep(AFTER_RESTORE)
    thrown = cluster.ask(f"/jobs/{job}/exceptions").get("root-exception") or ""
    if cluster.ask(f"/jobs/{job}")["state"] not in {"FAILED", "CANCELED"}:
        cluster.cancel(job)
    for side in SIDES:
        text = (folder / side / main_class).read_text()
        shutil.rmtree(folder / side)
        (folder / f"{side}.java").write_text(text)
    if name in SCRIPTS:
        (folder / "new.jar").unlink()
        (folder / "new.sql").write_text(SCRIPTS[name][1])
    causes = [line for line in thrown.splitlines() if line.startswith("Caused by: ")]
    exception = (causes or thrown.splitlines() or [""])[-1].removeprefix("Caused by: ")
    outcome = "failed" if thrown else "restored"
    return {"name": name, "outcome": outcome, "exception": exception}


def main() -> None:
    """Ask for all cases and pack them."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "used_state"
        root.mkdir()
        (Path(name) / "cluster").mkdir()
        outcomes = []
        with session_cluster(VERSION, Path(name) / "cluster") as cluster:
            for case in (*CASES, *SCRIPTS):
                outcomes.append(ask(cluster, case, root / case))
                sys.stdout.write(f"{outcomes[-1]}\n")
        (root / "cases.json").write_text(json.dumps(outcomes, indent=1))
        with tarfile.open(ARCHIVE, "w:xz") as archive:
            archive.add(root, "used_state")


if __name__ == "__main__":
    main()
