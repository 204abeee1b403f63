"""A file's columns are asked for in a process of its own, which may die, hang or grow too large."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.columns import MOST, SMALL, ColumnsRequest, Readers, columns_of
from explorer.engine.rows.sources.tables import infer_row_type
from tests.engine.child_processes import child_processes
from tests.patience import PATIENCE

pytestmark = pytest.mark.process

DEEP = b'{"a": ' + b"[" * 20_000 + b"]" * 20_000 + b"}\n"


def _file(folder: Path, name: str = "rows.csv", content: bytes = b"a,b\n1,x\n") -> ColumnsRequest:
    (folder / name).write_bytes(content)
    path, form = str(folder / name), Path(name).suffix[1:]
    return ColumnsRequest(path=path, name=name, format=form, seconds=PATIENCE)


def _endless(folder: Path, seconds: float) -> ColumnsRequest:
    """A file that is never written."""
    os.mkfifo(folder / "endless.csv")
    path = str(folder / "endless.csv")
    return ColumnsRequest(path=path, name="endless.csv", format="csv", seconds=seconds)


@pytest.fixture
def readers() -> Iterator[Readers]:
    made = Readers()
    yield made
    made.close()


def _names(readers: Readers, question: ColumnsRequest) -> tuple[str, ...]:
    return readers.ask(question).names


def _wait_until(happens: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl", "rows.parquet"])
def test_columns_are_those_that_the_file_has(tmp_path: Path, name: str) -> None:
    table = pa.table({"n": [1, 2], "w": ["a", None], "x": [0.5, 1.0], "b": [True, False]})
    path, form = tmp_path / name, name.partition(".")[2]
    if form == "parquet":
        parquet.write_table(table, path)
    elif form == "csv":
        path.write_text("n,w,x,b\n1,a,0.5,true\n2,,1.0,false\n")
    else:
        path.write_text('{"n": 1, "w": "a", "x": 0.5, "b": true}\n')

    assert columns_of(path, name, form) == infer_row_type(path, name, form)
    assert str(columns_of(path, name, form)) == "n LONG, w STRING, x DOUBLE, b BOOLEAN"


def test_a_process_that_answered_is_asked_again(tmp_path: Path, readers: Readers) -> None:
    question = _file(tmp_path)
    before = child_processes(os.getpid())
    found = [_names(readers, question) for _ in range(5)]

    assert found == [("a", "b")] * 5
    assert len(child_processes(os.getpid()) - before) == 1


def test_a_large_server_asks_a_small_process_again(tmp_path: Path, readers: Readers) -> None:
    large = bytearray(b"x") * (500 << 20)
    before = child_processes(os.getpid())
    found = [_names(readers, _file(tmp_path)) for _ in range(3)]

    assert found == [("a", "b")] * 3
    assert len(child_processes(os.getpid()) - before) == 1
    assert large


BAD = [
    ("rows.csv", b"", "file 'rows.csv' is empty; a csv file begins with a header line"),
    ("rows.csv", b"EXPLORER-FAILURE \x81,b\n1,2\n", "file 'rows.csv' "),
    ("rows.jsonl", b"{}\n", "file 'rows.jsonl' has no rows to infer columns from"),
    ("rows.jsonl", DEEP, "file 'rows.jsonl' nests its values more than 100 deep"),
    ("rows.jsonl", b"[\n" * 20_000 + b"]\n" * 20_000, "file 'rows.jsonl' nests its values more"),
    ("rows.parquet", b"PAR1 damaged PAR1", "file 'rows.parquet' cannot be read: "),
]


@pytest.mark.parametrize(("name", "content", "problem"), BAD)
def test_an_error_in_a_file_is_returned(
    tmp_path: Path, name: str, content: bytes, problem: str
) -> None:
    question = _file(tmp_path, name, content)
    with pytest.raises(SourceError) as error:
        columns_of(Path(question.path), name, question.format)

    assert str(error.value).startswith(problem)
    assert "\n" not in str(error.value)


def test_brackets_in_a_text_are_no_nesting(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"w": "\\"' + "[{" * 200 + '", "n": 1}\n')

    assert str(columns_of(tmp_path / "rows.jsonl", "rows.jsonl", "jsonl")) == "w STRING, n LONG"


def test_a_process_that_runs_too_long_is_ended(tmp_path: Path, readers: Readers) -> None:
    before = child_processes(os.getpid())
    with pytest.raises(SourceError, match=r"'endless.csv' took longer than 0.5 s to look at"):
        readers.ask(_endless(tmp_path, 0.5))

    assert child_processes(os.getpid()) == before
    assert _names(readers, _file(tmp_path)) == ("a", "b")


def test_a_process_that_dies_of_a_file_is_one_sentence(tmp_path: Path, readers: Readers) -> None:
    errors: list[str] = []
    before = child_processes(os.getpid())

    def ask() -> None:
        try:
            readers.ask(_endless(tmp_path, PATIENCE))
        except SourceError as error:
            errors.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    _wait_until(lambda: bool(child_processes(os.getpid()) - before))
    (reader,) = child_processes(os.getpid()) - before
    os.kill(reader, signal.SIGSEGV)
    asking.join(PATIENCE)

    assert errors == [
        "file 'endless.csv' cannot be read as csv: the process that read it broke down, as it "
        "does over a file that is damaged or takes too much memory"
    ]
    assert _names(readers, _file(tmp_path)) == ("a", "b")


def test_a_process_that_died_while_it_rested_is_nobodys_fault(
    tmp_path: Path, readers: Readers
) -> None:
    question = _file(tmp_path)
    before = child_processes(os.getpid())
    _names(readers, question)
    (reader,) = child_processes(os.getpid()) - before
    os.kill(reader, signal.SIGKILL)
    _wait_until(lambda: Path(f"/proc/{reader}/stat").read_text().split()[2] == "Z")

    assert _names(readers, question) == ("a", "b")


def test_memory_is_bounded(tmp_path: Path, readers: Readers) -> None:
    fields = ",".join(f'"c{number}": {number}' for number in range(150_000))
    question = _file(tmp_path, "wide.jsonl", f"{{{fields}}}\n".encode())
    narrow = msgspec.structs.replace(question, memory=400 * 1024 * 1024)
    problem = ""
    try:
        problem = readers.ask(narrow).problem
    except SourceError as died:
        problem = str(died)

    assert problem.startswith("file 'wide.jsonl' ")
    assert "memory" in problem


def test_many_ask_at_once_and_few_read(tmp_path: Path, readers: Readers) -> None:
    question = _file(tmp_path)
    before = child_processes(os.getpid())
    found: list[tuple[str, ...]] = []
    threads = [
        threading.Thread(target=lambda: found.append(_names(readers, question)))
        for _ in range(3 * MOST)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)

    assert found == [("a", "b")] * 3 * MOST
    assert len(child_processes(os.getpid()) - before) <= MOST


def test_a_column_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    table = pa.table([[1], [2]], names=["a", "a"])
    parquet.write_table(table, tmp_path / "twice.parquet")

    with pytest.raises(SourceError, match=r"'twice.parquet' cannot be read: column 'a' is named"):
        infer_row_type(tmp_path / "twice.parquet", "twice.parquet", "parquet")


FORKS = """
import os, sys
from pathlib import Path
from explorer.engine.rows.sources import columns
from explorer.errors import ExplorerError
from tests.engine.child_processes import child_processes
if sys.argv[1] == "forked":
    columns.prepare_forks()
