"""What clients send that is no request, no message of the page, or for another page."""

import asyncio
import json
import os
import re
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from explorer.documents.samples import sample_titles
from tests.journeys.conftest import free_port
from tests.patience import PATIENCE
from tests.visitors import Visitor, served

pytestmark = pytest.mark.process
MB = 1024 * 1024
SHORT = """
from components.server import connections as c
c.HEAD_SECONDS, c.MESSAGE_SECONDS, c.MOST_HEADS, c.ALL_MESSAGE_BYTES = 1.0, 1.0, 5, 4 * c.MB
c.PROGRESS_SECONDS, c.MOST_TRANSFERS = 1.0, 5
from msgspec.structs import replace
from components.server import hosting as h
h.OWN = replace(h.OWN, address_pages=2, server_bytes=h.MB)
"""
FOREIGN = "evil.example"
Server = tuple[int, int]
"""Its port and its process."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with served(port, log, before=SHORT) as process:
        yield port, process.pid


def connected(port: int, *lines: str) -> socket.socket:
    """A connection on which these lines were sent."""
    client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    client.sendall("".join(f"{line}\r\n" for line in lines).encode())
    return client


def is_closed(client: socket.socket) -> bool:
    """Wait until the server closes a connection."""
    try:
        while client.recv(65536):
            pass
    except ConnectionResetError:
        pass
    return True


def websocket(port: int) -> socket.socket:
    """A websocket, without a library that would send whole messages alone."""
    client = connected(
        port,
        "GET /_stcore/stream HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "",
    )
    answer = client.recv(4096)
    if b" 101 " not in answer:
        client.close()
        pytest.fail(answer.decode())
    return client


def frame_head(size: int) -> bytes:
    """The beginning of a masked binary frame of this size."""
    return struct.pack(">BBQ", 0x82, 0xFF, size) + bytes(4)


def send_slowly(client: socket.socket, size: int) -> None:
    for _ in range(size // MB * 4):
        client.sendall(bytes(MB // 4))
        time.sleep(0.02)


def threads(process: int) -> int:
    return len([*Path(f"/proc/{process}/task").iterdir()])


@pytest.mark.parametrize("lines", [(), ("GET / HTTP/1.1",), ("GET / HTTP/1.1", "Host: a", "X: y")])
def test_a_head_that_does_not_end_is_closed(server: Server, lines: tuple[str, ...]) -> None:
    with connected(server[0], *lines) as client:
        assert is_closed(client)


def test_a_second_head_on_a_connection_must_end_too(server: Server) -> None:
    with connected(server[0], "GET /_stcore/health HTTP/1.1", "Host: a", "") as client:
        assert b" 200 " in client.recv(4096)
        client.sendall(b"GET / HTTP/1.1\r\n")
        assert is_closed(client)


def test_of_too_many_unfinished_heads_the_oldest_is_closed(server: Server) -> None:
    clients: list[socket.socket] = []
    try:
        clients += (connected(server[0], "GET / HTTP/1.1") for _ in range(6))
        assert is_closed(clients[0])
        with connected(server[0], "GET /_stcore/health HTTP/1.1", "Host: a", "") as other:
            assert b" 200 " in other.recv(4096)
    finally:
        for client in clients:
            client.close()


def unfinished_body(server: Server) -> socket.socket:
    """A request to an address of Streamlit's that reads its whole body, and a part of it."""
    lines = ("POST /_stcore/health HTTP/1.1", "Host: a", "Content-Length: 1000", "", "begun")
    return connected(server[0], *lines)


def test_a_body_that_does_not_arrive_is_closed(server: Server) -> None:
    with unfinished_body(server) as client:
        assert is_closed(client)


def test_a_body_that_arrives_in_drops_is_closed(server: Server) -> None:
    with unfinished_body(server) as client, pytest.raises(OSError, match=r"reset|[Bb]roken"):
        send_in_drops(client)


def send_in_drops(client: socket.socket) -> None:
    for _ in range(900):
        client.sendall(b"x")
        time.sleep(0.1)


def test_of_too_many_unfinished_bodies_the_one_without_progress_longest_is_closed(
    server: Server,
) -> None:
    clients = [unfinished_body(server) for _ in range(6)]
    try:
        assert is_closed(clients[0])
    finally:
        for client in clients:
            client.close()


