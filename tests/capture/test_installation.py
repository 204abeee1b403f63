"""Which Flink is at hand, and what its folder says."""

from pathlib import Path

import pytest

from explorer.capture.installation import find_installation
from explorer.errors import ExplorerError, MissingFlinkError
from tests.capture.flinks import brought, lib

JARS = "flink-dist-1.20.5.jar", "flink-dist_2.12-1.13.6.jar"


def folder(parent: Path, *jars: str) -> Path:
    made = parent / "lib"
    made.mkdir(parents=True)
    for jar in jars:
        (made / jar).touch()
    return made


@pytest.mark.parametrize(
    ("jar", "version", "release"),
    [
        ("flink-dist-1.20.5.jar", "1.20.5", "1.20"),
        ("flink-dist_2.11-1.9.3.jar", "1.9.3", "1.9"),
        ("flink-dist_2.12-1.13.6.jar", "1.13.6", "1.13"),
        ("flink-dist-2.0.0-SNAPSHOT.jar", "2.0.0", "2.0"),
    ],
)
def test_the_release_is_read_from_the_jars(
    tmp_path: Path, jar: str, version: str, release: str
) -> None:
    found = find_installation(folder(tmp_path, jar, "flink-csv.jar"))

    assert (found.version, found.release) == (version, release)
    assert [one.name for one in found.jars] == sorted([jar, "flink-csv.jar"])


@pytest.mark.parametrize(
    ("jars", "words"),
    [
        ([], "has no flink-dist jar"),
        (JARS, "has 2 flink-dist jars"),
        (["flink-dist-1.8.0.jar"], "no Flink release '1.8.0'; supported are 1.9 to 2.3"),
    ],
)
def test_a_folder_without_one_release_is_refused(
    tmp_path: Path, jars: list[str], words: str
) -> None:
    with pytest.raises(ExplorerError, match=words):
        find_installation(folder(tmp_path, *jars))


@pytest.mark.flink
def test_flink_home_comes_before_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "pyflink"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "lib").symlink_to(lib("2.2.1"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("FLINK_HOME", raising=False)
    assert find_installation(None).version == "2.2.1"

    monkeypatch.setenv("FLINK_HOME", str(brought("1.20.5")))
    assert find_installation(None).version == "1.20.5"


def test_without_any_flink_the_message_explains_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FLINK_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(MissingFlinkError, match=r"bring a release with .* --flink-lib"):
        find_installation(None)
