"""Many visitors and much work: what the server holds afterwards."""

import asyncio
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from explorer.documents.samples import sample_titles
from tests.journeys.conftest import free_port
from tests.patience import PATIENCE
from tests.visitors import Visitor, descriptors, megabytes, served

pytestmark = pytest.mark.process

SOON = "from components.session import visits; visits.RESUMABLE = 1.0; visits._LOOK = 0.5"
"""Has sessions closed at once, in place of two minutes after their page."""
LARGE = [{"id": "m0", "type": "legacy_source"}] + [
    {"id": f"m{n}", "type": "map", "inputs": [f"m{n - 1}"]} for n in range(1, 300)
]


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for a while; then fail."""
    end = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < end
        sleep(0.2)


async def come_and_go(port: int, count: int) -> None:
    """Open as many pages as ``count``, and close them."""
    visitors = [await Visitor(port).open() for _ in range(count)]
    for visitor in visitors:
        await visitor.close()


def test_closed_sessions_leave_neither_descriptors_nor_memory(tmp_path: Path) -> None:
    port = free_port()
    with served(port, tmp_path / "log.txt", before=SOON) as server:
        asyncio.run(come_and_go(port, 6))
        wait_until(lambda: descriptors(server) < 30)
        before = descriptors(server), megabytes(server)
        for _ in range(3):
            asyncio.run(come_and_go(port, 6))
        wait_until(lambda: descriptors(server) <= before[0] + 3)
        assert megabytes(server) < before[1] + 30


async def work(port: int, server: subprocess.Popen[bytes]) -> tuple[float, float]:
    """The server's memory after some rounds of work, and after as many again."""
    visitor = await Visitor(port).open("place=Deploy")
    held = []
    for _ in range(3):
        for turn, title in enumerate(list(sample_titles().values())[:8]):
            await visitor.choose("sample", title)
            await visitor.press("undo" if turn % 2 else "make")
        large = {"name": "large", "transformations": LARGE}
        await visitor.upload("upload", "large.json", json.dumps(large).encode())
        assert "large" in visitor.html
        held.append(megabytes(server))
    await visitor.close()
    return held[1], held[2]


def test_memory_does_not_grow_with_work(tmp_path: Path) -> None:
    port = free_port()
    with served(port, tmp_path / "log.txt") as server:
        before, after = asyncio.run(work(port, server))
        assert after < before + 25
        libraries = Path(f"/proc/{server.pid}/maps").read_text()
        assert "/pyarrow/" in libraries
        assert "/pandas/" not in libraries, "35 MB for charts that nobody has opened"
