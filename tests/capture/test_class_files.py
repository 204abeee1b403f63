"""Bytes that are no class file are refused; those of one give its calls with their lines."""

import subprocess
from pathlib import Path

import pytest

from explorer.capture.class_files import MOST_BYTES, ClassFile

SOURCE = """
class Lines {
    static final long WIDE = 1L << 40;
    static void run() {
        System.gc();

        Runtime.getRuntime().halt((int) WIDE % 7);
    }
}
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("lines")
    source = folder / "Lines.java"
    source.write_text(SOURCE)
    javac: list[str | Path] = ["javac", "-d", folder, source]
    subprocess.run(javac, check=True)
    return Path(folder / "Lines.class").read_bytes()


@pytest.mark.process
def test_calls_have_their_lines(content: bytes) -> None:
    made = ClassFile(content)
    run = next(one for one in made.methods if one.name == "run")
    calls = [(called.owner, called.name, run.line_at(at)) for at, called in made.calls(run)]

    assert calls == [
        ("java.lang.System", "gc", 5),
        ("java.lang.Runtime", "getRuntime", 7),
        ("java.lang.Runtime", "halt", 7),
    ]


@pytest.mark.process
def test_a_class_file_that_ends_early_is_refused(content: bytes) -> None:
    for size in range(10, len(content), 7):
        try:
            made = ClassFile(content[:size])
        except ValueError:
            continue
        assert [list(made.calls(one)) for one in made.methods]


@pytest.mark.parametrize("content", [b"", b"PK", b"\xca\xfe\xba\xbe", bytes(MOST_BYTES + 1)])
def test_other_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"no class file|ends early"):
        ClassFile(content)
