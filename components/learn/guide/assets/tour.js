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

/** What the card leaves free where it can, and how much a covered pixel of it counts: what is drawn, and the first steps. */
const DRAWN = "[data-card], [data-chain], [data-edge-label], .st-key-welcome";
const WEIGHTS = { drawn: 20, shown: 1 };

function covered(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, width) * Math.max(0, height);
}

/** Where in the window a card of this size covers least, of what is drawn and of the box that it is about. */
function freest({ width, height }, box) {
  const xs = [box.right + 12, box.left - width - 12, box.left + (box.width - width) / 2, innerWidth - width - 12, 12];
  const ys = [box.top + 12, box.bottom - height - 12, box.bottom + 12, box.top - height - 12, innerHeight - height - 8];
  const drawn = [...document.querySelectorAll(DRAWN)].map((element) => element.getBoundingClientRect());
  let least = { x: 8, y: 8, cost: Infinity };
  for (const x of xs.filter((at) => at >= 8 && at + width <= innerWidth - 8)) {
    for (const y of ys.filter((at) => at >= 8 && at + height <= innerHeight - 8)) {
      const card = new DOMRect(x, y, width, height);
      const cost = WEIGHTS.shown * covered(card, box) + WEIGHTS.drawn * drawn.reduce((sum, other) => sum + covered(card, other), 0);
      if (cost < least.cost) least = { x, y, cost };
    }
  }
  return least;
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
  // The graphs may be drawn after the card was placed. A change within the card moves it nowhere.
  let frame = 0;
  const drawing = new MutationObserver((changes) => {
    if (changes.every(({ target }) => card.contains(target))) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(place);
  });
  const place = () => {
    const shown = document.querySelector(stops[at].place)?.getBoundingClientRect();
    ring.hidden = !shown?.width;
    // A panel that is a closed drawer has no place: its text stands in the middle of the page.
    const box = shown?.width ? shown : new DOMRect(innerWidth / 2, 0, 0, innerHeight);
    Object.assign(ring.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
    const { x, y } = freest(card.getBoundingClientRect(), box);
    card.style.left = `${x}px`;
    card.style.top = `${y}px`;
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
    drawing.disconnect();
    cancelAnimationFrame(frame);
  };
  const start = () => {
    end();
    document.body.append(ring, card);
    card.addEventListener("keydown", keys);
    addEventListener("resize", place);
    document.addEventListener("click", leave);
    drawing.observe(document.body, { childList: true, subtree: true });
    go(0);
    card.focus({ preventScroll: true });
  };
  if (begins && first()) start();
  return { start, end };
}
