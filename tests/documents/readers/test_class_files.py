"""Class files against what javac wrote, and damaged ones."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.documents.readers.class_files import MAX_CLASS, ClassFileError, Reference, read_class
from tests.quick_java import compile_java

SOURCE = """
import java.util.List;
public class Sample extends Thread implements Runnable {
  public static final long WIDE = 1L << 40;
  protected double half = 0.5;
  @Deprecated public String text(int[] a, List<String> b) { return "é" + a.length; }
  private void own() { Runnable r = () -> text(null, null); r.run(); }
}
"""
LINES = """
class Lines {
    static final long WIDE = 1L << 40;
    static void run() {
        System.gc();

        Runtime.getRuntime().halt((int) WIDE % 7);
    }
}
"""


def compiled(folder: Path, name: str, text: str) -> bytes:
    """What javac makes of a class."""
    source = folder / f"{name}.java"
    source.write_text(text)
    compile_java([source], folder)
    return source.with_suffix(".class").read_bytes()


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compiled(tmp_path_factory.mktemp("classes"), "Sample", SOURCE)


@pytest.mark.slow
def test_names_members_and_references_are_read(content: bytes) -> None:
    found = read_class(content)

    assert (found.name, found.super_name, found.interfaces) == (
        "Sample",
        "java/lang/Thread",
        ("java/lang/Runnable",),
    )
    members = {one.key: one.deprecated for one in found.members}
    assert members["text([ILjava/util/List;)Ljava/lang/String;"]
    assert not members["half:D"]
    assert Reference(owner="java/lang/Runnable", member="run()V") in found.references
    assert Reference(owner="java/lang/Thread", member="<init>()V") in found.references


@pytest.mark.slow
def test_calls_have_their_lines(tmp_path: Path) -> None:
    found = read_class(compiled(tmp_path, "Lines", LINES))
    run = next(one for one in found.methods if one.name == "run")
    calls = [(called.owner, called.name, run.line_at(at)) for at, called in found.calls(run)]

    assert calls == [
        ("java/lang/System", "gc", 5),
        ("java/lang/Runtime", "getRuntime", 7),
        ("java/lang/Runtime", "halt", 7),
    ]


def test_a_member_has_a_name_and_a_type() -> None:
    method, field = (Reference(owner="A", member=member) for member in ("run(I)V", "half:D"))

    assert (method.name, method.descriptor) == ("run", "(I)V")
    assert (field.name, field.descriptor) == ("half", "D")


@pytest.mark.slow
def test_every_cut_is_refused_in_a_sentence(content: bytes) -> None:
    for size in range(0, len(content) - 1, 7):
        with pytest.raises(ClassFileError):
            read_class(content[:size])
    with pytest.raises(ClassFileError, match="these bytes are no class file"):
        read_class(content + b"\0" * MAX_CLASS)
    with pytest.raises(ClassFileError, match="these bytes are no class file"):
        read_class(content, most=len(content) - 1)


@given(st.data())
def test_changed_bytes_are_read_or_refused(content: bytes, data: st.DataObject) -> None:
    damaged = bytearray(content)
    damaged[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ClassFileError):
        found = read_class(bytes(damaged))
        for method in found.methods:
            assert all(at < len(method.code) for at, _ in found.calls(method))


def test_a_file_is_not_read_as_a_class(tmp_path: Path) -> None:
    with pytest.raises(ClassFileError):
        read_class(b"PK\x03\x04")
