// A picture beside the words: boxes and lines from plain numbers. Every text goes through textContent.

const SVG = "http://www.w3.org/2000/svg";

function part(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function lineOf(line) {
  const group = part("g", { class: line.copies ? "line copies" : "line" });
  const points = line.points.map((point) => point.join(",")).join(" ");
  group.append(part("polyline", { points, "marker-end": "url(#end)" }));
  if (line.label) group.append(part("text", { x: line.at[0], y: line.at[1] }, line.label));
  return group;
}

function boxOf(box) {
  const group = part("g", { class: `box ${box.kind}` });
  const { x, y, width, height } = box;
  group.append(part("rect", { x, y, width, height, rx: 5 }));
  group.append(part("text", { x: x + 8, y: y + 17, class: "title" }, box.title));
  box.lines.forEach((text, at) => group.append(part("text", { x: x + 8, y: y + 31 + at * 13 }, text)));
  group.append(part("title", {}, [box.title, ...box.lines].join("\n")));
  return group;
}

/** The picture of `view`; `light(keys)` lights boxes and the lines between two of them, and gives the boxes. */
export function createPicture(view, label) {
  const root = part("svg", { viewBox: `0 0 ${view.width} ${view.height}`, role: "img", "aria-label": label });
  root.style.width = `${view.width}px`;
  const head = part("marker", { id: "end", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" });
  head.append(part("path", { d: "M0 0L8 4L0 8z" }));
  const lines = view.lines.map((line) => [line, lineOf(line)]);
  const boxes = view.boxes.map((box) => [box, boxOf(box)]);
  root.append(head, ...lines.map(([, made]) => made), ...boxes.map(([, made]) => made));
  const light = (keys) => {
    const lit = new Set(keys);
    for (const [box, made] of boxes) made.classList.toggle("lit", lit.has(box.key));
    for (const [line, made] of lines) made.classList.toggle("lit", lit.has(line.source) && lit.has(line.target));
    return keys.flatMap((key) => boxes.filter(([box]) => box.key === key).map(([, made]) => made));
  };
  return { root, light };
}
