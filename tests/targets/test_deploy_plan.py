"""Plans of a jar that uses API which the new release removed."""

import json
from pathlib import Path

import pytest

from explorer.capture import cached
from explorer.cli.main import main
from tests.capture.flinks import jar
from tests.documents.resources import JAR, deployment, stream

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]


def test_a_jar_that_does_not_start_on_the_new_release_gets_a_plan_with_the_removed_api(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cached, "cache_folder", lambda: tmp_path / "cache" / "flink")
    built = jar("OldApi", "1.20.5", tmp_path)
    job = {"jarURI": JAR, "entryClass": "OldApi", "parallelism": 2}
    for name, release in (("old", "v1_20"), ("new", "v2_2")):
        resource = stream(deployment(flinkVersion=release, job=job))
        (tmp_path / f"{name}.yaml").write_text(resource)
    words = ["plan", str(tmp_path / "new.yaml"), "--from", str(tmp_path / "old.yaml")]

    assert main([*words, "--artifact", f"{JAR}={built}", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["sentence"] == (
        "The program does not start on Flink 2.2, which removed API that it uses."
    )
    rows = {one["subject"]: one for one in found["sections"]["release"]["changes"]}
    assert "ClassNotFoundException" in rows["the job"]["sentence"]
    opened = rows["RichMapFunction.open(Configuration)"]
    assert opened["after"] == "removed in Flink 2.0"
    assert opened["fix"] == "Override open(OpenContext)"
    assert opened["sentence"].startswith(
        "Overridden in OldApi$Further and OldApi$Opened: Flink 2.2"
    )
    assert rows["RichSinkFunction"]["fix"] == (
        "Use org.apache.flink.streaming.api.functions.sink.legacy.RichSinkFunction"
    )
    assert found["sections"]["state"]["sentence"] == "Not computed."
