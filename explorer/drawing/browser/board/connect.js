// Drag from the foot of an operator to another one: a stream is led there. Who listens decides whether it can be.

import { drawn } from "../streamgraph-explorer.shared/dom.js";

/** How large the handle is, and how near to it a press begins a drag, in pixels of the screen. */
const [SIZE, REACH] = [5, 11];

/** Let operators of a graph be connected; `cardAt(target)` is the card of an element, `send` reports a new stream. */
export function createConnector(stage, root, { view, cardAt, send }) {
  const state = { on: false, hover: null, from: null, to: null };
  const layer = drawn("svg", { class: "connector", "aria-hidden": "true" });
  stage.append(layer);

  const footOf = ({ area: [left, , right, foot] }) => [(left + right) / 2, foot];
  const local = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const onStage = (point) => {
    const { left, top } = stage.getBoundingClientRect();
    const { x, y } = view.toClient(point);
    return [x - left, y - top];
  };
  const onHandle = (card, event) => {
    const { x, y } = view.toClient(footOf(card));
    return Math.hypot(event.clientX - x, event.clientY - y) <= REACH;
  };

  /** Draw the handle of the card under the pointer, and the stream that is being led to `end`. */
  const paint = (end = null) => {
    const card = state.from ?? state.hover;
    if (!state.on || !card) {
      layer.replaceChildren();
      return;
    }
    const [x, y] = onStage(footOf(card));
    const made = [];
    if (end) made.push(drawn("path", { class: "stream", d: `M${x} ${y}L${end[0]} ${end[1]}` }));
    if (state.to) {
      const [left, top, right, foot] = state.to.area;
      const [[fromX, fromY], [toX, toY]] = [onStage([left, top]), onStage([right, foot])];
      made.push(drawn("rect", { class: "aim", x: fromX, y: fromY, width: toX - fromX, height: toY - fromY }));
    }
    layer.replaceChildren(...made, drawn("circle", { class: "handle", cx: x, cy: y, r: SIZE }));
  };

  const underneath = (event) => {
    const found = stage.getRootNode().elementFromPoint(event.clientX, event.clientY);
    return cardAt(found);
  };
  const move = (event) => {
    const card = underneath(event);
    state.to = card && card.key !== state.from.key ? card : null;
    paint(local(event));
  };
  const end = () => {
    const { from, to } = state;
    stop();
    if (from && to) send({ source: from.key, target: to.key });
  };
  const cancel = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    stop();
  };
  const listening = [["pointermove", move], ["pointerup", end], ["keydown", cancel]];
  const stop = () => {
    [state.from, state.to] = [null, null];
    for (const [name, listener] of listening) globalThis.removeEventListener(name, listener, true);
    paint();
  };

  /** Whether a press begins a stream, and is no press on the graph itself. */
  const begins = (event) => {
    const card = state.hover;
    if (!state.on || !card || !onHandle(card, event)) return false;
    state.from = card;
    for (const [name, listener] of listening) globalThis.addEventListener(name, listener, true);
    event.preventDefault();
    return true;
  };

  stage.addEventListener("pointermove", (event) => {
    if (!state.on || state.from || event.pointerType === "touch") return;
    const card = cardAt(event.target) ?? (state.hover && onHandle(state.hover, event) ? state.hover : null);
    if (card?.id === state.hover?.id) return;
    state.hover = card;
    paint();
  });
  stage.addEventListener("pointerleave", () => {
    if (state.from || !state.hover) return;
    state.hover = null;
    paint();
  });

  const allow = (on) => {
    state.on = on;
    state.hover = null;
    paint();
  };
  return { begins, allow };
}
