"""The release that a jar's Maven descriptors name."""

import zipfile
from pathlib import Path

import pytest

from explorer.capture.jar.built_for import release_of_jar

OWN = "META-INF/maven/com.example/job/pom.xml"
CONNECTOR = "META-INF/maven/org.apache.flink/flink-connector-kafka/pom.properties"
MODULE = "META-INF/maven/org.apache.flink/flink-clients/pom.properties"
DEPENDENCY = (
    "<dependency><groupId>org.apache.flink</groupId>\n"
    "<artifactId>flink-streaming-java</artifactId><version>2.0.0</version></dependency>"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "release"),
    [
        ({OWN: "<properties><flink.version>1.18.1</flink.version></properties>"}, "1.18"),
        ({OWN: DEPENDENCY}, "2.0"),
        ({CONNECTOR: "artifactId=flink-connector-kafka\nversion=3.2.0-1.19\n"}, "1.19"),
        ({CONNECTOR: "version=1.17.2\n"}, None),
        ({MODULE: "groupId=org.apache.flink\nversion=1.17.2\n"}, "1.17"),
        ({OWN: "<flink.version>1.18.1</flink.version>", CONNECTOR: "version=3.2.0-1.19"}, None),
        ({OWN: "<flink.version>1.8.0</flink.version>"}, None),
        ({OWN: "<flink.version>${other}</flink.version>"}, None),
        ({"Main.class": ""}, None),
    ],
)
def test_descriptors_name_the_release(
    tmp_path: Path, files: dict[str, str], release: str | None
) -> None:
    jar = tmp_path / "job.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    assert release_of_jar(jar) == release


@pytest.mark.slow
def test_a_file_that_is_no_jar_has_no_main_class(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jar"
    broken.write_bytes(b"PK\x03\x04 damaged")
    assert release_of_jar(broken) is None
    assert release_of_jar(tmp_path / "missing.jar") is None
