"""The jar in the package is what its sources compile to."""

from pathlib import Path

import pytest

from explorer.capture.jvm.build_jar import build_jar
from explorer.rehearsal.build_jar import SOURCES
from explorer.rehearsal.jobs import JAR
from tests.capture.flinks import lib
from tests.jar_contents import JAVA_8, contents


@pytest.mark.flink
def test_the_jar_holds_the_classes_of_its_sources(tmp_path: Path) -> None:
    class_path = sorted(lib("1.20.5").glob("*.jar"))
    build_jar(SOURCES, tmp_path / "rehearsal.jar", class_path)

    assert contents(tmp_path / "rehearsal.jar") == contents(JAR)


def test_every_class_runs_on_java_8() -> None:
    versions = {int.from_bytes(code[6:8], "big") for code in contents(JAR).values()}

    assert versions == {JAVA_8}
