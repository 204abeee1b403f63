"""``python -m explorer ui``: where the page is served, and what is said where it cannot be."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.rest.named import VARIABLE

COMMAND = [sys.executable, "-m", "explorer", "ui"]


@pytest.fixture
def taken() -> Iterator[socket.socket]:
    """A listening socket on a port that the system chose."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def healthy(port: int) -> bool:
    """Whether the page's server answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health") as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError):
        return False


def test_a_taken_port_is_refused_in_one_sentence(taken: socket.socket) -> None:
    port = taken.getsockname()[1]

    done = subprocess.run(
        [*COMMAND, "--port", str(port)], capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"127.0.0.1:{port} (Address already in use)" in done.stderr


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http"])
def test_what_is_no_port_is_a_usage_error(port: str) -> None:
    done = subprocess.run([*COMMAND, f"--port={port}"], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "1 to 65535" in done.stderr


@pytest.mark.parametrize(
    ("address", "says"),
    [("ftp://a", "is no address of a cluster"), (f"http://a:1/jobs/{'0' * 32}", "is one job")],
)
def test_what_is_no_cluster_is_a_usage_error(address: str, says: str) -> None:
    done = subprocess.run(
        [*COMMAND, "--flink", address], capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert says in done.stderr


def test_the_page_is_served_until_the_command_is_ended(taken: socket.socket) -> None:
    port = taken.getsockname()[1]
    taken.close()
    log = subprocess.DEVNULL
    named = ["--flink", "http://a:1", "--flink", "https://b"]
    with subprocess.Popen([*COMMAND, "--port", str(port), *named], stdout=log, stderr=log) as page:
        while not healthy(port):
            assert page.poll() is None
            time.sleep(0.1)
        told = Path(f"/proc/{page.pid}/environ").read_text().split("\0")
        assert f"{VARIABLE}=http://a:1 https://b:443" in told
        page.terminate()

    assert not healthy(port)
