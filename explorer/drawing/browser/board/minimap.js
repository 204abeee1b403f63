// The whole of a large graph in a corner of it: what is in view, what is selected. A click goes there.

import { drawn } from "../streamgraph-explorer.shared/dom.js";

const [WIDE, HIGH] = [132, 104];
/** Limit of the factor by which a long, thin graph is widened to stay visible. */
const STRETCH = 8;
/** Pixels of the smallest card, and of the smallest highlight. */
const [CARD, CALLED] = [1.4, 6];

const rectangle = ([left, top, right, foot]) => `M${left} ${top}H${right}V${foot}H${left}z`;

/** Make the map of a graph in `stage`; `go(point)` moves the view to a place of the graph. */
export function createMinimap(stage, go) {
  const root = drawn("svg", { class: "minimap", role: "img", "aria-label": "Map of the whole graph", hidden: "" });
  const layers = Object.fromEntries(["lines", "boxes", "cards", "called", "frame"].map((name) => [name, drawn("g", { class: name })]));
  root.append(...Object.values(layers));
  const framed = layers.frame.appendChild(drawn("path", {}));
  stage.append(root);
  let map = null;
  let shownArea = null;

  const move = (event) => {
    const { left, top } = root.getBoundingClientRect();
    const { paddingLeft, paddingTop } = getComputedStyle(root);
    go([(event.clientX - left - Number.parseFloat(paddingLeft)) / map.wide + map.left, (event.clientY - top - Number.parseFloat(paddingTop)) / map.high]);
  };
  root.addEventListener("pointerdown", (event) => {
    event.stopPropagation();
    root.setPointerCapture(event.pointerId);
    move(event);
  });
  root.addEventListener("pointermove", (event) => {
    if (event.buttons) move(event);
  });

  /** A part's area on the map, at least so large. */
  const areaOf = ([left, top, right, foot], least) => {
    const [x, y] = [(left - map.left) * map.wide, top * map.high];
    const [wide, high] = [Math.max(least, (right - left) * map.wide), Math.max(least, (foot - top) * map.high)];
    return [x, y, x + wide, y + high].map((each) => Math.round(each * 10) / 10);
  };
  const chainOf = ({ svg }) => /class="[^"]*\bk(\d)/.exec(svg)?.[1] ?? "";

  /** One path for all parts of a colour. */
  const pathsOf = (parts, least) => {
    const byHue = Map.groupBy ? Map.groupBy(parts, chainOf) : new Map([["", parts]]);
    return [...byHue].map(([hue, same]) => drawn("path", { class: hue === "" ? "" : `k${hue}`, d: same.map((part) => rectangle(areaOf(part.area, least))).join("") }));
  };

  /** Draw what does not move; of a small graph there is no map. */
  const lay = (data, parts) => {
    root.toggleAttribute("hidden", !data.overview);
    map = null;
    if (!data.overview) return;
    const [width, height] = [Math.max(data.right - data.left, 1), Math.max(data.height, 1)];
    const scale = Math.min(WIDE / width, HIGH / height);
    map = { left: data.left, wide: Math.min(WIDE / width, STRETCH * scale), high: Math.min(HIGH / height, STRETCH * scale) };
    Object.assign(map, { width: width * map.wide, height: height * map.high });
    root.setAttribute("viewBox", `0 0 ${map.width} ${map.height}`);
    Object.assign(root.style, { width: `${map.width}px`, height: `${map.height}px` });
    const of = (kind) => parts.filter((part) => part.kind === kind);
    layers.lines.replaceChildren(drawn("path", { d: of("edge").map(({ area }) => areaOf(area, 0)).map(([x, y, toX, foot]) => `M${x} ${y}L${toX} ${foot}`).join("") }));
    layers.boxes.replaceChildren(...pathsOf(of("box"), 1));
    layers.cards.replaceChildren(...pathsOf(of("card"), CARD));
    if (shownArea) frame(shownArea);
  };

  /** Show the rectangle that is in view. */
  const frame = (visible) => {
    shownArea = visible;
    if (!map) return;
    const [left, top, right, foot] = areaOf(visible, 2);
    const held = [Math.max(0.75, left), Math.max(0.75, top), Math.min(map.width - 0.75, right), Math.min(map.height - 0.75, foot)];
    held[2] = Math.max(held[0] + 2, held[2]);
    held[3] = Math.max(held[1] + 2, held[3]);
    framed.setAttribute("d", rectangle(held));
  };

  /** Mark the selected parts. */
  const call = (parts) => {
    if (!map) return;
    const selected = parts.length ? "; what is selected is marked" : "";
    root.setAttribute("aria-label", `Map of the whole graph${selected}`);
    layers.called.replaceChildren(...parts.filter(({ kind }) => kind !== "badge").map(({ area }) => drawn("path", { d: rectangle(areaOf(area, CALLED)) })));
  };

  return { lay, frame, call, size: () => map !== null && { width: map.width, height: map.height } };
}
