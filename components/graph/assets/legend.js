// What do lines, boxes and colours mean? The words come from the server, the signs are drawn here.

import { drawn, element } from "../streamgraph-explorer.shared/dom.js";

const ARROW = "M2 8H26M26 8l-6-3.4v6.8z";
const DISC = "M19 8a5.5 5.5 0 1 1-11 0a5.5 5.5 0 1 1 11 0z";
/** By sign: a path, its colour, and how it is drawn. */
const SIGNS = {
  box: ["M2 1.5h28v13h-28z", "hue", { dash: "3 3" }],
  card: ["M2 2.5h28v11h-28z", "line", {}],
  task: ["M2 2.5h28v11h-28z", "hue", { width: 1.8 }],
  chained: [ARROW, "hue", { width: 1.7, fill: true }],
  cut: [ARROW, "cut", { width: 1.7, dash: "5 3", fill: true }],
  job: [ARROW, "wire", { width: 1.7, fill: true }],
  picked: ["M2 2.5h28v11h-28z", "pick", { width: 2.4 }],
  error: [DISC, "bad", { fill: true, sign: "×" }],
  warning: [DISC, "now", { fill: true, sign: "!" }],
  note: [DISC, "mute", { fill: true, sign: "i" }],
  bar: ["M2 8h22", "hue", { width: 6 }],
  now: ["M2 2.5h28v11h-28z", "now", { width: 2.4 }],
};

function picture(sign, hues) {
  const both = ([light, dark]) => `light-dark(${light}, ${dark})`;
  const picture = drawn("svg", { width: 32, height: 16, viewBox: "0 0 32 16", "aria-hidden": "true" });
  if (sign === "hues") {
    const dots = hues.slice(0, 4).map((hue, turn) => drawn("circle", { cx: 4 + turn * 8, cy: 8, r: 3.2, style: `fill:${both(hue)}` }));
    picture.append(...dots);
    return picture;
  }
  const [path, colour, { width = 1.1, dash = "none", fill = false, sign: letter }] = SIGNS[sign];
  const painted = colour === "hue" ? both(hues[1]) : `var(--x-${colour})`;
  const style = `stroke:${painted};stroke-width:${width};stroke-dasharray:${dash};fill:${fill ? painted : "none"}`;
  picture.append(drawn("path", { d: path, style }));
  if (letter) picture.append(drawn("text", { x: 13.5, y: 11.5, "text-anchor": "middle", style: "fill:var(--x-card);font-weight:700;font-size:10px" }, letter));
  return picture;
}

/** The legend: a button that shows all signs; `rows` are pairs of a sign and its meaning. */
export function legendElement(rows, hues) {
  const summary = element("summary", { textContent: "Legend" });
  const list = element("ul", {}, ...rows.map(([sign, words]) => element("li", {}, picture(sign, hues), words)));
  const legend = element("details", { className: "legend" }, summary, list);
  legend.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    legend.open = false;
    summary.focus();
  });
  return legend;
}
