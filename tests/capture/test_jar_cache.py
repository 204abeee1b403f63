"""Flink's jars from a package index that this test serves on loopback."""

import hashlib
import io
import json
import os
import pty
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from explorer.capture.failures import CaptureError
from explorer.capture.installation import find_installation
from explorer.capture.jar_cache import cache_folder, cached_versions, install
from explorer.cli.main import main
from explorer.errors import ExplorerError, MissingFlinkError
from tests.full_disks import full_disk


def packed(version: str, *more: str) -> bytes:
    """A source archive as the index has them."""
    top = f"apache-flink-libraries-{version}"
    names = (
        f"{top}/setup.py",
        f"{top}/deps/lib/flink-dist-{version}.jar",
        f"{top}/deps/lib/flink-csv-{version}.jar",
        f"{top}/deps/opt/flink-python-{version}.jar",
        f"{top}/deps/opt/flink-s3-{version}.jar",
        *more,
    )
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = len(name)
            archive.addfile(member, io.BytesIO(name.encode()))
    return data.getvalue()


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """An index with files by path that can be changed, and a cache of this test's own."""
    files: dict[str, Any] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = files.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: Any) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("FLINK_HOME", raising=False)
    yield files
    server.shutdown()
    server.server_close()


def offer(files: dict[str, Any], *versions: str, sha256: str | None = None) -> None:
    """List these versions, the archive of each beside the index."""
    listed = []
    for version in versions:
        name = f"apache_flink_libraries-{version}.tar.gz"
        files[f"/files/{name}"] = data = packed(version)
        digest = sha256 or hashlib.sha256(data).hexdigest()
        hashes = {"sha256": digest}
        listed.append({"filename": name, "url": f"/files/{name}", "hashes": hashes})
    listed.append({"filename": "apache_flink_libraries-9.9.0-py3-none-any.whl", "url": "x"})
    files["/simple/apache-flink-libraries/"] = json.dumps({"files": listed}).encode()


def test_the_newest_patch_level_of_a_release_is_installed(served: dict[str, Any]) -> None:
    offer(served, "1.20.4", "1.20.10", "2.2.1")
    seen: list[int] = []
    lib = install("1.20", lambda done, _: seen.append(done))

    assert cached_versions() == ("1.20.10",)
    assert sorted(path.name for path in lib.iterdir()) == [
        "flink-csv-1.20.10.jar",
        "flink-dist-1.20.10.jar",
    ]
    assert [path.name for path in (lib.parent / "opt").iterdir()] == ["flink-python-1.20.10.jar"]
    assert seen == [len(served["/files/apache_flink_libraries-1.20.10.tar.gz"])]
    served.clear()
    assert install("1.20") == lib  # at once: nobody serves it any more
    assert find_installation(None, "1.20").version == "1.20.10"


def test_other_bytes_than_the_index_names_are_not_installed(served: dict[str, Any]) -> None:
    offer(served, "1.20.5", sha256="0" * 64)
    with pytest.raises(CaptureError, match="nothing was installed"):
        install("1.20.5")
    assert cached_versions() == ()
    with pytest.raises(MissingFlinkError, match=r"flink install 1\.19") as missing:
        find_installation(None, "1.19")
    assert missing.value.release == "1.19"


def test_a_release_that_the_index_lacks_is_refused(served: dict[str, Any]) -> None:
    offer(served, "1.20.5", "2.2.1")
    with pytest.raises(CaptureError, match=r"has no Flink 1\.19; it has 1\.20\.5 and 2\.2\.1"):
        install("1.19")
    with pytest.raises(ExplorerError, match=r"3\.7"):
        install("3.7")
    served["/simple/apache-flink/"] = b"<html>"
    with pytest.raises(CaptureError, match="does not answer as a package index"):
        install("1.12")
    served.clear()
    with pytest.raises(CaptureError, match="is out of reach: Not Found"):
        install("1.20")


def test_an_archive_without_flink_is_refused(served: dict[str, Any]) -> None:
    offer(served, "1.20.5")
    path = "/files/apache_flink_libraries-1.20.5.tar.gz"
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("a/../../lib/other.jar"), io.BytesIO(b""))
    served[path] = data.getvalue()
    index = json.loads(served["/simple/apache-flink-libraries/"])
    index["files"][0]["hashes"]["sha256"] = hashlib.sha256(served[path]).hexdigest()
    served["/simple/apache-flink-libraries/"] = json.dumps(index).encode()
    with pytest.raises(CaptureError, match="holds no flink-dist jar"):
        install("1.20.5")
    assert cached_versions() == ()


def test_the_command_installs_and_lists(
    served: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    offer(served, "1.20.5")
    assert main(["flink", "list"]) == 0
    assert "flink install 2.3" in capsys.readouterr().out
    assert main(["flink", "install", "1.20"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Flink 1.20.5 is installed: ")
    assert "Flink 1.20: " in err
    assert main(["flink", "list"]) == 0
    assert capsys.readouterr().out.startswith("1.20.5 ")
    assert main(["flink", "install"]) == 2


@pytest.mark.process
def test_a_terminal_is_asked_before_anything_is_brought(tmp_path: Path) -> None:
    jar = tmp_path / "job.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: Job\n")
        archive.writestr("META-INF/maven/a/b/pom.xml", "<flink.version>1.19.1</flink.version>")
    variables = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    variables.pop("FLINK_HOME", None)
    ours, theirs = pty.openpty()
    os.write(ours, b"n\n")
    command = [sys.executable, "-m", "explorer", "capture", str(jar)]
    terminal: dict[str, Any] = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    run = subprocess.run(command, env=variables, check=False, **terminal)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    os.close(theirs)

    assert run.returncode == 2
    assert "The jars of Flink 1.19 are not here. Bring them from PyPI" in shown
    assert "python -m explorer flink install 1.19" in " ".join(shown.split())


def test_leftovers_of_killed_and_failed_installations_are_removed(served: dict[str, Any]) -> None:
    offer(served, "1.20.5")
    cache = cache_folder()
    (left := cache / "part-killed" / "1.20.4" / "lib").mkdir(parents=True)
    (cache / "part-killed" / ".lock").touch()
    with (
        full_disk(100),
        pytest.raises(CaptureError, match=r"Flink 1\.20\.5 cannot be stored in .*: File too large"),
    ):
        install("1.20.5")

    assert list(cache.iterdir()) == []
    assert not left.exists()
