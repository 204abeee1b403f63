// The + at a card's foot, or at its right side where edges lead to the right, or at an edge: pressed, it asks what to add there; dragged from a card to another one, it leads a
// stream there. Who listens decides whether it can be.

import { drawn } from "../streamgraph-explorer.shared/dom.js";

/** How large the + is, how near to it a press is one on it, and how far beside its line that of an edge is, in pixels of the screen. */
const [SIZE, REACH, BESIDE] = [8, 10, 15];
/** Pixels by which a pointer moves before a press becomes a drag. */
const FAR = 4;

/**
 * Let a graph be built: `partAt(target)` is the card or the edge of an element, `halfway(part)` the middle of an edge and on which side its
 * label is, `isAcross()` whether edges lead to the right, `connect(ends)` reports a new stream, `add(key)` where something shall be added.
 */
export function createConnector(stage, root, { view, partAt, halfway, isAcross, connect, add }) {
  const state = { on: false, places: new Set(), hover: null, picked: null, from: null, to: null, start: null };
  const layer = drawn("svg", { class: "connector", "aria-hidden": "true" });
  stage.append(layer);

  const isCard = (part) => part.kind === "card";
  const hasHandle = (part) => part && ((state.on && isCard(part)) || state.places.has(part.key));
  const local = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const onStage = (point) => {
    const { left, top } = stage.getBoundingClientRect();
    const { x, y } = view.toClient(point);
    return [x - left, y - top];
  };
  /** The middle of a part's +, on the stage. */
  const handleOf = (part) => {
    if (!isCard(part)) {
      const { point, isLabelFirst } = halfway(part);
      const [[x, y], beside] = [onStage(point), isLabelFirst ? BESIDE : -BESIDE];
      return isAcross() ? [x, y + beside] : [x + beside, y];
    }
    const [left, top, right, foot] = part.area;
    return onStage(isAcross() ? [right, (top + foot) / 2] : [(left + right) / 2, foot]);
  };
  const onHandle = (part, event) => {
    const [[x, y], [atX, atY]] = [handleOf(part), local(event)];
    return Math.hypot(atX - x, atY - y) <= REACH;
  };
  /** The part whose + is pressed: under the pointer, else the selected one's. */
  const pressed = (event) => [state.hover, state.picked].find((part) => hasHandle(part) && onHandle(part, event));

  const translation = (part) => `translate(${handleOf(part).join()})`;
  const handle = (part) => {
    const plus = state.places.has(part.key) ? [drawn("path", { class: "plus", d: "M-4 0h8M0 -4v8" })] : [];
    return drawn("g", { transform: translation(part) }, drawn("circle", { class: "handle", r: plus.length ? SIZE : SIZE - 3 }), ...plus);
  };
  /** The part whose + is drawn. */
  const shown = () => state.from ?? [state.hover, state.picked].find(hasHandle);

  /** Draw the + of the part under the pointer or of the selected one, and the stream that is being led to `end`. */
  const paint = (end = null) => {
    const part = shown();
    if (!hasHandle(part)) {
      layer.replaceChildren();
      return;
    }
    const made = [];
    if (end) {
      const [x, y] = handleOf(part);
      made.push(drawn("path", { class: "stream", d: `M${x} ${y}L${end[0]} ${end[1]}` }));
    }
    if (state.to) {
      const [left, top, right, foot] = state.to.area;
      const [[fromX, fromY], [toX, toY]] = [onStage([left, top]), onStage([right, foot])];
      made.push(drawn("rect", { class: "aim", x: fromX, y: fromY, width: toX - fromX, height: toY - fromY }));
    }
    layer.replaceChildren(...made, handle(part));
  };

  const underneath = (event) => {
    const found = stage.getRootNode().elementFromPoint(event.clientX, event.clientY);
    const part = partAt(found);
    return part && isCard(part) ? part : null;
  };
  const isDrag = (event) => Math.hypot(event.clientX - state.start[0], event.clientY - state.start[1]) > FAR;
  const move = (event) => {
    if (!state.on || !isCard(state.from) || !isDrag(event)) return;
    const card = underneath(event);
    state.to = card && card.key !== state.from.key ? card : null;
    paint(local(event));
  };
  const end = (event) => {
    const { from, to } = state;
    const isPress = !isDrag(event);
    stop();
    if (isPress) addAt(from.key);
    else if (to) connect({ source: from.key, target: to.key });
  };
  /** Ask what to add at a card or an edge, where something can be added. */
  const addAt = (key) => {
    if (state.places.has(key)) add(key);
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

  /** Whether a press is one on a +, and none on the graph itself. */
  const begins = (event) => {
    const part = pressed(event);
    if (!part) return false;
    [state.from, state.start] = [part, [event.clientX, event.clientY]];
    for (const [name, listener] of listening) globalThis.addEventListener(name, listener, true);
    event.preventDefault();
    return true;
  };

  stage.addEventListener("pointermove", (event) => {
    if (state.from || event.pointerType === "touch") return;
    const part = pressed(event) ?? partAt(event.target);
    if (part?.id === state.hover?.id) return;
    state.hover = part;
    paint();
  });
  stage.addEventListener("pointerleave", () => {
    if (state.from || !state.hover) return;
    state.hover = null;
    paint();
  });

  /** Allow streams to be led, or not; `places`: the keys of the cards and edges at which something can be added. */
  const allow = (on, places) => {
    [state.on, state.places, state.hover] = [on, new Set(places), null];
    paint();
  };
  /** Take over the selected card or edge; null: none. */
  const pick = (part) => {
    state.picked = part;
    if (!state.from) paint();
  };
  /** Follow a movement. What is drawn stays: another element would let a browser check the whole page's `:has()`. */
  const place = () => {
    if (layer.childElementCount !== 1) paint();
    else layer.firstElementChild.setAttribute("transform", translation(shown()));
  };
  return { begins, allow, pick, addAt, handleOf, place };
}
