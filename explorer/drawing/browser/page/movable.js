// How is a drawing moved and enlarged?

import { element } from "./details.js";

/** How many units of the drawing a pixel shows at most, when the page opens. */
const READABLE = 2;
const BUTTONS = [["out", "−", "Zoom out"], ["in", "+", "Zoom in"], ["fit", "Fit", "Show all"]];

/** Let a drawing be moved and enlarged; `pick` gets the key that a click meets, or null. Returns what its buttons do. */
export function movable(svg, pick) {
  const embedded = window.parent !== window || svg.getRootNode() !== document;
  const whole = svg.viewBox.baseVal;
  const home = [whole.x, whole.y, whole.width, whole.height];
  let box = home;
  let own = false;
  const show = () => svg.setAttribute("viewBox", box.map((each) => each.toFixed(2)).join(" "));
  const scale = () => box[2] / svg.getBoundingClientRect().width;
  /** All of it from its top on, never larger than it is drawn; a huge one no smaller than `most`. */
  const fit = (most) => {
    const { width, height } = svg.getBoundingClientRect();
    if (!width || !height) return;
    own = false;
    const size = Math.min(most, Math.max(1, home[2] / width, home[3] / height));
    box = [home[0] + (home[2] - width * size) / 2, home[1], width * size, height * size];
    show();
  };
  const zoom = (factor, event) => {
    const wide = Math.min(home[2] * 8, Math.max(60, box[2] * factor));
    const real = wide / box[2];
    const rim = svg.getBoundingClientRect();
    const [centreX, centreY] = [box[0] + box[2] / 2, box[1] + box[3] / 2];
    const x = event ? centreX + (event.clientX - rim.left - rim.width / 2) * scale() : centreX;
    const y = event ? centreY + (event.clientY - rim.top - rim.height / 2) * scale() : centreY;
    own = true;
    box = [x - (x - box[0]) * real, y - (y - box[1]) * real, wide, box[3] * real];
    show();
  };
  svg.addEventListener("wheel", (event) => {
    if (embedded && !event.ctrlKey && !event.metaKey && svg.getRootNode().activeElement !== svg) return;
    event.preventDefault();
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 240), event);
  }, { passive: false });
  let held = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button === 0) held = { x: event.clientX, y: event.clientY, box, far: false };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.far && Math.hypot(dx, dy) < 4) return;
    if (!held.far) svg.setPointerCapture(event.pointerId);
    held.far = own = true;
    svg.classList.add("held");
    box = [held.box[0] - dx * scale(), held.box[1] - dy * scale(), box[2], box[3]];
    show();
  });
  svg.addEventListener("pointerup", (event) => {
    const far = held?.far;
    held = null;
    svg.classList.remove("held");
    if (far || event.button !== 0) return;
    svg.focus();
    pick(event.target.closest("[data-key]")?.dataset.key ?? null);
  });
  svg.addEventListener("pointercancel", () => { held = null; });
  // A frame has no size before it is shown, and another one when its page is resized.
  new ResizeObserver(() => own || fit(READABLE)).observe(svg);
  return { out: () => zoom(1.25), in: () => zoom(0.8), fit: () => fit(Infinity) };
}

/** Let the arrow keys pick one part after the other, in reading order. */
function walk(svg, pick) {
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const parts = [...svg.querySelectorAll(".card, .edge")].map((part) => [part.dataset.key, [part, part.getBBox()]]);
    // Channels share the key of their job edge: each key is one stop.
    const order = [...new Map(parts.reverse()).values()];
    order.sort(([, a], [, b]) => a.y - b.y || a.x - b.x);
    const at = order.findIndex(([part]) => part.classList.contains("picked"));
    const next = at < 0 ? 0 : (at + step + order.length) % order.length;
    if (order.length) pick(order[next][0].dataset.key);
  });
}

/** Make a pane's drawing movable, its edges easy to meet, and give its bar the buttons. */
export function furnish(pane, pick) {
  const svg = pane.querySelector("svg");
  svg.setAttribute("tabindex", "0");
  const does = movable(svg, pick);
  walk(svg, pick);
  for (const [name, sign, words] of BUTTONS) {
    const button = element("button", "", sign);
    button.type = "button";
    button.title = words;
    button.setAttribute("aria-label", words);
    button.addEventListener("click", does[name]);
    pane.querySelector(".bar").append(button);
  }
  for (const way of pane.querySelectorAll(".route")) {
    const reach = way.cloneNode();
    reach.setAttribute("class", "reach");
    way.before(reach);
  }
}