def test_an_answer_that_nobody_reads_is_given_up(server: Server) -> None:
    page = urlopen(f"http://127.0.0.1:{server[0]}/", timeout=PATIENCE).read().decode()
    (script,) = re.findall(r'src="\.(/static/js/index[^"]*)"', page)
    request = f"GET {script} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(PATIENCE)
        client.connect(("127.0.0.1", server[0]))
        client.sendall(request * 20)
        assert is_established(server[0], client.getsockname()[1])
        assert awaited(lambda: not is_established(server[0], client.getsockname()[1]))


def is_established(port: int, peer: int) -> bool:
    """Whether the server's side of a connection between two ports of this machine is open."""
    ends = [f"0100007F:{port:04X}", f"0100007F:{peer:04X}", "01"]
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()
    return any(line.split()[1:4] == ends for line in lines)


def awaited(holds: Callable[[], bool]) -> bool:
    """Whether it holds within the patience of a test."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def test_a_message_that_is_too_large_is_refused_at_its_head(server: Server) -> None:
    with websocket(server[0]) as client:
        client.sendall(frame_head(9 * MB))
        assert is_closed(client)


def test_a_message_that_does_not_end_is_closed(server: Server) -> None:
    with websocket(server[0]) as client:
        client.sendall(frame_head(MB) + bytes(1000))
        assert is_closed(client)


def test_unfinished_messages_are_bounded_in_total(server: Server) -> None:
    clients = [websocket(server[0]) for _ in range(3)]
    before = megabytes_of(server)
    try:
        for client in clients:
            client.sendall(frame_head(7 * MB))
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            send_slowly(clients[0], 10 * MB)
        assert megabytes_of(server) < before + 20
    finally:
        for client in clients:
            client.close()


def cpu_seconds(server: Server) -> float:
    fields = Path(f"/proc/{server[1]}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes_of(server: Server) -> float:
    status = Path(f"/proc/{server[1]}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line) / 1024


@pytest.mark.parametrize("kind", ["clear_cache", "load_git_info", "set_run_on_save", None])
def test_a_message_that_no_page_sends_has_no_answer_and_no_effect(
    server: Server, kind: str | None
) -> None:
    async def visit() -> None:
        visitor = await Visitor(server[0]).open()
        other = await Visitor(server[0]).open()
        before = threads(server[1])
        for _ in range(5):
            message = BackMsg()
            if kind is not None:
                setattr(message, kind, True)
            await visitor._connection.write_message(message.SerializeToString(), binary=True)
            await visitor.run()
        await other.run()
        assert threads(server[1]) <= before + 2
        await visitor.close()
        await other.close()

    asyncio.run(visit())


def test_states_of_widgets_that_the_page_never_drew_are_not_retained(server: Server) -> None:
    async def visit() -> None:
        visitor = await Visitor(server[0]).open()
        before = megabytes_of(server)
        for turn in range(8):
            state = WidgetState(id=f"$$ID-{turn}-mine", string_value="x" * 3_000_000)
            await visitor.run(state)
        assert megabytes_of(server) < before + 15
        await visitor.close()

    asyncio.run(visit())


def test_a_selection_draws_what_shows_it_and_all_else_the_whole_page(server: Server) -> None:
    async def visit() -> None:
        visitor = await Visitor(server[0]).open("sample=01-word-count")
        assert visitor.has("graph")
        assert visitor.has("undo")

        await visitor.select("graph", "n2")
        assert visitor.has("words.name")
        assert not visitor.has("undo")
        await visitor.select("graph", "n1")
        assert visitor.has("lines.name")
        assert not visitor.has("undo")

        await visitor.write("lines.name", "read lines")
        assert visitor.has("undo")
        await visitor.write("lines.id", "words")
        assert "there is a transformation" in visitor.html
        # The message about the refused id goes with the next step, and the page says so no more.
        await visitor.select("graph", "n2")
        assert visitor.has("undo")
        await visitor.close()

    asyncio.run(visit())


def test_a_message_for_a_part_of_another_servers_page_draws_the_page(server: Server) -> None:
    async def visit() -> None:
        visitor = await Visitor(server[0]).open("sample=01-word-count")
        await visitor.run(part="of-the-server-before")
        assert visitor.has("graph")
        assert visitor.has("undo")
        await visitor.close()

    asyncio.run(visit())


def test_a_download_waits_for_its_browser_while_pages_run(server: Server) -> None:
    async def visit() -> None:
        visitor = await Visitor(server[0]).open("sample=01-word-count&tab=Share and download")
        address = await visitor.download("Download standalone HTML")
        for _ in range(3):
            await visitor.run()
        await visitor.close()
        with urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310 - our own server
            assert b"<title>Word count" in answer.read()

    asyncio.run(visit())


@pytest.mark.parametrize("path", ["/", "/_stcore/host-config", "/_stcore/upload_file/a/b"])
def test_a_request_under_a_foreign_name_is_refused_and_the_option_is_named(
    server: Server, path: str
) -> None:
    with connected(server[0], f"GET {path} HTTP/1.1", f"Host: {FOREIGN}:{server[0]}", "") as client:
        answer = b""
        while part := client.recv(65536):
            answer += part

    assert b" 421 " in answer.split(b"\r\n", 1)[0]
    assert f"under the name {FOREIGN}".encode() in answer
    assert b"--allow-host" in answer


@pytest.mark.parametrize("host", [FOREIGN, "localhost"])
@pytest.mark.parametrize("origin", [FOREIGN, "localhost"])
def test_a_session_needs_a_known_name_and_its_own_origin(
    server: Server, host: str, origin: str
) -> None:
    async def connect() -> None:
        request = HTTPRequest(
            f"ws://127.0.0.1:{server[0]}/_stcore/stream",
            headers={"Host": f"{host}:{server[0]}", "Origin": f"http://{origin}:{server[0]}"},
        )
        connection = await websocket_connect(request, subprotocols=["streamlit"])
        connection.close()
        while await asyncio.wait_for(connection.read_message(), PATIENCE) is not None:
            pass

    if host == origin == "localhost":
        asyncio.run(connect())
    else:
        with pytest.raises(HTTPClientError):
            asyncio.run(connect())


def visit_from(address: str, port: int, path: str = "/") -> tuple[int, str]:
    """Load the document through a proxy on this machine; return the status and the text."""
    headers = {"X-Forwarded-For": address, "Sec-Fetch-Mode": "navigate"}
    request = Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def test_an_address_has_so_many_pages_open_and_others_have_theirs(server: Server) -> None:
    async def open_pages() -> None:
        visitors = [await Visitor(server[0], address="192.0.2.1").open() for _ in range(2)]
        with pytest.raises(HTTPClientError) as refused:
            await Visitor(server[0], address="192.0.2.1").open()
        assert refused.value.code == 429
        assert visit_from("192.0.2.1", server[0])[0] == 429
        assert "has 2 pages open" in visit_from("192.0.2.1", server[0])[1]
        assert visit_from("192.0.2.2", server[0])[0] == 200
        visitors.append(await Visitor(server[0], address="192.0.2.2").open())
        for visitor in visitors:
            await visitor.close()

    asyncio.run(open_pages())
    wait_for(lambda: visit_from("192.0.2.1", server[0])[0] == 200)


def wait_for(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.2)


def line_of_operators(count: int) -> bytes:
    steps = [{"id": f"m{at}", "type": "map", "inputs": [f"m{at - 1}"]} for at in range(1, count)]
    return json.dumps({"transformations": [{"id": "m0", "type": "source"}, *steps]}).encode()


def test_beyond_the_servers_memory_a_page_gives_up_its_undo_steps_and_not_its_document(
    server: Server,
) -> None:
    """The limit is below what the server holds from the beginning."""

    async def work() -> None:
        visitor, other = await Visitor(server[0]).open(), await Visitor(server[0]).open()
        for turn in (3, 4):
            await visitor.choose("sample", list(sample_titles().values())[turn])
            document = visitor.query.partition("&")[0]
            await other.upload("upload", "large.json", line_of_operators(1500 + turn))
            await visitor.press("undo")
            assert visitor.query.partition("&")[0] == document
        await other.close()
        await visitor.close()

    asyncio.run(work())


def test_beyond_its_memory_a_server_does_not_look_at_all_of_it_for_each_click(
    server: Server,
) -> None:
    async def visit() -> None:
        visitor = await Visitor(server[0]).open("sample=01-word-count")
        await visitor.select("graph", "n2")
        before = cpu_seconds(server)
        for turn in range(30):
            await visitor.select("graph", f"n{1 + turn % 2}")
        assert cpu_seconds(server) - before < 1.5
        await visitor.close()

    asyncio.run(visit())
