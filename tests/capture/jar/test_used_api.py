"""A jar without descriptors is started with a release that has the API that its classes use."""

import zipfile
from pathlib import Path

import pytest

from explorer.capture.cached import CaptureOptions, installation_of
from explorer.capture.jar.used_api import newest_with_api, release_to_start
from explorer.flink.releases import VERSIONS
from tests.capture.flinks import jar


@pytest.mark.flink
@pytest.mark.parametrize(("program", "newest"), [("OldApi", "1.20"), ("EndOfInput", VERSIONS[-1])])
def test_classes_limit_the_release(program: str, newest: str, tmp_path: Path) -> None:
    built = jar(program, "1.20.5", tmp_path)

    assert newest_with_api(built) == newest
    # A release is named only where the newest one does not suit.
    assert release_to_start(built) == (None if newest == VERSIONS[-1] else newest)


@pytest.mark.flink
def test_a_jar_for_an_older_release_is_started_with_it(tmp_path: Path) -> None:
    built = jar("OldApi", "1.20.5", tmp_path)

    assert installation_of(built, CaptureOptions()).release == "1.20"
    assert installation_of(built, CaptureOptions(release="2.2")).release == "2.2"


def test_an_unreadable_jar_limits_nothing(tmp_path: Path) -> None:
    (tmp_path / "job.jar").write_bytes(b"PK?")

    assert newest_with_api(tmp_path / "job.jar") is None
    assert newest_with_api(tmp_path / "missing.jar") is None
    assert release_to_start(tmp_path / "job.jar") is None


def test_a_descriptor_counts_more_than_classes(tmp_path: Path) -> None:
    built = tmp_path / "job.jar"
    with zipfile.ZipFile(built, "w") as archive:
        text = "<properties><flink.version>1.18.1</flink.version></properties>"
        archive.writestr("META-INF/maven/com.example/job/pom.xml", text)

    assert release_to_start(built) == "1.18"
