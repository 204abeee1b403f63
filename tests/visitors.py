"""Visitors of the page without a browser: they speak Streamlit's own protocol.

Fifty of them cost less than one Chromium, so that memory and descriptors of the server can be
measured with many sessions, and with thousands of steps of one.
"""

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Final, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.journeys.conftest import wait_for_health
from tests.patience import PATIENCE

_NO_SPARK: Final = "from components.run import trial; trial.start_spark_early = lambda: None"
_TRIGGER: Final = "$$STREAMLIT_INTERNAL_KEY_"
_LARGEST: Final = 512 * 1024 * 1024
_ID: Final = "$$ID-"
"""A widget's ID is this, a hash, ``-`` and the key that the page gave it."""


class Visitor:
    """One page that is open: its connection, its address and its widgets."""

    def __init__(self, port: int, *, address: str = "") -> None:
        """``address``: of the browser, as a proxy on this machine reports it; "": this machine."""
        self.port, self._address = port, address
        self.query = ""
        self.bytes_received = 0
        self.html = ""
        """What the latest run wrote as HTML."""
        self.sent: list[str] = []
        """What it sent to components, in JSON."""
        self._session = ""
        self._states: dict[str, WidgetState] = {}
        self._ids: dict[str, str] = {}
        """By key of a widget, without the document's revision, its ID in the latest run."""
        self._parts: dict[str, str] = {}
        """By ID of a widget, the part of the page that it would run alone."""
        self._downloads: dict[str, str] = {}
        """By label of a download button, Streamlit's ID of its file in the latest run."""
        self._connection: WebSocketClientConnection

    async def open(self, query: str = "") -> Self:
        """Connect and wait for the first run."""
        headers = {"Origin": f"http://127.0.0.1:{self.port}"}
        if self._address:
            headers["X-Forwarded-For"] = self._address
        request = HTTPRequest(f"ws://127.0.0.1:{self.port}/_stcore/stream", headers=headers)
        self._connection = await websocket_connect(
            request, subprotocols=["streamlit"], max_message_size=_LARGEST
        )
        await self.go(query)
        return self

    async def close(self) -> None:
        """Close the page."""
        self._connection.close()
        while await self._receive() is not None:
            pass

    async def go(self, query: str) -> None:
        """Go to the page's address with another query, and wait for the run."""
        self.query = query
        await self.run()

    async def run(self, pressed: WidgetState | None = None, *, part: str = "") -> None:
        """Have the script run with the widgets as they are; ``pressed``: this once.

        ``part``: Streamlit's ID of the part of the page that runs alone; "": that of the widget.
        """
        message = BackMsg()
        message.rerun_script.query_string = self.query
        states = [*self._states.values(), *([pressed] if pressed else [])]
        message.rerun_script.widget_states.widgets.extend(states)
        widget = pressed.id if pressed else ""
        message.rerun_script.fragment_id = part or self._parts.get(widget, "")
        await self._connection.write_message(message.SerializeToString(), binary=True)
        self.html = ""
        self.sent.clear()
        self._ids.clear()
        while not _is_last(await self._read()):
            pass

    def has(self, key: str) -> bool:
        """Whether a widget with this key was drawn."""
        return key in self._ids

    async def press(self, key: str) -> None:
        """Press a button."""
        await self.run(WidgetState(id=self._ids[key], trigger_value=True))

    async def select(self, key: str, element: str) -> None:
        """Select an element of the graphs in the component with this key."""
        picked = json.dumps([{"event": "picked", "value": {"key": element}}], separators=(",", ":"))
        id_ = f"{_TRIGGER}{self._ids[key]}__events"
        self._states[self._ids[key]] = WidgetState(id=self._ids[key], json_value="{}")
        self._parts[id_] = self._parts[self._ids[key]]
        await self.run(WidgetState(id=id_, json_trigger_value=picked))

    async def write(self, key: str, text: str) -> None:
        """Write a text into a field."""
        state = WidgetState(id=self._ids[key], string_value=text)
        self._states[state.id] = state
        await self.run(state)

    async def toggle(self, key: str, *, on: bool) -> None:
        """Turn a toggle or a checkbox."""
        id_ = self._ids[key]
        self._states[id_] = WidgetState(id=id_, bool_value=on)
        await self.run()

    async def pick(self, key: str, option: str) -> None:
        """Pick an option of a segmented control by its text."""
        id_ = self._ids[key]
        self._states[id_] = WidgetState(id=id_)
        self._states[id_].string_array_value.data.append(option)
        await self.run()

    async def choose(self, key: str, option: str) -> None:
        """Choose an option of a select box, or a tab, by its text."""
        id_ = self._ids[key]
        self._states[id_] = WidgetState(id=id_, string_value=option)
        await self.run()

    async def run_trial(self) -> list[Any]:
        """Run a trial in the tab *Local run*; return the rows of its table of tasks."""
        await self.press("start")
        while not self.has("again"):
            await asyncio.sleep(0.5)
            await self.run()
        drawn = (json.loads(json.loads(text)) for text in self.sent)
        (rows,) = (data["rows"] for data in drawn if data.get("label") == "Tasks")
        return list(rows)

    async def upload(self, key: str, name: str, content: bytes) -> None:
        """Upload a file through the widget with this key, as its browser does."""
        message = BackMsg()
        message.file_urls_request.request_id = name
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self._session
        await self._connection.write_message(message.SerializeToString(), binary=True)
        urls = await self._urls()
        _put(f"http://127.0.0.1:{self.port}{urls.upload_url}", name, content)
        state = WidgetState(id=self._ids[key])
        uploaded = state.file_uploader_state_value.uploaded_file_info.add()
        uploaded.file_id, uploaded.name, uploaded.size = urls.file_id, name, len(content)
        uploaded.file_urls.CopyFrom(urls)
        self._states[state.id] = state
        await self.run()

    async def download(self, label: str) -> str:
        """Click a download button; return the address of its file."""
        message = BackMsg()
        message.backend_operation_request.request_id = label
        message.backend_operation_request.session_id = self._session
        message.backend_operation_request.deferred_file.file_id = self._downloads[label]
        await self._connection.write_message(message.SerializeToString(), binary=True)
        while (answer := await self._read()).WhichOneof("type") != "backend_operation_response":
            pass
        return f"http://127.0.0.1:{self.port}{answer.backend_operation_response.deferred_file.url}"

    async def _urls(self) -> FileURLs:
        while True:
            message = await self._read()
            if message.WhichOneof("type") == "file_urls_response":
                found: FileURLs = message.file_urls_response.file_urls[0]
                return found

    async def _read(self) -> ForwardMsg:
        raw = await self._receive()
        if not isinstance(raw, bytes):
            msg = "the server closed the connection"
            raise ConnectionError(msg)
        self.bytes_received += len(raw)
        message = ForwardMsg()
        message.ParseFromString(raw)
        self._note(message)
        return message

    async def _receive(self) -> str | bytes | None:
        return await asyncio.wait_for(self._connection.read_message(), PATIENCE)

    def _note(self, message: ForwardMsg) -> None:
        """Remember the widgets and the text of a message."""
        kind = message.WhichOneof("type")
        if kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id
        if kind == "delta":
            self._note_drawn(message.delta)

    def _note_drawn(self, drawn: Any) -> None:
        """Remember the widget or the text of a part of the page."""
        part = drawn.fragment_id
        while (inner := drawn.WhichOneof("type")) in {"new_element", "add_block"}:
            drawn = getattr(drawn, inner)
        if inner is None:
            return
        drawn = getattr(drawn, inner)
        id_ = str(getattr(drawn, "id", ""))
        if id_.startswith(_ID):
            self._parts[id_] = part
            self._ids[id_.removeprefix(_ID).partition("-")[2].partition("@")[0]] = id_
        if inner == "download_button":
            self._downloads[drawn.label] = drawn.deferred_file_id
        if inner == "html":
            self.html += drawn.body
        if inner == "bidi_component":
            self.sent.append(drawn.json)


