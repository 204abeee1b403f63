// What do lines, boxes and colours mean? The words come from the server, the signs are drawn here.

import { setNotes, showsNotes } from "../streamgraph-explorer.frame/layout.js";
import { drawn, element } from "../streamgraph-explorer.shared/dom.js";

const ARROW = "M2 8H26M26 8l-6-3.4v6.8z";
const DISC = "M19 8a5.5 5.5 0 1 1-11 0a5.5 5.5 0 1 1 11 0z";
/** By sign: a path, its colour, and the rows of the looks that it has. */
const SIGNS = {
  box: ["M2 1.5h28v13h-28z", "hue", { width: "box", dash: "box" }],
  card: ["M2 2.5h28v11h-28z", "line", {}],
  task: ["M2 2.5h28v11h-28z", "hue", { width: "task" }],
  chained: [ARROW, "hue", { width: "edge", fill: true }],
  cut: [ARROW, "cut", { width: "edge", dash: "cut", fill: true }],
  job: [ARROW, "route", { width: "edge", fill: true }],
  picked: ["M2 2.5h28v11h-28z", "pick", { width: "card-picked" }],
  plus: ["M10 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0M13 8h6M16 5v6", "accent", { width: "card-highlighted" }],
  error: [DISC, "bad", { fill: true, sign: "×" }],
  warning: [DISC, "warn", { fill: true, sign: "!" }],
  note: [DISC, "mute", { fill: true, sign: "i" }],
  bar: ["M2 5h22v6h-22z", "hue", { fill: true }],
  now: ["M2 2.5h28v11h-28z", "now", { width: "card-picked" }],
};

function picture(sign, hues, { widths, dashes }) {
  const both = ([light, dark]) => `light-dark(${light}, ${dark})`;
  const picture = drawn("svg", { width: 32, height: 16, viewBox: "0 0 32 16", "aria-hidden": "true" });
  if (sign === "hues") {
    const dots = hues.slice(0, 4).map((hue, turn) => drawn("circle", { cx: 4 + turn * 8, cy: 8, r: 3.2, style: `fill:${both(hue)}` }));
    picture.append(...dots);
    return picture;
  }
  const [path, colour, { width = "card", dash, fill = false, sign: letter }] = SIGNS[sign];
  const painted = colour === "hue" ? both(hues[1]) : `var(--x-${colour})`;
  const style = `stroke:${painted};stroke-width:${widths[width]};stroke-dasharray:${dashes[dash]?.join(" ") ?? "none"};fill:${fill ? painted : "none"}`;
  picture.append(drawn("path", { d: path, style }));
  if (letter) picture.append(drawn("text", { x: 13.5, y: 11.5, "text-anchor": "middle", style: "fill:var(--x-card);font-weight:700;font-size:10px" }, letter));
  return picture;
}

/** The switch for the marks of notes. */
function noteSwitch(words) {
  const box = element("input", { type: "checkbox", checked: showsNotes() });
  box.addEventListener("change", () => setNotes(box.checked));
  return element("label", {}, box, " ", words);
}

/** The legend: a button that shows all signs; `rows` are pairs of a sign and its meaning. */
export function legendElement(rows, hues, looks) {
  const summary = element("summary", { textContent: "Legend" });
  const list = element("ul", {}, ...rows.map(([sign, words]) => element("li", {}, picture(sign, hues, looks), sign === "note" ? noteSwitch(words) : words)));
  const legend = element("details", { className: "legend" }, summary, list);
  legend.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    legend.open = false;
    summary.focus();
  });
  return legend;
}
