// The first run: a few stops at the page's places. This browser remembers that it was shown.

import { element } from "../streamgraph-explorer.shared/dom.js";

const STORE = "streamgraph-explorer.tour";

/** Whether this visit is the first one that sees the page as a whole, not a view alone; noted from now on. */
function first() {
  try {
    if (localStorage.getItem(STORE) || new URLSearchParams(location.search).has("view")) return false;
    localStorage.setItem(STORE, "shown");
    return true;
  } catch {
    // A browser without storage would be asked at every visit.
    return false;
  }
}

/** A tour through `stops`; `start()` begins it, `end()` removes it. `begins`: on a first visit it begins by itself. */
export function createTour(stops, begins) {
  const ring = element("div", { className: "x-tour-ring" });
  const title = element("b");
  const text = element("p");
  const count = element("span");
  const back = element("button", { type: "button", textContent: "Back", onclick: () => go(at - 1) });
  const next = element("button", { type: "button", className: "next", onclick: () => (at === stops.length - 1 ? end() : go(at + 1)) });
  const close = element("button", { type: "button", textContent: "Close", onclick: () => end() });
  const looks = { className: "x-tour", tabIndex: -1, role: "dialog", "aria-label": "Tour of the page" };
  const card = element("div", looks, title, text, element("div", {}, count, close, back, next));
  let at = 0;

  const watching = new ResizeObserver(() => place());
  const place = () => {
    const shown = document.querySelector(stops[at].place)?.getBoundingClientRect();
    ring.hidden = !shown?.width;
    // A panel that is a closed drawer has no place: its text stands in the middle of the page.
    const box = shown?.width ? shown : new DOMRect(innerWidth / 2, 0, 0, innerHeight);
    Object.assign(ring.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
    const { width, height } = card.getBoundingClientRect();
    const choices = [box.right + 12, box.left - width - 12, box.left + (box.width - width) / 2];
    const left = choices.find((x) => x >= 8 && x + width <= innerWidth - 8) ?? 8;
    const free = [box.top + 12, box.bottom - height - 12].find((y) => y >= 8 && y + height <= innerHeight - 8);
    const below = box.height < height + 24 ? (box.bottom + height + 12 < innerHeight ? box.bottom + 12 : box.top - height - 12) : free;
    card.style.left = `${left}px`;
    card.style.top = `${Math.max(8, below ?? 8)}px`;
  };
  const go = (wanted) => {
    at = Math.max(0, Math.min(stops.length - 1, wanted));
    title.textContent = stops[at].title;
    text.textContent = stops[at].text;
    count.textContent = `${at + 1} of ${stops.length}`;
    back.disabled = at === 0;
    next.textContent = at === stops.length - 1 ? "Done" : "Next";
    watching.disconnect();
    for (const element of document.querySelectorAll(stops[at].place)) watching.observe(element);
    place();
  };
  const keys = (event) => {
    if (event.key === "Escape") end();
    else if (event.key === "ArrowRight") go(at + 1);
    else if (event.key === "ArrowLeft") go(at - 1);
    else return;
    event.stopPropagation();
    event.preventDefault();
  };
  const leave = (event) => {
    if (event.target.closest?.(".st-key-top, .st-key-welcome")) end();
  };
  const end = () => {
    document.removeEventListener("click", leave);
    ring.remove();
    card.remove();
    card.removeEventListener("keydown", keys);
    removeEventListener("resize", place);
    watching.disconnect();
  };
  const start = () => {
    end();
    document.body.append(ring, card);
    card.addEventListener("keydown", keys);
    addEventListener("resize", place);
    document.addEventListener("click", leave);
    go(0);
    card.focus({ preventScroll: true });
  };
  if (begins && first()) start();
  return { start, end };
}
