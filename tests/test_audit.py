"""``make audit``: licences of what is installed, known faults where they can be looked up."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

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


def test_licences_are_listed_and_unknown_ones_are_reported() -> None:
    code, text = audit("http://127.0.0.1:9/")
    rows = {line.split()[0]: line for line in text.splitlines() if line}

    assert rows["msgspec"].endswith("BSD-3-Clause")
    assert rows["streamlit"].endswith("Apache-2.0")
    assert "known faults: NOT looked up, since http://127.0.0.1:9/ cannot be asked" in text
    assert code == 0


def test_a_known_fault_fails_the_audit(data: str) -> None:
    code, text = audit(data)

    assert "known faults: mmh3 " in text
    assert " has PYSEC-1" in text
    assert "known faults: 1, as " in text
    assert code == 1
