"""Ask real clusters whether a changed SQL script restores, and write ``sql_upgrades.jsonl.gz``.

``python -m tests.capture.ask_sql_upgrades [VERSION...]``, then with the argument ``documents``,
which captures both scripts of every line again into ``documents``. A line a pair of scripts and
version: ``old`` and ``new``, the scripts; ``metadata``, the savepoint's ``_metadata`` in base64;
``plan``, the compiled plan's text; by ``strict`` and ``allow_non_restored`` what the cluster
answered: ``restored``, or the causes of the failure.
"""

import base64
import gzip
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError

from explorer.capture.installation import find_installation
from explorer.capture.recording.recording_session import session
from explorer.capture.sql.scripts import run_script
from explorer.capture.sql.sql_plans import SqlPlanReader
from explorer.capture.sql.table_environments import table_environment
from tests.capture.flinks import jar, lib
from tests.capture.sql_upgrades import UPGRADES, Upgrade
from tests.golden_files import GOLDEN, cases
from tests.rest.session_cluster import SessionCluster, session_cluster

VERSIONS: Final = ("1.20.5", "2.2.1")
FILE: Final = GOLDEN / "sql_upgrades.jsonl.gz"
_CAPTURES: Final = 3600
"""Seconds for all captures of a version."""
_RUNS: Final = 3
"""Seconds for which records flow before the savepoint."""


def _causes(text: str) -> list[str]:
    """The messages of an exception and of its causes."""
    first, *lines = text.splitlines()
    cause = "Caused by: "
    return [first, *(line.removeprefix(cause) for line in lines if line.startswith(cause))]


def _stack_trace(reported: dict[str, Any]) -> str:
    """The failure of a job; 2.x has it in the history alone."""
    if "root-exception" in reported:
        return str(reported["root-exception"])
    return str(reported["exceptionHistory"]["entries"][0]["stacktrace"])


def _outcome(
    cluster: SessionCluster, program: Path, script: Path, savepoint: Path, allowed: str
) -> Any:
    """``restored``, or the causes of the failure."""
    options = {
        "execution.savepoint.path": savepoint.as_uri(),
        "execution.savepoint.ignore-unclaimed-state": allowed,
        "execution.state-recovery.path": savepoint.as_uri(),
        "execution.state-recovery.ignore-unclaimed-state": allowed,
        "restart-strategy.type": "none",
    }
    try:
        job = cluster._run(program, str(script), options)
    except HTTPError as error:
        return _causes("\n".join(json.load(error)["errors"]))
    while True:
        reported = cluster.ask(f"/jobs/{job}")
        if reported["state"] == "FAILED":
            return _causes(_stack_trace(cluster.ask(f"/jobs/{job}/exceptions")))
        tasks = {vertex["status"] for vertex in reported["vertices"]}
        if reported["vertices"] and tasks == {"RUNNING"}:
            cluster.cancel(job)
            return "restored"
        time.sleep(0.3)


def asked(cluster: SessionCluster, program: Path, upgrade: Upgrade, folder: Path) -> dict[str, Any]:
    """Run the first script, take its savepoint and start the second from it, twice."""
    folder.mkdir()
    plan = folder / "plan.json"
    scripts = folder / "old.sql", folder / "new.sql"
    for script, text in zip(scripts, (upgrade.old, upgrade.new), strict=True):
        script.write_text(text.replace("{plan}", str(plan)))
    job = cluster.submit(program, str(scripts[0]), {"restart-strategy.type": "none"})
    time.sleep(_RUNS)
    savepoint = cluster.cancel_with_savepoint(job, folder / "savepoints")
    metadata = (savepoint / "_metadata").read_bytes()
    outcomes = [_outcome(cluster, program, scripts[1], savepoint, lax) for lax in ("false", "true")]
    return {
        "name": upgrade.name,
        "change": upgrade.change,
        "flink": cluster.version,
        "old": upgrade.old,
        "new": upgrade.new,
        "plan": plan.read_text() if plan.exists() else None,
        "metadata": base64.b64encode(metadata).decode(),
        "strict": outcomes[0],
        "allow_non_restored": outcomes[1],
    }


def _known() -> list[dict[str, Any]]:
    return list(cases("sql_upgrades")) if FILE.exists() else []


def _key(line: dict[str, Any]) -> tuple[str, str, str]:
    return line["name"], line["old"], line["new"]


def _write(lines: list[dict[str, Any]]) -> None:
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def captured(version: str, scripts: list[str], folder: Path) -> list[dict[str, Any]]:
    """The document of each script's job, all planned in one JVM as if each were the first.

    ``folder``: the files that the scripts read.
    """
    flink = find_installation(lib(version))
    with session(flink, {}, timeout=_CAPTURES, readable=[folder]) as made:
        for script in scripts:
            run_script(made, script)
            tables = table_environment(made, {}, None, lasting=False).tables
            SqlPlanReader(made.objects, tables).count_from(0)
    return made.documents


def write_documents() -> None:
    """Capture both scripts of every line anew."""
    lines = _known()
    for version in VERSIONS:
        own = [line for line in lines if line["flink"] == version]
        with tempfile.TemporaryDirectory() as folder:
            plan = Path(folder, "plan.json")
            scripts = []
            for line in own:
                if line["plan"]:
                    plan.write_text(line["plan"])
                scripts += [line[side].replace("{plan}", str(plan)) for side in ("old", "new")]
            found = captured(version, scripts, Path(folder))
            assert len(found) == len(scripts), f"{version}: {len(found)} of {len(scripts)} captured"
            for position, line in enumerate(own):
                line["documents"] = found[2 * position : 2 * position + 2]
    _write(lines)


def main(versions: list[str]) -> None:
    """Ask every version for the pairs that the file does not hold."""
    lines = _known()
    for version in versions or VERSIONS:
        before = {_key(line) for line in lines if line["flink"] == version}
        missing = [one for one in UPGRADES if (one.name, one.old, one.new) not in before]
        with tempfile.TemporaryDirectory() as own:
            folder = Path(own)
            program = jar("Statements", version, folder)
            with session_cluster(version, folder) as cluster:
                for number, upgrade in enumerate(missing):
                    found = asked(cluster, program, upgrade, folder / str(number))
                    sys.stdout.write(f"{version} {upgrade.name}: {found['strict']}\n")
                    sys.stdout.flush()
                    lines.append(found)
                    _write(lines)


if __name__ == "__main__":
    if sys.argv[1:] == ["documents"]:
        write_documents()
    else:
        main(sys.argv[1:])
