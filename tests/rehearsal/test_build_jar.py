"""The jar in the package is what its sources compile to."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from explorer.rehearsal.build_jar import build_jar
from explorer.rehearsal.jobs import JAR
from tests.capture.flinks import lib

JAVA_8 = 52


def contents(jar: Path) -> dict[str, bytes]:
    with ZipFile(jar) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.flink
def test_the_jar_holds_the_classes_of_its_sources(tmp_path: Path) -> None:
    build_jar(lib("1.20.5"), tmp_path / "rehearsal.jar")

    assert contents(tmp_path / "rehearsal.jar") == contents(JAR)


def test_every_class_runs_on_java_8() -> None:
    versions = {int.from_bytes(code[6:8], "big") for code in contents(JAR).values()}

    assert versions == {JAVA_8}
