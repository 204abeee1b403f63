// A picture next to the text: boxes and lines from plain numbers. Every text goes through textContent.

import { drawn } from "../streamgraph-explorer.shared/dom.js";

function lineOf(line) {
  const group = drawn("g", { class: line.copies ? "line copies" : "line" });
  const points = line.points.map((point) => point.join(",")).join(" ");
  group.append(drawn("polyline", { points, "marker-end": "url(#end)" }));
  if (line.label) group.append(drawn("text", { x: line.at[0], y: line.at[1] }, line.label));
  return group;
}

function boxOf(box) {
  const group = drawn("g", { class: `box ${box.kind}` });
  const { x, y, width, height } = box;
  group.append(drawn("rect", { x, y, width, height, rx: 5 }));
  group.append(drawn("text", { x: x + 8, y: y + 17, class: "title" }, box.title));
  box.lines.forEach((text, at) => group.append(drawn("text", { x: x + 8, y: y + 31 + at * 13 }, text)));
  group.append(drawn("title", {}, [box.title, ...box.lines].join("\n")));
  return group;
}

/** The picture of `view`; `light(keys)` lights boxes and the lines between two of them, and gives the boxes. */
export function createPicture(view, label) {
  const root = drawn("svg", { viewBox: `0 0 ${view.width} ${view.height}`, role: "img", "aria-label": label });
  root.style.width = `${view.width}px`;
  const head = drawn("marker", { id: "end", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" });
  head.append(drawn("path", { d: "M0 0L8 4L0 8z" }));
  const lines = view.lines.map((line) => [line, lineOf(line)]);
  const boxes = view.boxes.map((box) => [box, boxOf(box)]);
  root.append(head, ...lines.map(([, made]) => made), ...boxes.map(([, made]) => made));
  const light = (keys) => {
    const highlighted = new Set(keys);
    for (const [box, made] of boxes) made.classList.toggle("highlighted", highlighted.has(box.key));
    for (const [line, made] of lines) made.classList.toggle("highlighted", highlighted.has(line.source) && highlighted.has(line.target));
    return keys.flatMap((key) => boxes.filter(([box]) => box.key === key).map(([, made]) => made));
  };
  return { root, light };
}
