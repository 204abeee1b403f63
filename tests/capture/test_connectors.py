"""Which jar has a connector or a format, by release."""

from explorer.capture.connectors import jar_to_add, libraries
from explorer.flink.releases import VERSIONS
from tests.many_cases import for_each


@for_each(
    ("identifier", "flink", "words"),
    [
        ("parquet", "1.20.5", "flink-sql-parquet-1.20.5.jar"),
        ("parquet", "1.13.6", "flink-sql-parquet_2.12-1.13.6.jar"),
        ("upsert-kafka", "1.16.3", "flink-sql-connector-kafka-1.16.3.jar"),
        ("kafka", "1.18.1", "flink-sql-connector-kafka-3.2.0-1.18.jar"),
        ("kafka", "2.3.0", "made for Flink 2.0, so look for a newer one made for 2.3"),
        ("opensearch", "1.20.5", "made for Flink 1.19, so look for a newer one made for 1.20"),
        ("iceberg", "1.20.5", "org.apache.iceberg:iceberg-flink-runtime-1.20:VERSION"),
        ("protobuf", "1.13.6", "the connector or format 'protobuf' with --classpath JAR"),
        ("mine", "1.13.6", "the connector or format 'mine' with --classpath JAR"),
    ],
)
def test_the_jar_is_named_with_its_version(identifier: str, flink: str, words: str) -> None:
    assert words in jar_to_add(identifier, flink)


def test_an_identifier_is_in_one_jar_and_every_release_has_an_answer() -> None:
    identifiers = [name for library in libraries() for name in library.identifiers]

    assert len(identifiers) == len(set(identifiers))
    for name in identifiers:
        for version in VERSIONS:
            assert "{" not in jar_to_add(name, f"{version}.0")
