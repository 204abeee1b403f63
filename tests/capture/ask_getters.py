"""Ask the jars of all releases which getters their StreamGraph, StreamNode and StreamEdge have.

``python -m tests.capture.ask_getters`` writes tests/golden/getters.json.gz: by getter, the versions
that have it, and those with a StreamingJobGraphGenerator or a StreamGraph hasher that calls it.
"""

import gzip
import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator

from explorer.flink.releases import VERSIONS
from tests.capture.flinks import CACHE, lib
from tests.golden_files import GOLDEN
from tests.quick_java import QUICK_TOOL

PACKAGE = "org.apache.flink.streaming.api.graph"
CLASSES = ("StreamGraph", "StreamNode", "StreamEdge")
READERS = (
    "StreamingJobGraphGenerator",
    "StreamingJobGraphGenerator$OperatorChainInfo",
    "util.OperatorChainInfo",
    "StreamGraphHasherV2",
    "StreamGraphUserHashHasher",
)
"""One of the second and the third is there, by release."""
GETTER = r"(?:get|is|has|are|supports)(?=[A-Z])\w+"
DECLARED = re.compile(rf" ({GETTER})\(.*\)(?: throws .*)?;")


def javap(version: str, *arguments: str) -> str:
    """What javap prints of classes of the package."""
    jars = ":".join(map(str, lib(version).glob("flink-dist*.jar")))
    *options, names = arguments
    classes = [f"{PACKAGE}.{name}" for name in names.split()]
    command = ["javap", *QUICK_TOOL, *options, "-cp", jars, *classes]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


def getters(version: str) -> Iterator[str]:
    """The getters that are not private, with their class."""
    for name in CLASSES:
        for line in javap(version, "-package", name).splitlines():
            if (found := DECLARED.search(line)) and " static " not in line:
                yield f"{name}.{found[1]}"


def calls(version: str) -> set[str]:
    """The getters that the classes call which make a JobGraph."""
    code = javap(version, "-p", "-c", " ".join(READERS))
    called = rf"graph/({'|'.join(CLASSES)})\.({GETTER}):"
    return {f"{kind}.{getter}" for kind, getter in re.findall(called, code)}


def main() -> None:
    """Ask all versions that .ci/flink has brought."""
    brought = [path.name for path in (CACHE / "streamgraph-explorer" / "flink").iterdir()]
    answers: dict[str, dict[str, list[str]]] = defaultdict(lambda: {"has": [], "reads": []})
    for release in VERSIONS:
        version = next(one for one in brought if one.rpartition(".")[0] == release)
        read = calls(version)
        for getter in sorted(set(getters(version))):
            answers[getter]["has"].append(version)
            if getter in read:
                answers[getter]["reads"].append(version)
    packed = gzip.compress(json.dumps(answers, sort_keys=True).encode(), mtime=0)
    (GOLDEN / "getters.json.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
