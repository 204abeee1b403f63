"""The page in a frame of another site, where a browser withholds its cookies."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser

OTHER = "127.0.0.2"
"""Another site: a browser compares addresses whole."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    def log_message(self, *_: object) -> None:
        """Drop the line."""


@contextmanager
def site(folder: Path) -> Iterator[str]:
    """The address of another site that serves a folder."""
    with ThreadingHTTPServer((OTHER, 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://{OTHER}:{server.server_port}"
        finally:
            server.shutdown()


def test_another_site_shows_both_graphs_in_a_frame(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    frame = f'<iframe src="{address}/?view=embed" width="1200" height="700"></iframe>'
    (tmp_path / "index.html").write_text(f"<!doctype html><title>A course</title>{frame}")
    with site(tmp_path) as other:
        page = browser.new_page(viewport={"width": 1300, "height": 800})
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(other)
        page.wait_for_function("document.querySelector('iframe')")
        embedded = page.frames[1]
        for side in ("stream", "job"):
            embedded.wait_for_function(f"globalThis.__graphs?.{side}.keys().length > 0")
        key = embedded.evaluate("__graphs.stream.keys()[0]")
        at = embedded.evaluate("(key) => __graphs.stream.at(key)", key)
        frame_at = page.locator("iframe").bounding_box()
        assert frame_at is not None
        page.mouse.click(frame_at["x"] + at["x"], frame_at["y"] + at["y"])
        embedded.wait_for_function(f"__graphs.stream.picked() === {key!r}")
        page.close()
    assert not wrong
