"""What a person does on the page, in the words of a person."""

import json
import re
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from playwright.sync_api import FilePayload, Locator, Page, expect

from components.session.places import TABS, place_named, place_of
from tests.patience import PATIENCE

Side = Literal["stream", "job", "execution"]
PAUSE: Final = (100, 260)
"""Milliseconds after which a widget has sent a click, and after which it has sent typed text."""
TRAFFIC: Final = """{
    const { setTimeout: begin, clearTimeout: end, WebSocket: Socket } = globalThis;
    const timers = new Map();
    const wait = (delay) => new Promise((resolve) => begin(resolve, delay));
    globalThis.__traffic = { sent: 0, received: 0, timers, wait };
    globalThis.WebSocket = class extends Socket {
        constructor(...address) {
            super(...address);
            this.addEventListener("message", () => (__traffic.received = performance.now()));
        }
        send(...words) {
            __traffic.sent = performance.now();
            super.send(...words);
        }
    };
    globalThis.setTimeout = (run, delay, ...given) => {
        const timer = begin(() => (timers.delete(timer), run(...given)), delay);
        if (delay > 0) timers.set(timer, delay);
        return timer;
    };
    globalThis.clearTimeout = (timer) => (timers.delete(timer), end(timer));
}"""
"""When the page last sent a message to its server, when it last received one, and the milliseconds
of each timer that runs: one may send a message. ``wait`` is a timer of the journey's own."""
QUIET: Final = 60
"""Milliseconds without a word from the server, after which its answer is whole."""
TURN: Final = 20
"""Milliseconds between two looks at what was sent and received."""
IDLE: Final = """async ([turn, quiet, [least, most]]) => {
    const { timers, wait } = __traffic;
    let [asked, silent, heard] = [0, 0, null];
    for (;;) {
        await wait(turn);
        const { sent, received } = __traffic;
        const app = document.querySelector("[data-testid=stApp]")?.dataset ?? {};
        asked += turn;
        silent = received === heard ? silent + turn : 0;
        heard = received;
        const pause = [...timers.values()].some((delay) => delay <= most) ? most : least;
        if (app.testConnectionState === "CONNECTED" && app.testScriptState === "notRunning"
            && received > sent && silent >= quiet && asked > pause) return true;
    }
}"""
"""Resolves once the server has answered the last message of the page, and runs no more.

It looks by itself: for each look of Playwright's the browser draws a frame. A turn counts the same
however long it took, since a busy page may have had no time to send anything meanwhile.
"""
POLLING: Final = 50
"""Milliseconds between two looks at whether what a journey waits for has come."""
DRAWN: Final = (
    "globalThis.__graphs?.stream.keys().length > 0 || document.querySelector('.st-key-versions')"
)
"""Whether both graphs are there, or the versions of *Deploy*, which shows graphs on demand."""
WORD_COUNT: Final = "sample=01-word-count"


