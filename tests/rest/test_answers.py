"""Whatever listens at an address, no caller waits for long, and an error is one sentence."""

import json
import socket
import time
import tracemalloc

import pytest

import explorer
from explorer.rest import answers
from explorer.rest.addresses import ClusterError, read_address
from explorer.rest.answers import Cluster
from explorer.rest.jobs import jobs_of
from tests.many_cases import for_each
from tests.rest.listening import HEAD, body, listening, sending


def error_of(address: str, timeout: float = 5) -> str:
    with pytest.raises(ClusterError) as caught:
        jobs_of(read_address(address)[0], timeout=timeout)
    return str(caught.value)


def test_a_redirect_is_not_followed() -> None:
    asked = []

    def elsewhere(connection: socket.socket, _request: bytes) -> None:
        asked.append(connection)
        connection.sendall(body("{}"))

    with listening(elsewhere) as other:
        moved = f"HTTP/1.1 302 Found\r\nLocation: {other}/jobs/overview\r\n\r\n".encode()
        with listening(sending(moved)) as address:
            assert error_of(address).endswith(
                "sends on to another address, which is not followed: name the cluster's own"
            )
    assert asked == []


@for_each(
    ("answer", "says"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", "does not speak HTTP"),
        (b"", "the connection broke off"),
        (HEAD + b"Content-Length: 100\r\n\r\n{", "the connection broke off"),
        (body("<html>"), "it is not JSON"),
        (body("[1]"), "does not answer as Flink's REST interface does"),
        (body('{"jobs": [{"jid": 1}]}'), "does not answer as Flink's REST interface does"),
        (body('{"jobs": ' + "[" * 5000 + "]" * 5000 + "}"), "it is not JSON"),
        (
            b'HTTP/1.1 500 No\r\n\r\n{"errors": ["Internal server error.", "<a>\\nat b"]}',
            "answers /jobs/overview with status 500: '<a>'",
        ),
        (b"HTTP/1.1 404 No\r\n\r\n", "has no /jobs/overview"),
    ],
)
def test_an_answer_of_no_cluster_is_one_sentence(answer: bytes, says: str) -> None:
    with listening(sending(answer)) as address:
        sentence = error_of(address)
    assert says in sentence
    assert "\n" not in sentence


def test_an_open_cluster_is_not_asked_over_https() -> None:
    with listening(sending(body("{}"))) as address:
        assert error_of(address.replace("http:", "https:")).endswith(
            "does not speak HTTPS: write http:// if it is open"
        )


def test_a_large_answer_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_BYTES", 1 << 20)
    with listening(sending(HEAD + b"\r\n", b" " * (2 << 20))) as address:
        assert error_of(address).endswith("sends more than 1 MB in one answer")


@pytest.mark.parametrize("begun", [b"", HEAD, HEAD + b"\r\n"])
def test_who_answers_too_slowly_is_left(begun: bytes) -> None:
    def drip(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(begun)
        for _ in range(600):
            time.sleep(0.05)
            connection.sendall(b"x")

    with listening(drip) as address:
        assert "did not answer in time" in error_of(address, timeout=0.5)


def test_all_answers_together_have_a_time() -> None:
    listed = json.dumps({"jobs": []})
    with listening(sending(body(listed))) as address:
        cluster = Cluster(read_address(address)[0], timeout=0.0)
        with pytest.raises(ClusterError, match="did not answer in time"):
            cluster.ask("/jobs/overview")


def test_a_cluster_that_is_gone_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(ClusterError, match=r"no cluster on http://127.0.0.1:\d+ \(connection"):
        explorer.capture(f"http://127.0.0.1:{port}/jobs/{'0' * 32}")


@pytest.mark.slow
def test_chunks_of_one_byte_need_no_more_memory_than_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = 300_000
    monkeypatch.setattr(answers, "MOST_BYTES", most)
    monkeypatch.setattr(answers, "MOST_SECONDS", 60.0)

    def small_chunks(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(100):
            connection.sendall(b"1\r\n \r\n" * 10_000)

    with listening(small_chunks) as address:
        tracemalloc.start()
        try:
            says = error_of(address, timeout=60)  # Memory is traced, which is slow.
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert "sends more than" in says
    assert peak < 32 * most  # An object for each chunk needs more than 50 bytes.
