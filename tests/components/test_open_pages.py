"""How many pages may be open, through the gate alone."""

import asyncio

import pytest
from msgspec.structs import replace
from starlette.types import Message, Receive, Scope, Send

from components.server import open_pages
from components.server.hosting import PUBLIC
from components.server.open_pages import PageGate

DOCUMENT = {"type": "http", "method": "GET", "headers": [(b"sec-fetch-mode", b"navigate")]}


def scope(address: str, kind: str = "websocket") -> Scope:
    """A connection from an address."""
    if kind == "websocket":
        return {"type": kind, "headers": [], "client": (address, 1)}
    return {**DOCUMENT, "client": (address, 1)}


class Gate:
    """A gate with pages that stay open until they are let go."""

    def __init__(self) -> None:
        self.closing = asyncio.Event()
        self.gate = PageGate(self.page)

    async def page(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer, and stay open."""
        await send({"type": "opened"})
        if _scope["type"] == "websocket":
            await self.closing.wait()

    async def ask(self, asked: Scope) -> tuple[Message, asyncio.Task[None]]:
        """Return the first message of the answer, and the connection."""
        messages: asyncio.Queue[Message] = asyncio.Queue()

        async def receive() -> Message:
            return {"type": "nothing"}

        connection = asyncio.create_task(self.gate(asked, receive, messages.put))
        return await messages.get(), connection


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = replace(PUBLIC, address_pages=2, all_pages=3)
    monkeypatch.setattr(open_pages, "hosting", lambda: limits)


def test_all_addresses_together_have_so_many_pages() -> None:
    async def ask() -> list[object]:
        gate = Gate()
        answers = [await gate.ask(scope(f"192.0.2.{turn}")) for turn in range(4)]
        answers.append(await gate.ask(scope("192.0.2.9", "http")))
        gate.closing.set()
        await asyncio.gather(*(connection for _, connection in answers))
        answers.append(await gate.ask(scope("192.0.2.9", "http")))
        return [message.get("status") for message, _ in answers]

    assert asyncio.run(ask()) == [None, None, None, 429, 429, None]


def test_this_machine_is_no_address_of_its_own() -> None:
    """Behind a proxy that reports no addresses, all visitors have this machine's."""

    async def ask() -> list[object]:
        gate = Gate()
        answers = [await gate.ask(scope("127.0.0.1")) for _ in range(4)]
        gate.closing.set()
        await asyncio.gather(*(connection for _, connection in answers))
        return [message.get("status") for message, _ in answers]

    assert asyncio.run(ask()) == [None, None, None, 429]
