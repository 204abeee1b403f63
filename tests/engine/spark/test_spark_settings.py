"""Settings of Spark: which source wins, what is refused, where the driver listens."""

import re
from pathlib import Path

import pytest

from explorer.engine.spark.spark_settings import (
    SETTINGS,
    SparkTarget,
    context_settings,
    page_target,
    properties,
    reachable_address,
    spark_target,
)
from explorer.errors import TrialError
from tests.many_cases import for_each

CLUSTER = "spark://127.0.0.2:7077"


@for_each("master", ["local[x]", "local[2", "local2", "local[1,x]", "local-cluster[2]"])
def test_a_malformed_local_master_is_refused(master: str) -> None:
    with pytest.raises(TrialError, match=r"is no Spark master: write local\[N\] for N threads"):
        spark_target(master)


@for_each(
    "master", ["local", "local[*]", "local[4]", "local[2, 3]", "local-cluster[2,1,1024]", "yarn"]
)
def test_masters_as_spark_names_them_are_taken(master: str) -> None:
    assert spark_target(master).master == master


def settings(target: SparkTarget) -> dict[str, str]:
    return context_settings(target, Path("/folder"))


def test_the_callers_settings_beat_the_clusters_and_those_beat_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = "spark.driver.memory 5g\nspark.executor.memory=3g\nspark.master yarn\nother x\n"
    (tmp_path / "spark-defaults.conf").write_text(defaults)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    found = settings(spark_target(CLUSTER, {"spark.executor.memory": "4g"}))

    assert found["spark.driver.memory"] == "5g"
    assert found["spark.executor.memory"] == "4g"
    assert found["spark.master"] == CLUSTER
    assert found["spark.shuffle.compress"] == SETTINGS["spark.shuffle.compress"]
    assert "other" not in found


def test_a_properties_file_replaces_the_clusters_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home" / "conf"
    home.mkdir(parents=True)
    (home / "spark-defaults.conf").write_text("spark.driver.memory 5g\n")
    monkeypatch.delenv("SPARK_CONF_DIR", raising=False)
    monkeypatch.setenv("SPARK_HOME", str(home.parent))
    assert settings(spark_target(CLUSTER))["spark.driver.memory"] == "5g"

    own = tmp_path / "own.conf"
    own.write_text("spark.driver.memory: 6g")
    assert settings(spark_target(CLUSTER, None, own))["spark.driver.memory"] == "6g"


def test_a_local_master_reads_no_cluster_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "spark-defaults.conf").write_text("spark.driver.memory 5g\n")
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    found = settings(spark_target("local[3]", {"spark.driver.maxResultSize": "1g"}))

    assert found["spark.driver.memory"] == SETTINGS["spark.driver.memory"]
    assert found["spark.driver.maxResultSize"] == "1g"
    assert found["spark.driver.host"] == "127.0.0.1"


def test_java_options_of_the_user_follow_ours() -> None:
    key = "spark.executor.extraJavaOptions"
    found = settings(spark_target(CLUSTER, {key: "-Xss4m"}))
    assert found[key] == "-XX:+ExitOnOutOfMemoryError -Xss4m"


def test_the_driver_listens_where_the_master_is_reached() -> None:
    assert reachable_address(CLUSTER) == "127.0.0.1"
    assert reachable_address("spark://no.such.host.invalid:1,127.0.0.3:7077") == "127.0.0.1"
    assert reachable_address("k8s://https://127.0.0.1") == "127.0.0.1"
    assert reachable_address("yarn") is None
    assert reachable_address("spark://[bad") is None
    assert "spark.driver.host" not in settings(spark_target("yarn"))

    found = settings(spark_target(CLUSTER, {"spark.driver.host": "driver.example"}))
    assert found["spark.driver.host"] == "driver.example"
    assert "spark.driver.bindAddress" not in found


def test_settings_with_which_no_trial_is_exact_are_refused() -> None:
    for key, value, advice in (
        ("spark.master", "yarn", "--master"),
        ("spark.submit.deployMode", "cluster", "client mode"),
        ("spark.remote", "sc://host", "Spark Connect"),
        ("spark.api.mode", "connect", "Spark Connect"),
    ):
        with pytest.raises(TrialError, match=re.escape(f"{key}={value}")) as refusal:
            spark_target(CLUSTER, {key: value})
        assert advice in str(refusal.value)
    assert spark_target(CLUSTER, {"spark.submit.deployMode": "client"}).conf
    with pytest.raises(TrialError, match=r"'executor.memory' is no setting of Spark"):
        spark_target(CLUSTER, {"executor.memory": "4g"})


def test_a_properties_file_is_read_as_java_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "spark.conf"
    file.write_text(
        "# a comment\n! another\n\n  spark.a   one two  \nspark.b=x=y\nspark.c : z\n"
        "spark.d long\\\n    er\nspark.e\\ f \\u0041\\tb\nspark.g\n"
        "spark.h one\\\\\\\n  two\nspark.i all\\\\\n"
    )
    assert properties(file) == {
        "spark.a": "one two",
        "spark.b": "x=y",
        "spark.c": "z",
        "spark.d": "longer",
        "spark.e f": "A\tb",
        "spark.g": "",
        "spark.h": "one\\two",
        "spark.i": "all\\",
    }


def test_a_properties_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing.conf"
    with pytest.raises(TrialError, match=r"missing.conf' cannot be read: no such file"):
        settings(spark_target(CLUSTER, None, missing))
    large = tmp_path / "large.conf"
    large.write_bytes(b"#" * ((1 << 20) + 1))
    with pytest.raises(TrialError, match="larger than 1 MiB"):
        properties(large)


def test_the_page_learns_its_target_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert page_target().is_local
    monkeypatch.setenv(
        "STREAMGRAPH_EXPLORER_SPARK", '{"master": "yarn", "conf": [["spark.a", "b"]]}'
    )
    assert page_target() == SparkTarget(master="yarn", conf=(("spark.a", "b"),))
