// Both versions of a StreamGraph next to each other: a card shows its counterpart on hover, and its operator on a click.

import { PINNED, fold } from "../streamgraph-explorer.frame/layout.js";
import { element } from "../streamgraph-explorer.shared/dom.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";

const drawings = new WeakMap();
const cardAt = (event) => event.target.closest?.("[data-card]");

function create(parent) {
  const frame = element("div", { className: "versions" });
  const part = { frame };
  parent.append(frame);
  const mark = (key) => {
    for (const card of frame.querySelectorAll("[data-card]")) card.classList.toggle("near", card.dataset.card === key);
  };
  const pick = (event) => {
    const card = cardAt(event);
    if (!card?.hasAttribute("tabindex")) return false;
    part.send("picked", { key: part.picks[card.dataset.card] });
    fold(PINNED, false);
    return true;
  };
  for (const name of ["pointerover", "focusin"]) frame.addEventListener(name, (event) => mark(cardAt(event)?.dataset.card));
  for (const name of ["pointerleave", "focusout"]) frame.addEventListener(name, () => mark(undefined));
  frame.addEventListener("click", pick);
  frame.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && pick(event)) event.preventDefault();
  });
  return part;
}

/** `picks`: by a card's key, the operator that a click selects; `selected`: the one that is. */
function update(part, { svg, picks, selected }) {
  if (part.svg !== svg) part.frame.replaceChildren(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  Object.assign(part, { svg, picks });
  for (const card of part.frame.querySelectorAll("[data-card]")) {
    const key = picks[card.dataset.card];
    if (key === undefined) continue;
    card.setAttribute("tabindex", "0");
    card.setAttribute("role", "button");
    card.setAttribute("aria-pressed", String(key === selected));
  }
}

export default (component) => mounted(drawings, component, { create, update, end: (part) => part.frame.remove() });
