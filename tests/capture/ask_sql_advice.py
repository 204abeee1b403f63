"""Capture SQL scripts that rules of ``check`` are about, and write ``sql_advice.jsonl.gz``.

``python -m tests.capture.ask_sql_advice [VERSION...]``. A line a script and version: ``name``,
``flink``, ``script`` and its ``document``, or ``refused``, Flink's message. All scripts of a
version are planned in one JVM as if each were the first.
"""

import gzip
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from py4j.protocol import Py4JJavaError

from explorer.capture.failures import own_exception
from explorer.capture.installation import find_installation
from explorer.capture.recording.recording_session import session
from explorer.capture.sql.scripts import run_script
from explorer.capture.sql.sql_plans import SqlPlanReader
from explorer.capture.sql.table_environments import table_environment
from tests.capture.flinks import jar, lib
from tests.capture.sql_advice import SCRIPTS
from tests.golden_files import GOLDEN, cases

VERSIONS: Final = ("1.20.5", "2.2.1", "2.3.0")
FILE: Final = GOLDEN / "sql_advice.jsonl.gz"
_TIMEOUT: Final = 900
"""Seconds for all captures of a version."""
_FACTORY: Final = "org.apache.flink.table.factories.Factory"


def captured(version: str) -> list[dict[str, Any]]:
    """Plan every script on a version."""
    lines = []
    with (
        TemporaryDirectory() as folder,
        session(
            find_installation(lib(version)),
            {},
            extra=[jar("LookupTables", version, Path(folder), service=_FACTORY)],
            timeout=_TIMEOUT,
        ) as made,
    ):
        for name, script in SCRIPTS.items():
            line: dict[str, Any] = {"name": name, "flink": version, "script": script}
            try:
                run_script(made, script)
                line["document"] = made.documents[-1]
            except Py4JJavaError as error:
                line["refused"] = str(own_exception(error.java_exception).getMessage())
            tables = table_environment(made, {}, None, lasting=False).tables
            SqlPlanReader(made.objects, tables).count_from(0)
            sys.stdout.write(f"{version} {name}: {line.get('refused', 'planned')[:90]}\n")
            sys.stdout.flush()
            lines.append(line)
    return lines


def main(versions: list[str]) -> None:
    """Ask these versions anew; what the file has of others stays."""
    asked = versions or VERSIONS
    lines = (
        [one for one in cases("sql_advice") if one["flink"] not in asked] if FILE.exists() else []
    )
    for version in asked:
        lines += captured(version)
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
