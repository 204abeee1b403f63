"""Configuration folders: read as ``GlobalConfiguration`` of each release reads them.

The expectations are what Flink 1.18.1, 1.19.3, 1.20.5 and 2.2.1 print of these files.
"""

from pathlib import Path

import pytest

from explorer.documents.conf_folder import read_conf_folder
from explorer.errors import DocumentError
from explorer.flink.releases import release

LINES = """# comment
taskmanager.numberOfTaskSlots: 4
parallelism.default:2
taskmanager.memory.process.size: 1728m # inline
env.java.opts: -Dx=1: 2
state.checkpoints.dir: file:///a#b
quoted: "x y"
single: 'it'
 indented: 3
novalue:
empty:\x20
: nokey
a: 1
a: 2
"""
OF_LINES = {
    "a": "2",
    "env.java.opts": "-Dx=1: 2",
    "indented": "3",
    "quoted": '"x y"',
    "single": "'it'",
    "state.checkpoints.dir": "file:///a",
    "taskmanager.memory.process.size": "1728m",
    "taskmanager.numberOfTaskSlots": "4",
}
YAML = """taskmanager:
  numberOfTaskSlots: 4
  memory:
    process:
      size: 1728m # inline
parallelism.default: 2
env.java.opts.all: "--add-exports=a: b"
pipeline.classpaths: [a, b]
list:
  - x y
  - 3
flag: true
off: no
number: 1.50
big: 1e3
date: 2024-01-01
colon: 12:30:45
map: {a: 1, b: {c: d}}
quoted: '1'
emptys: ""
jobmap:
  - {k: v}
"""
OF_YAML = {
    "big": "1000.0",
    "colon": "12:30:45",
    "date": "2024-01-01",
    "emptys": "",
    "env.java.opts.all": "--add-exports=a: b",
    "flag": "true",
    "jobmap": "[{k: v}]",
    "list": "[x y, 3]",
    "map.a": "1",
    "map.b.c": "d",
    "number": "1.5",
    "off": "no",
    "parallelism.default": "2",
    "pipeline.classpaths": "[a, b]",
    "quoted": "1",
    "taskmanager.memory.process.size": "1728m",
    "taskmanager.numberOfTaskSlots": "4",
}


@pytest.mark.parametrize(
    ("version", "files", "expected"),
    [
        ("1.18", {"flink-conf.yaml": LINES}, OF_LINES),
        ("1.18", {"flink-conf.yaml": LINES, "config.yaml": YAML}, OF_LINES),
        ("1.20", {"flink-conf.yaml": LINES, "config.yaml": YAML}, OF_LINES),
        ("1.19", {"config.yaml": YAML}, OF_YAML),
        ("2.2", {"config.yaml": YAML, "flink-conf.yaml": LINES}, OF_YAML),
        ("2.2", {"config.yaml": ""}, {}),
    ],
)
def test_each_release_reads_its_own_file_by_its_own_rules(
    version: str, files: dict[str, str], expected: dict[str, str], tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    assert read_conf_folder(tmp_path, release(version)) == expected


@pytest.mark.parametrize(
    ("version", "files", "message"),
    [
        ("1.18", {"config.yaml": YAML}, "/flink-conf.yaml' .* does not exist"),
        ("2.2", {"flink-conf.yaml": LINES}, "/config.yaml' .* does not exist"),
        ("2.2", {"config.yaml": "a: 1\na: 2\n"}, "'a' is given twice"),
        ("2.2", {"config.yaml": "none:\n"}, "none: Value must not be null"),
        ("2.2", {"config.yaml": "- a\n"}, "must hold a mapping of options"),
    ],
)
def test_a_folder_that_flink_refuses_is_refused(
    version: str, files: dict[str, str], message: str, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    with pytest.raises(DocumentError, match=message):
        read_conf_folder(tmp_path, release(version))
