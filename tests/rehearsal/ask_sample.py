"""Write the rehearsal beside the sample ``17-late-flights-captured``.

A session cluster of Flink 1.20.5 runs the sample's program with a source that does not end, takes
a savepoint of it, and the sample's own program is rehearsed from that savepoint.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from explorer.cli.main import main
from explorer.documents.rehearsals import ENDING
from explorer.locations import sample_folder
from tests.capture.flinks import jar_of, lib
from tests.rest.session_cluster import session_cluster

VERSION = "1.20.5"
PROGRAM = "LateFlights.java"
SOURCE = 'env.fromElements("WN,12", "DL,3", "?")'
ENDLESS = """
    static class Endless
            implements org.apache.flink.streaming.api.functions.source.SourceFunction<String> {
        private volatile boolean running = true;

        @Override
        public void run(SourceContext<String> context) throws Exception {
            for (String line : new String[] {"WN,12", "DL,3", "?"}) context.collect(line);
            while (running) Thread.sleep(50);
        }

        @Override
        public void cancel() {
            running = false;
        }
    }
"""


def ask() -> None:
    """Take the savepoint, rehearse, and write the JSON."""
    program = (sample_folder() / "programs" / PROGRAM).read_text()
    assert SOURCE in program
    running = program.replace(SOURCE, "env.addSource(new Endless())")
    head, brace, rest = running.partition("LateFlights {")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side, text in (("old", head + brace + ENDLESS + rest), ("new", program)):
            (folder / side).mkdir()
            (folder / side / PROGRAM).write_text(text)
        (folder / "cluster").mkdir()
        old = jar_of(folder / "old" / PROGRAM, VERSION, folder / "old")
        with session_cluster(VERSION, folder / "cluster") as cluster:
            job = cluster.submit(old, "")
            savepoint = cluster.cancel_with_savepoint(job, folder)
        shutil.move(savepoint, folder / "savepoint-late-flights")
        new = jar_of(folder / "new" / PROGRAM, VERSION, folder / "new")
        shutil.copy(new, folder / "late-flights.jar")
        _rehearse(folder)


def _rehearse(folder: Path) -> None:
    os.chdir(folder)
    made = sample_folder() / f"17-late-flights-captured{ENDING}"
    with made.open("w") as output:
        sys.stdout = output
        target = ["savepoint-late-flights", "late-flights.jar"]
        main(["rehearse", *target, "--flink-lib", str(lib(VERSION)), "--json"])


if __name__ == "__main__":
    ask()