class Screen:
    """The page in a browser."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        page.set_default_timeout(PATIENCE * 1000)
        expect.set_options(timeout=PATIENCE * 1000)

    def open(self, query: str = "") -> None:
        """Open the page, with the word count where no link names a document; await both graphs."""
        if not re.search(r"\b(s|state|sample|held)=", query):
            query = f"{query}&{WORD_COUNT}" if query else f"/?{WORD_COUNT}"
        self.page.goto(self.address + query)
        self.until(DRAWN)
        self.idle()

    def until(self, expression: str, arg: Any = None) -> None:
        """Wait until the page answers yes."""
        self.page.wait_for_function(expression, arg=arg, polling=POLLING)

    def idle(self) -> None:
        """Wait until the page has sent what was clicked or typed, and the server has answered."""
        self.page.wait_for_function(IDLE, arg=[TURN, QUIET, PAUSE])

    def settle(self, quiet: float) -> None:
        """Wait until the server has answered and sent nothing more for so many milliseconds."""
        self.page.wait_for_function(IDLE, arg=[TURN, quiet, [0, 0]])

    def sample(self, title: str) -> None:
        """Pick a sample."""
        self.page.get_by_role("combobox", name="Sample").click()
        named = re.compile(f"^[0-9]+ {re.escape(title)}( ·.*)?$")
        self.page.get_by_role("option", name=named).click()
        self.wait_for_overview(title)

    def wait_for_overview(self, title: str) -> None:
        """Wait until the panel on the right shows the pipeline with this title."""
        expect(self.panel_name).to_have_text(title)
        self.idle()

    def graph(self, side: Side, question: str) -> Any:
        """Ask a graph: ``keys()``, ``picked()``, ``scale()`` and the like."""
        return self.page.evaluate(f"globalThis.__graphs.{side}.{question}")

    def click(self, side: Side, key: str) -> None:
        """Click an element of a graph."""
        at = self.page.evaluate("([side, key]) => __graphs[side].at(key)", [side, key])
        self.page.mouse.click(at["x"], at["y"])
        self.wait_for(side, f"picked() === {key!r}")
        self.idle()

    def wait_for(self, side: Side, question: str) -> None:
        """Wait until a graph answers yes."""
        self.until(f"globalThis.__graphs.{side}.{question}")

    def wait_for_marks(self, side: Side, mark: str, wanted: set[str]) -> None:
        """Wait until exactly these have a mark of the step: operators and edges, or tasks."""
        self.until(
            """([side, mark, wanted]) => {
                const graph = globalThis.__graphs[side];
                const all = [...graph.keys(), ...(side === "stream" ? graph.edges() : [])];
                const marked = all.filter((key) => graph.marks(key)?.[mark]);
                return marked.sort().join() === wanted;
            }""",
            arg=[side, mark, ",".join(sorted(wanted))],
        )

    def key_of(self, side: Side, title: str) -> str:
        """The key of the card with this title, as soon as it is drawn."""
        self.wait_for(side, f"texts().includes({json.dumps(title)})")
        titles, keys = self.graph(side, "texts()"), self.graph(side, "keys()")
        found: str = keys[titles.index(title)]
        return found

    @property
    def panel_name(self) -> Locator:
        """The name at the top of the right panel; that of the run before may follow it."""
        return self.panel.locator(".x-name").first

    @property
    def panel(self) -> Locator:
        """The detail panel."""
        return self.page.locator(".st-key-right")

    @property
    def form(self) -> Locator:
        """The form on the left."""
        return self.page.locator(".st-key-form")

    @property
    def counts(self) -> Locator:
        """Operators, tasks and slots."""
        return self.page.locator(".st-key-document-head .x-counts")

    def rows(self, label: str) -> Locator:
        """The rows of the table with this name."""
        return self.page.get_by_label(label, exact=True).locator("tbody tr")

    def open_expander(self, part: Locator, title: str) -> None:
        """Open the expander with this title, and wait until nothing moves any more.

        While an expander opens, a click may begin on one element and end on another.
        """
        part.get_by_text(title, exact=True).click()
        self.idle()
        self.until(
            "[...document.querySelectorAll('details')].every(one => !one.getAnimations().length)"
        )

    def add(self, type: str, **fields: str) -> None:
        """Choose a type in the open dialog, fill its fields, and add it by keys alone.

        ``fields``: by label with ``_`` for a space, each reached by one click.
        """
        dialog = self.page.get_by_role("dialog")
        choice = dialog.get_by_role("combobox", name="Type")
        if f" {type} " not in (choice.get_attribute("value") or dialog.inner_text()):
            choice.click()
            choice.fill(f"· {type} —")
            choice.press("Enter")
        form = dialog.locator("form, [data-testid=stForm]").first
        for label, text in fields.items():
            field = form.get_by_label(label.replace("_", " "), exact=True)
            field.click()
            field.fill(text)
        form.get_by_label("Id", exact=True).focus()
        self.page.keyboard.press("Enter")
        expect(dialog).to_have_count(0)
        self.idle()

    def place(self, name: str) -> None:
        """Open a place."""
        choice = self.page.locator(".st-key-place").get_by_role("radio", name=name, exact=True)
        if choice.get_attribute("aria-checked") != "true":
            choice.click()
            self.page.get_by_role("tab", name=TABS[place_named(name)][0], exact=True).wait_for()
            self.idle()

    def tab(self, name: str) -> None:
        """Open a tab, and its place."""
        self.place(place_of(name))
        tab = self.page.get_by_role("tab", name=name, exact=True)
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        self.idle()

    def show_graphs(self) -> None:
        """Open the strip with the new version's graphs in the place *Deploy*."""
        self.page.locator(".st-key-strip-bar").get_by_role("radio", name="New version").click()
        self.until("globalThis.__graphs?.stream.keys().length > 0")
        self.idle()

    @property
    def upload_box(self) -> Locator:
        """The input to which files are given that are to be opened."""
        return self.page.locator(".st-key-upload-box input[type=file]")

    def upload(self, name: str, content: bytes) -> None:
        """Upload a document."""
        file = FilePayload(name=name, mimeType="application/yaml", buffer=content)
        self.upload_box.set_input_files(file)
        self.idle()

    @property
    def link(self) -> str:
        """The address without the server."""
        parts = urlsplit(self.page.url)
        return f"/?{parts.query}" if parts.query else "/"
