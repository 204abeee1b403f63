"""``make audit``: licences of what is installed, known faults where they can be looked up."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import version
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

AUDIT = Path(__file__).parents[1] / ".ci" / "audit"


def audit(data: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(AUDIT)],
        env=os.environ | {"AUDIT_DATA": data},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.fixture
def data() -> Iterator[str]:
    """A service that knows one fault of one package, in the form that osv.dev has."""

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            found: list[dict[str, Any]] = [
                {"vulns": [{"id": "PYSEC-1"}]} if one["package"]["name"] == "mmh3" else {}
                for one in asked["queries"]
            ]
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"results": found}).encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Service) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.slow
def test_licences_are_listed_and_unknown_ones_are_reported() -> None:
    code, text = audit("http://127.0.0.1:9/")
    rows = {line.split()[0]: line for line in text.splitlines() if line}

    assert rows["msgspec"].endswith("BSD-3-Clause")
    assert rows["streamlit"].endswith("Apache-2.0")
    assert "known faults: NOT looked up, since http://127.0.0.1:9/ cannot be asked" in text
    assert code == 0


@pytest.mark.slow
def test_a_known_fault_fails_the_audit(data: str) -> None:
    code, text = audit(data)

    assert "known faults: mmh3 " in text
    assert " has PYSEC-1" in text
    assert "known faults: 1, as " in text
    assert code == 1


def advisory(id: str, **affected: Any) -> dict[str, Any]:
    package = {"ecosystem": "PyPI", "name": "MMH3"}
    return {
        "id": id,
        "modified": "2026-11-20T00:00:00Z",
        "affected": [{"package": package, **affected}],
    }


def events(*pairs: dict[str, str]) -> list[dict[str, Any]]:
    return [{"type": "ECOSYSTEM", "events": list(pairs)}]


ADVISORIES: list[dict[str, Any]] = [
    advisory("LISTED", versions=[version("mmh3")]),
    advisory("WITHIN", ranges=events({"introduced": "0"}, {"fixed": "999"})),
    advisory("LAST", ranges=events({"introduced": "1.0"}, {"last_affected": version("mmh3")})),
    advisory("FIXED", ranges=events({"introduced": "0"}, {"fixed": version("mmh3")})),
    advisory("LATER", ranges=events({"introduced": "999"})),
    advisory("ODD", ranges=events({"introduced": "first"})),
    advisory("OTHER", versions=["0.1"]),
    {**advisory("GONE", versions=[version("mmh3")]), "withdrawn": "2026-11-21T00:00:00Z"},
    {**advisory("OLDER", versions=["0.1"]), "modified": "2020-01-01T00:00:00Z"},
]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["json", "zip"])
def test_a_file_of_advisories_is_read_and_its_date_is_reported(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"all.{kind}"
    if kind == "json":
        file.write_text(json.dumps(ADVISORIES))
    else:
        with ZipFile(file, "w") as archive:
            for one in ADVISORIES:
                archive.writestr(f"{one['id']}.json", json.dumps(one))
    code, text = audit(str(file))
    found = [
        line.split()[-1] for line in text.splitlines() if line.startswith("known faults: mmh3")
    ]

    assert found == ["LISTED", "WITHIN", "LAST", "ODD"]
    assert f"known faults: 4, as {file} has them; its newest advisory is of 2026-11-20" in text
    assert code == 1


@pytest.mark.slow
@pytest.mark.parametrize("content", ["[]", "{}", "5", "[5]", "", "PK"])
def test_a_file_without_advisories_is_no_answer(tmp_path: Path, content: str) -> None:
    (tmp_path / "all.json").write_text(content)
    _, text = audit(str(tmp_path / "all.json"))

    assert "known faults: NOT looked up, since " in text
    assert "known faults: 0" not in text
