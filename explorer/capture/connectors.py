"""Well-known connectors, formats and catalogs of SQL: the jar that has each, by release.

Flink finds them by an identifier, as in ``'connector' = 'kafka'``. Connectors left Flink's own
releases one by one and have versions of their own since, which end with the release.
"""

from typing import Final

import msgspec

from explorer.flink.releases import VERSIONS, release

_OWN: Final = "own"
"""The version of Flink itself."""
_ANY: Final = "VERSION"
"""A version that its project decides, whatever Flink's is."""
_SCALA_UNTIL: Final = "1.15"
"""The first release with connector names that do not end with Scala's version."""


def _age(version: str) -> int:
    return VERSIONS.index(version)


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """A jar with the factories of some identifiers."""

    identifiers: tuple[str, ...]
    artifact: str
    """Its name; {release} stands for Flink's release."""
    versions: dict[str, str]
    """By the release from which on it holds; ``own`` is Flink's version."""
    scala: bool = False
    """Whether its name ended with Scala's version up to 1.14."""
    newest: str = VERSIONS[-1]
    """The last release that it was made for, so far as is known."""
    group: str = "org.apache.flink"

    def version_for(self, flink: str) -> str:
        """Its newest known version that is not too new for a version of Flink; empty: none."""
        wanted_version = release(flink).version
        known = [
            item for item in VERSIONS[: VERSIONS.index(wanted_version) + 1] if item in self.versions
        ]
        if not known:
            return ""
        named = self.versions[known[-1]]
        return (
            flink
            if named == _OWN
            else named.format(release=min(wanted_version, self.newest, key=_age))
        )


def _format(artifact: str, *identifiers: str, since: str = "1.9", scala: bool = False) -> Library:
    return Library(identifiers=identifiers, artifact=artifact, versions={since: _OWN}, scala=scala)


def _project(group: str, artifact: str, *identifiers: str) -> Library:
    return Library(identifiers=identifiers, artifact=artifact, versions={"1.9": _ANY}, group=group)


LIBRARIES: Final = (
    Library(
        identifiers=("kafka", "upsert-kafka"),
        artifact="flink-sql-connector-kafka",
        versions={
            "1.9": _OWN,
            "1.17": "3.2.0-{release}",
            "1.19": "3.3.0-{release}",
            "1.20": "3.4.0-1.20",
            "2.0": "4.0.0-2.0",
        },
        scala=True,
    ),
    Library(
        identifiers=("jdbc",),
        artifact="flink-connector-jdbc",
        versions={
            "1.9": _OWN,
            "1.17": "3.1.2-1.17",
            "1.18": "3.2.0-1.18",
            "1.19": "3.3.0-{release}",
            "2.0": "4.0.0-2.0",
        },
        scala=True,
    ),
    Library(
        identifiers=("elasticsearch-7",),
        artifact="flink-sql-connector-elasticsearch7",
        versions={
            "1.9": _OWN,
            "1.16": "3.0.1-{release}",
            "1.18": "3.1.0-{release}",
            "2.0": "4.0.0-2.0",
        },
        scala=True,
    ),
    Library(
        identifiers=("elasticsearch-6",),
        artifact="flink-sql-connector-elasticsearch6",
        versions={"1.9": _OWN, "1.16": "3.0.1-{release}", "1.18": "3.1.0-{release}"},
        newest="1.20",
        scala=True,
    ),
    Library(
        identifiers=("opensearch",),
        artifact="flink-sql-connector-opensearch",
        versions={"1.16": "1.0.1-{release}", "1.18": "1.2.0-{release}"},
        newest="1.19",
    ),
    Library(
        identifiers=("hbase-2.2",),
        artifact="flink-sql-connector-hbase-2.2",
        versions={"1.12": _OWN, "1.18": "4.0.0-{release}"},
        newest="1.19",
        scala=True,
    ),
    Library(
        identifiers=("mongodb",),
        artifact="flink-sql-connector-mongodb",
        versions={"1.17": "1.1.0-1.17", "1.18": "1.2.0-1.18", "1.19": "2.0.0-{release}"},
        newest="1.20",
    ),
    Library(
        identifiers=("pulsar",),
        artifact="flink-sql-connector-pulsar",
        versions={"1.17": "4.1.0-{release}"},
        newest="1.18",
    ),
    Library(
        identifiers=("kinesis", "kinesis-legacy"),
        artifact="flink-sql-connector-kinesis",
        versions={"1.11": _OWN, "1.20": "5.1.0-1.20", "2.0": "6.0.0-2.0"},
        scala=True,
    ),
    Library(
        identifiers=("hive",),
        artifact="flink-sql-connector-hive-3.1.3_2.12",
        versions={"1.16": _OWN},
    ),
    _format("flink-connector-files", "filesystem", since="1.15"),
    _format("flink-csv", "csv"),
    _format("flink-json", "json", "canal-json", "debezium-json", "maxwell-json", "ogg-json"),
    _format("flink-sql-avro", "avro"),
    _format("flink-sql-avro-confluent-registry", "avro-confluent", "debezium-avro-confluent"),
    _format("flink-sql-parquet", "parquet", scala=True),
    _format("flink-sql-orc", "orc", scala=True),
    _format("flink-sql-protobuf", "protobuf", since="1.16"),
    _project("org.apache.iceberg", "iceberg-flink-runtime-{release}", "iceberg"),
    _project("org.apache.paimon", "paimon-flink-{release}", "paimon"),
    _project("org.apache.hudi", "hudi-flink{release}-bundle", "hudi"),
    _project("org.apache.flink", "flink-sql-connector-mysql-cdc", "mysql-cdc"),
    _project("org.apache.flink", "flink-sql-connector-postgres-cdc", "postgres-cdc"),
    _project("org.apache.flink", "flink-sql-connector-mongodb-cdc", "mongodb-cdc"),
    _project("org.apache.flink", "flink-sql-connector-oracle-cdc", "oracle-cdc"),
    _project("org.apache.flink", "flink-sql-connector-sqlserver-cdc", "sqlserver-cdc"),
)

_UNKNOWN: Final = "add the jar of the connector or format {what!r} with --classpath JAR"
_ADD: Final = (
    "add the jar of {what!r} with --classpath: {jar} (Maven: {group}:{artifact}:{version}){note}"
)
_NOT_OURS: Final = ", whatever VERSION your cluster has"
_OLDER: Final = "; it was made for Flink {made}, so look for a newer one made for {wanted}"


def jar_to_add(identifier: str, flink: str) -> str:
    """Say which jar to add for a connector, a format or a catalog that a version lacks.

    >>> jar_to_add("mine", "1.20.5")
    "add the jar of the connector or format 'mine' with --classpath JAR"
    """
    library = next((item for item in LIBRARIES if identifier in item.identifiers), None)
    version = "" if library is None else library.version_for(flink)
    if library is None or not version:
        return _UNKNOWN.format(what=identifier)
    wanted_version = release(flink).version
    scala = library.scala and VERSIONS.index(wanted_version) < VERSIONS.index(_SCALA_UNTIL)
    artifact = library.artifact.format(release=wanted_version) + ("_2.12" if scala else "")
    note = _NOT_OURS if version == _ANY else ""
    if version not in {_ANY, flink} and not version.endswith(f"-{wanted_version}"):
        result = version.rpartition("-")[2]
        note = _OLDER.format(made=result, wanted=wanted_version)
    return _ADD.format(
        what=identifier,
        jar=f"{artifact}-{version}.jar",
        group=library.group,
        artifact=artifact,
        version=version,
        note=note,
    )