import pyarrow
for path in map(Path, sys.argv[2:]):
    try:
        print(columns.columns_of(path, path.name, path.suffix[1:]))
    except ExplorerError as error:
        print(error)
children = child_processes(os.getpid())
command_lines = {Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
print(command_lines == {Path("/proc/self/cmdline").read_bytes()}, flush=True)
print(*children, flush=True)
os.kill(os.getpid(), 9)
"""


def _asked(how: str, *paths: Path) -> list[str]:
    """What a process of its own prints of these files, and of its reading processes."""
    line = [sys.executable, "-c", FORKS, how, *map(str, paths)]
    # A command that ran in this process may have prepared it for forks.
    env = {name: text for name, text in os.environ.items() if name not in SMALL}
    process = subprocess.run(line, env=env, capture_output=True, text=True, check=False)
    return process.stdout.splitlines()


def test_a_fork_reads_as_a_new_process_does_and_ends_with_its_caller(tmp_path: Path) -> None:
    paths = []
    for number, (name, content, _) in enumerate((*BAD, ("rows.csv", b"a,b\n1,x\n", ""))):
        paths.append(tmp_path / str(number) / name)
        paths[-1].parent.mkdir()
        paths[-1].write_bytes(content)
    *forked, is_fork, children = _asked("forked", *paths)
    *started, is_also_fork, _ = _asked("started", *paths)

    assert forked == started
    assert forked[-1] == "a LONG, b STRING"
    assert (is_fork, is_also_fork) == ("True", "False")
    _wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in children.split()))
