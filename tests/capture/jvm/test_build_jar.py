"""The jar in the package is what its sources compile to."""

from pathlib import Path

import pytest

from explorer.capture.failures import CaptureError
from explorer.capture.jvm.build_jar import SOURCES, build_jar
from explorer.capture.jvm.object_tables import JAR
from tests.jar_contents import JAVA_8, contents


@pytest.mark.flink
def test_the_jar_holds_the_classes_of_its_sources(tmp_path: Path) -> None:
    build_jar(SOURCES, tmp_path / "capture.jar")

    assert contents(tmp_path / "capture.jar") == contents(JAR)
    versions = {int.from_bytes(code[6:8], "big") for code in contents(JAR).values()}
    assert versions == {JAVA_8}


@pytest.mark.flink
def test_a_source_that_does_not_compile_is_refused_with_the_message_of_the_compiler(
    tmp_path: Path,
) -> None:
    (tmp_path / "Wrong.java").write_text("class Wrong { int n = text; }")
    with pytest.raises(CaptureError, match="cannot find symbol"):
        build_jar(tmp_path, tmp_path / "wrong.jar")
