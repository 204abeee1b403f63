"""Ask the jars of releases for the event time of ``programs/EventTimes.java``.

``python -m tests.capture.ask_event_times`` writes ``event_times.jsonl.gz``: a captured document for
each release, without the types of serializers.
"""

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any, Final

import explorer
from tests.capture.flinks import jar, lib
from tests.golden_files import GOLDEN

VERSIONS: Final = ("1.20.5", "2.2.1")


def captured(version: str, folder: Path) -> dict[str, Any]:
    """The program's document."""
    (document,) = explorer.capture(jar("EventTimes", version, folder), flink_lib=lib(version))
    for node in document["stream_graph"]["nodes"]:
        node["operator"].pop("declared", None)
    return dict(document)


def main() -> None:
    """Ask both releases and write the file."""
    with tempfile.TemporaryDirectory() as folder:
        documents = [captured(version, Path(folder)) for version in VERSIONS]
    text = "".join(f"{json.dumps(document)}\n" for document in documents)
    (GOLDEN / "event_times.jsonl.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
