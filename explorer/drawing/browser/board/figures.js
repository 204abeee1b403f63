// The figures of a run that goes on, on the cards of its operators and tasks.

import { drawn } from "../streamgraph-explorer.shared/dom.js";

/** Between the rim of a card and what stands on it, and how high the strip at its lower edge is. */
const [MARGIN, STRIP] = [12, 3];
const originals = new WeakMap();

function frameOf(card) {
  const rect = card.querySelector("rect");
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
  return { left: x + MARGIN, right: x + width - MARGIN, top: y, foot: y + height };
}

/** The element of a class on a card, made where the card has none yet. */
function partOf(card, className, tag, attributes) {
  return card.querySelector(`.${className.split(" ")[0]}`) ?? card.appendChild(drawn(tag, { class: className, ...attributes }));
}

function showLoad(card, share) {
  const { left, right, foot } = frameOf(card);
  const place = { x: left, y: foot - STRIP / 2, height: STRIP, rx: STRIP / 2 };
  partOf(card, "track", "rect", { ...place, width: right - left });
  partOf(card, "busy", "rect", place).setAttribute("width", Math.max(STRIP, (right - left) * share));
}

function showBar(card, [share, words]) {
  const [track, text] = [card.querySelector(".track"), card.querySelector(".share")];
  if (!track || !text) return;
  text.textContent = words;
  const place = Object.fromEntries(["x", "y", "height", "rx"].map((name) => [name, track.getAttribute(name)]));
  const width = Number(track.getAttribute("width")) * share;
  card.querySelector(".part")?.remove();
  partOf(card, "load", "rect", place).setAttribute("width", width);
}

function showRows(card, words) {
  const { right, top } = frameOf(card);
  partOf(card, "figure small end", "text", { x: right, y: top + 33, "text-anchor": "end" }).textContent = words;
}

/** Show the figures of an element on its card; null: those with which it was drawn. */
export function showFigures(card, key, figures) {
  if (!originals.has(card)) originals.set(card, [...card.childNodes].map((node) => node.cloneNode(true)));
  card.replaceChildren(...originals.get(card).map((node) => node.cloneNode(true)));
  if (figures === null) return;
  const { bars: { [key]: bar }, operators: { [key]: rows }, loads: { [key]: load } } = figures;
  if (bar) showBar(card, bar);
  if (rows) showRows(card, rows);
  if (load) showLoad(card, load[0]);
}