def _is_last(message: ForwardMsg) -> bool:
    """Whether a run ended, and none follows it by itself."""
    status = message.script_finished
    is_end = message.WhichOneof("type") == "script_finished"
    return is_end and status != ForwardMsg.FINISHED_EARLY_FOR_RERUN


def _put(url: str, name: str, content: bytes) -> None:
    """Send a file as a form, as a browser does."""
    edge = "----a-visitor"
    head = (
        f'--{edge}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    body = head.encode() + content + f"\r\n--{edge}--\r\n".encode()
    request = urllib.request.Request(url, data=body, method="PUT")  # noqa: S310 - our own server
    request.add_header("Content-Type", f"multipart/form-data; boundary={edge}")
    token = _token(url)
    request.add_header("Cookie", f"_streamlit_xsrf={token}")
    request.add_header("X-Xsrftoken", token)
    with urllib.request.urlopen(request, timeout=PATIENCE):  # noqa: S310
        pass


def _token(url: str) -> str:
    """The server's token against forged requests, which it gives every browser as a cookie."""
    health = f"{url.partition('/_stcore')[0]}/_stcore/health"
    with urllib.request.urlopen(health, timeout=PATIENCE) as answer:  # noqa: S310
        return SimpleCookie(answer.headers["Set-Cookie"])["_streamlit_xsrf"].value


@contextmanager
def served(port: int, log: Path, *, before: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """The page on a server of its own, which answers and starts no Spark before a trial needs it.

    ``before``: Python that its process runs first.
    """
    app = Path(__file__).parents[1] / "app.py"
    program = f"from components import serve\n{_NO_SPARK}\n{before}\nserve.main()"
    options = [str(app), f"--server.port={port}", "--server.headless=true"]
    with log.open("ab") as output:
        server = subprocess.Popen(
            [sys.executable, "-c", program, *options],
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=app.parent,
        )
    try:
        wait_for_health(f"http://127.0.0.1:{port}/_stcore/health", server, log)
        yield server
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


def megabytes(server: subprocess.Popen[bytes]) -> float:
    """Resident memory of the server."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line) / 1024


def descriptors(server: subprocess.Popen[bytes]) -> int:
    """Files and sockets that the server has open."""
    return len(os.listdir(f"/proc/{server.pid}/fd"))  # noqa: PTH208 - it is not one of our folders
