// The whole of a large graph in a corner of it: what is in view, what is selected. A click goes there.

import { element } from "../streamgraph-explorer.shared/dom.js";
import { frameOf } from "./sight.js";
import { colourOf, paintRect } from "./paint.js";

const [WIDE, HIGH] = [132, 104];
/** Limit of the factor by which a long, thin graph is widened to stay visible. */
const STRETCH = 8;

/** Make the map of a pane in `section`; `go(x, y)` moves the pane's middle to a place of the graph. */
export function createMinimap(section, go) {
  const canvas = element("canvas", { className: "minimap", hidden: true, role: "img" });
  section.append(canvas);
  const ground = element("canvas");
  let map = null;
  let drawn = null;

  const move = (event) => {
    if (!map) return;
    const rect = canvas.getBoundingClientRect();
    go((event.clientX - rect.left) / map.wide + map.left, (event.clientY - rect.top) / map.high);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    move(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) move(event);
  });

  /** Draw everything that does not move: once for each drawing and theme. */
  const lay = (data, theme) => {
    drawn = { data, theme };
    const [width, height] = [Math.max(data.right - data.left, 1), Math.max(data.height, 1)];
    const scale = Math.min(WIDE / width, HIGH / height);
    const wide = Math.min(WIDE / width, STRETCH * scale);
    const high = Math.min(HIGH / height, STRETCH * scale);
    map = { left: data.left, wide, high, width: width * wide, height: height * high };
    const ratio = globalThis.devicePixelRatio || 1;
    for (const each of [canvas, ground]) {
      [each.width, each.height] = [Math.ceil(map.width * ratio), Math.ceil(map.height * ratio)];
    }
    canvas.style.width = `${map.width}px`;
    canvas.style.height = `${map.height}px`;
    const ctx = ground.getContext("2d");
    ctx.setTransform(ratio * wide, 0, 0, ratio * high, -data.left * ratio * wide, 0);
    ctx.fillStyle = theme.line;
    for (const { path } of data.edges) for (const [x, y] of path) ctx.fillRect(x - 0.4 / wide, y, 0.8 / wide, 1.2 / high);
    for (const box of data.boxes) paintRect(ctx, box, colourOf(theme, box.hue) + "44", [1 / wide, 1 / high]);
    for (const card of data.cards) {
      paintRect(ctx, card, card.hue ? colourOf(theme, card.hue) : theme.route, [1.4 / wide, 1.4 / high]);
    }
  };

  /** Draw the graph, what is highlighted in it, and the rectangle that is in view. */
  const paint = (data, theme, visible, called) => {
    canvas.hidden = !data.overview;
    if (canvas.hidden) return;
    if (drawn?.data !== data || drawn?.theme !== theme) lay(data, theme);
    const ctx = canvas.getContext("2d");
    const ratio = globalThis.devicePixelRatio || 1;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(ground, 0, 0);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.strokeStyle = theme.now;
    ctx.lineWidth = 1.5;
    const [left, top, right, foot] = visible;
    const x = Math.max(0.75, (left - map.left) * map.wide);
    const y = Math.max(0.75, top * map.high);
    const toX = Math.min(map.width - 0.75, (right - map.left) * map.wide);
    const toY = Math.min(map.height - 0.75, foot * map.high);
    ctx.strokeRect(x, y, Math.max(2, toX - x), Math.max(2, toY - y));
    ctx.setTransform(ratio * map.wide, 0, 0, ratio * map.high, -map.left * ratio * map.wide, 0);
    const least = [6 / map.wide, 6 / map.high];
    for (const each of [...data.cards, ...data.boxes]) {
      if (called.has(each.key)) paintRect(ctx, each, theme.pick, least);
    }
    for (const { key, middle } of data.edges) {
      if (called.has(key)) paintRect(ctx, { x: middle[0], y: middle[1], width: 0, height: 0 }, theme.pick, least);
    }
    const highlighted = frameOf(data, called) ? "; what is selected is marked" : "";
    canvas.setAttribute("aria-label", `Map of the whole graph${highlighted}`);
  };

  return { paint, canvas, frame: () => map && { width: map.width, height: map.height } };
}
