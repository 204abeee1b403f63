"""``python -m explorer ui``: where the page is served, and what is said where it cannot be."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.cli.main import main
from explorer.rest.addresses import VARIABLE
from tests.patience import PATIENCE

pytestmark = pytest.mark.process

COMMAND = [sys.executable, "-m", "explorer", "ui"]


@pytest.fixture
def used_port() -> Iterator[socket.socket]:
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


def test_a_used_port_is_refused_in_one_sentence(used_port: socket.socket) -> None:
    port = used_port.getsockname()[1]

    done = subprocess.run(
        [*COMMAND, "--port", str(port)], capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"127.0.0.1:{port} (Address already in use)" in done.stderr


@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_an_interrupt_while_the_page_starts_prints_no_traceback(seconds: float) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with subprocess.Popen(
        [*COMMAND, f"--port={port}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stderr is not None
        printed = command.stderr.readline()
        time.sleep(seconds)  # The server imports Streamlit, for seconds.
        # An end without the interrupt, which the exit code 0 might be, is not accepted.
        assert command.poll() is None
        command.send_signal(signal.SIGINT)
        printed += command.communicate(timeout=PATIENCE)[1]

    # 0: Streamlit was there already, and ended by itself.
    assert command.returncode in {0, -signal.SIGINT, 130}
    assert printed == f"The page is on http://127.0.0.1:{port} (Ctrl+C ends it)\n"


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http"])
def test_a_value_that_is_no_port_is_a_usage_error(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["ui", f"--port={port}"])

    assert ended.value.code == 2
    assert "1 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("address", "says"),
    [("ftp://a", "is no address of a cluster"), (f"http://a:1/jobs/{'0' * 32}", "is one job")],
)
def test_an_address_without_a_cluster_is_a_usage_error(
    address: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["ui", "--flink", address])

    assert ended.value.code == 2
    assert says in capsys.readouterr().err


def test_the_page_is_served_until_the_command_is_ended(used_port: socket.socket) -> None:
    port = used_port.getsockname()[1]
    used_port.close()
    command = [*COMMAND, f"--port={port}", "--flink", "http://a:1", "--flink", "https://b"]
    log = subprocess.PIPE
    with subprocess.Popen(command, stdout=log, stderr=log, text=True) as page:
        while not healthy(port):
            assert page.poll() is None
            time.sleep(0.1)
        reported = Path(f"/proc/{page.pid}/environ").read_text().split("\0")
        assert f"{VARIABLE}=http://a:1 https://b:443" in reported
        page.terminate()
        printed, errors = page.communicate(timeout=PATIENCE)

    assert not healthy(port)
    assert errors == f"The page is on http://127.0.0.1:{port} (Ctrl+C ends it)\n"
    assert printed.strip() in {"", "Stopping..."}


def status_under(name: str, port: int) -> int:
    """The status with which the page answers a request under this name."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": name})
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - our own server
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_the_page_answers_under_the_names_of_its_options_alone(used_port: socket.socket) -> None:
    port = used_port.getsockname()[1]
    used_port.close()
    named = ["--host=0.0.0.0", "--address=a.example", "--allow-host=b.example", "--allow-host=c"]
    log = subprocess.DEVNULL
    with subprocess.Popen([*COMMAND, f"--port={port}", *named], stdout=log, stderr=log) as page:
        while not healthy(port):
            assert page.poll() is None
            time.sleep(0.1)
        known = ("localhost", "127.0.0.1", "[::1]", "a.example", "b.example:80", "c")
        foreign = ("evil.example", "1.a.example", "a.example.evil.example", "192.0.2.1")
        found = {name: status_under(name, port) for name in (*known, *foreign)}
        page.terminate()

    assert found == dict.fromkeys(known, 200) | dict.fromkeys(foreign, 421)


@pytest.fixture
def served(used_port: socket.socket) -> Iterator[tuple[int, socket.socket]]:
    """The port of a running page, and a proxy that nothing should ask for anything outside."""
    port = used_port.getsockname()[1]
    used_port.close()
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        outside = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        reported = dict.fromkeys(("http_proxy", "https_proxy", "ALL_PROXY"), outside)
        command = [*COMMAND, "--port", str(port), "--host", "0.0.0.0", "--public"]  # noqa: S104
        log = subprocess.DEVNULL
        with subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | reported) as page:
            while not healthy(port):
                assert page.poll() is None
                time.sleep(0.1)
            yield port, proxy
            page.terminate()


def handshake(port: int, origin: str) -> str:
    """The status of a WebSocket's handshake."""
    request = (
        "GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: {origin}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port)) as asked:
        asked.sendall(request.encode())
        return asked.recv(100).split(b"\r\n")[0].decode()


def test_a_foreign_origin_is_refused_and_nothing_outside_is_asked(
    served: tuple[int, socket.socket],
) -> None:
    port, proxy = served

    assert handshake(port, f"http://127.0.0.1:{port}").split()[1] == "101"
    assert handshake(port, "http://evil.example").split()[1] == "403"
    proxy.settimeout(0)
    with pytest.raises(BlockingIOError):
        proxy.accept()


def test_an_upload_that_no_widget_expects_is_refused_before_its_body(
    served: tuple[int, socket.socket],
) -> None:
    head = (
        "PUT /_stcore/upload_file/session/any HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 19000000\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", served[0]), timeout=PATIENCE) as asked:
        asked.sendall(head.encode())
        answer = b"".join(iter(lambda: asked.recv(10_000), b"")).decode()

    assert answer.startswith("HTTP/1.1 403 ")
    assert "no field of this page asked for this file" in answer
