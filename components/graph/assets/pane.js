// One graph on one canvas: vis-network holds the cards and the view, the rest is drawn around them.

import { boundsOf, boxAt, edgeAt, halfway, sampled } from "./hit.js";
import { dashesOf, isLegible, isReadable, paintBox, paintCard, paintEdge, paintLabel } from "./paint.js";
import { marksOf } from "../streamgraph-explorer.shared/step.js";
import { createConnector } from "./connect.js";
import { createMinimap } from "./minimap.js";
import { frameOf } from "./sight.js";

const OPTIONS = {
  autoResize: true,
  physics: false,
  layout: { improvedLayout: false },
  interaction: { dragNodes: false, selectable: false, hover: false, zoomSpeed: 0.6 },
  nodes: { shape: "custom", chosen: false },
};
const MARGIN = 14;
/** A graph that would be drawn smaller is first shown from its top at this scale: its smallest text can be read. */
const READABLE = 0.68;
/** A small graph, and a part that is zoomed to, is enlarged, to be readable from afar. */
const LARGEST = 1.4;
/** The same scales in the presentation mode: names are at least 14 pixels high. */
const PRESENTED = { least: 1.12, most: 2.4 };
const [NEAREST, FARTHEST] = [2.5, 0.02];

/** Make a pane in `root`; `onPick(key)` is called with null when the ground is clicked. */
export function createPane(root, onPick, onConnect) {
  const canvas = root.querySelector(".canvas");
  const fitButton = root.querySelector("[data-do=fit]");
  const tooSmall = root.querySelector(".too-small");
  const partly = root.querySelector(".partly");
  const nodes = new globalThis.vis.DataSet();
  const cards = new Map();
  const state = { data: null, theme: null, picked: null, highlighted: new Set(), hover: null, touched: false, whole: false, shown: false, step: null };
  const network = new globalThis.vis.Network(canvas, { nodes, edges: [] }, OPTIONS);
  // The canvas around it has the keys, a name and a ring; vis-network's own frame has none of them.
  canvas.firstElementChild.tabIndex = -1;

  const stateOf = (key) => ({
    picked: state.picked === key,
    highlighted: state.highlighted.has(key),
    hover: state.hover === key,
    step: marksOf(state.step, key),
  });

  const renderer = ({ ctx, id, x, y }) => ({
    drawNode: () => {
      const card = cards.get(id);
      if (card && state.theme) {
        paintCard(ctx, { ...card, x, y }, stateOf(owner(card)), state.theme, network.getScale());
      }
    },
    nodeDimensions: { width: cards.get(id)?.width ?? 0, height: cards.get(id)?.height ?? 0 },
  });

  /** The visible rectangle of the graph, in the graph's own coordinates. */
  const visible = () => {
    const from = network.DOMtoCanvas({ x: 0, y: 0 });
    const to = network.DOMtoCanvas({ x: canvas.clientWidth, y: canvas.clientHeight });
    return [from.x, from.y, to.x, to.y];
  };

  network.on("beforeDrawing", (ctx) => {
    if (!state.data || !state.theme) return;
    const [left, top, right, foot] = visible();
    const scale = network.getScale();
    for (const box of state.data.boxes) {
      if (box.x + box.width / 2 < left || box.x - box.width / 2 > right) continue;
      if (box.y + box.height / 2 < top || box.y - box.height / 2 > foot) continue;
      paintBox(ctx, box, stateOf(box.key), state.theme, scale);
    }
    const shown = state.data.edges.filter(
      ({ bounds }) => bounds[2] >= left && bounds[0] <= right && bounds[3] >= top && bounds[1] <= foot,
    );
    const called = (edge) => [state.picked, state.hover].includes(owner(edge)) || state.highlighted.has(owner(edge));
    const ordered = [...shown.filter((edge) => !called(edge)), ...shown.filter(called)];
    for (const edge of ordered) paintEdge(ctx, edge, stateOf(owner(edge)), state.theme);
    for (const edge of ordered) paintLabel(ctx, edge, stateOf(owner(edge)), state.theme, scale);
  });

  const minimap = createMinimap(root, (x, y) => {
    state.touched = true;
    network.moveTo({ position: { x, y }, animation: false });
    hint();
  });
  network.on("afterDrawing", () => {
    if (!state.data || !state.theme) return;
    const called = new Set([...state.highlighted, ...(state.picked === null ? [] : [state.picked])]);
    minimap.paint(state.data, state.theme, visible(), called);
  });
  const connector = createConnector(canvas, {
    network,
    cardAt: (dom) => cards.get(network.getNodeAt(dom)) ?? null,
    send: onConnect,
  });
  network.on("afterDrawing", (ctx) => {
    if (state.theme) connector.paint(ctx, state.theme);
  });

  /** Show the whole graph from its top, or as much of it as is legible. */
  const fit = () => {
    if (!state.data || !canvas.clientWidth || !canvas.clientHeight) return false;
    const { left, right, height } = state.data;
    const wide = (canvas.clientWidth - 2 * MARGIN) / Math.max(right - left, 1);
    const high = (canvas.clientHeight - 2 * MARGIN) / Math.max(height, 1);
    const presents = document.documentElement.classList.contains("x-present");
    const whole = Math.min(presents ? PRESENTED.most : LARGEST, wide, high);
    const least = presents ? PRESENTED.least : READABLE;
    const wanted = state.whole === "always" || (state.whole === "legible" && isLegible(whole, state.theme));
    const scale = Math.max(FARTHEST, wanted ? whole : Math.max(whole, least));
    const shown = canvas.clientHeight / scale;
    network.moveTo({
      position: {
        x: centre(canvas.clientWidth / scale, MARGIN / scale),
        y: shown / 2 - Math.min(MARGIN / scale, shown > height ? (shown - height) / 2 : Infinity),
      },
      scale,
      animation: false,
    });
    hint();
    return true;
  };

  /** The middle of the graph; of one that is wider than the view, as near to its first card as its sides allow. */
  const centre = (shown, margin) => {
    const { left, right } = state.data;
    const hidden = (right - left - shown) / 2;
    const middle = (left + right) / 2;
    if (hidden <= 0 || !cards.size) return middle;
    const room = hidden + margin;
    const first = inOrder([...cards.values()])[0];
    return Math.min(middle + room, Math.max(middle - room, first.x));
  };

  /** Report on the graph and mark the fit button while a part is out of view; report where no name can be read. */
  const hint = () => {
    if (!state.data) return;
    const [left, top, right, foot] = visible();
    const graph = state.data;
    const sideways = left > graph.left + 2 || right < graph.right - 2;
    const hidden = sideways || top > 2 || foot < graph.height - 2;
    fitButton.classList.toggle("hint", hidden);
    fitButton.title = hidden ? "A part is out of view: show the whole graph" : "The whole graph is in view";
    partly.hidden = !hidden || state.touched;
    tooSmall.hidden = !cards.size || isReadable(network.getScale(), state.theme);
  };

  /** The card, edge or border at a point of the canvas, or null. */
  const under = (dom) => {
    const { x, y } = network.DOMtoCanvas(dom);
    const card = network.getNodeAt(dom);
    if (card !== undefined) return cards.get(card) ?? null;
    if (!state.data) return null;
    return (
      edgeAt(state.data.edges, [x, y], 8 / Math.max(network.getScale(), 0.3)) ??
      boxAt(state.data.boxes, [x, y])
    );
  };

  network.on("click", ({ pointer }) => onPick(owner(under(pointer.DOM))));
  network.on("doubleClick", ({ pointer }) => {
    if (under(pointer.DOM) === null) fitWhole();
  });
  network.on("dragEnd", () => {
    state.touched = true;
    hint();
  });
  network.on("zoom", ({ scale }) => {
    state.touched = true;
    const held = Math.min(NEAREST, Math.max(FARTHEST, scale));
    if (held !== scale) network.moveTo({ scale: held, animation: false });
    hint();
  });
  // vis-network scales the view after it reported a new size: what fits is found once it has.
  network.on("resize", () => queueMicrotask(() => {
    if (state.touched) hint();
    else fit();
  }));
  canvas.addEventListener("mousemove", (event) => {
    const rect = canvas.getBoundingClientRect();
    const found = under({ x: event.clientX - rect.left, y: event.clientY - rect.top });
    const key = owner(found);
    canvas.title = found === null ? "" : (cardTip(found) ?? "");
    if (key === state.hover) return;
    state.hover = key;
    canvas.style.cursor = key === null ? "grab" : "pointer";
    network.redraw();
  });
  canvas.addEventListener("mouseleave", () => {
    if (state.hover === null) return;
    state.hover = null;
    network.redraw();
  });
  canvas.addEventListener("keydown", (event) => {
    const [toCard, toEdge] = [{ ArrowDown: 1, ArrowUp: -1 }[event.key], { ArrowRight: 1, ArrowLeft: -1 }[event.key]];
    if (toCard) pickNext(toCard, cards.values());
    else if (toEdge) pickNext(toEdge, state.data.edges.map(placed));
    else if (event.key === "Escape") onPick(null);
    else if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 1.25 : 0.8);
    else if (event.key === "0") fitWhole();
    else return;
    event.preventDefault();
  });

  /** Pick the next of these in reading order; where another kind of element is picked, the nearest to it. */
  const pickNext = (step, elements) => {
    const order = distinct(inOrder(elements).map((each) => ({ ...each, key: owner(each) })));
    if (!order.length) return;
    const at = order.findIndex(({ key }) => key === state.picked);
    const from = [...cards.values(), ...state.data.edges.map(placed)].find((each) => owner(each) === state.picked);
    const passed = order.filter((each) => from && before(each, from) < 0).length;
    const next = at >= 0 ? at + step : step > 0 ? passed : passed - 1;
    onPick(order[(next + order.length) % order.length].key);
  };

  const zoom = (factor) => {
    state.touched = true;
    const scale = Math.min(NEAREST, Math.max(FARTHEST, network.getScale() * factor));
    network.moveTo({ scale, animation: false });
    hint();
  };
  const fitWhole = () => {
    [state.touched, state.whole] = [false, "always"];
    fit();
  };
  root.querySelector("[data-do=in]").addEventListener("click", () => zoom(1.25));
  root.querySelector("[data-do=out]").addEventListener("click", () => zoom(0.8));
  fitButton.addEventListener("click", fitWhole);

  /** Take over what changed. A view that the user moved stays. Another document is fitted, and so is
   * a new layout of a view that the user did not move. */
  const update = (data, theme) => {
    const other = state.data?.document !== data.document;
    const size = extentOf(state.data);
    state.theme = theme;
    state.data = { ...data, edges: data.edges.map(measured) };
    canvas.setAttribute("aria-label", data.spoken);
    connector.allow(Boolean(data.connects));
    const fresh = new Map(data.cards.map((card) => [card.key, card]));
    nodes.remove([...cards.keys()].filter((key) => !fresh.has(key)));
    const changed = data.cards.filter(({ key, x, y, width, height }) => {
      const old = cards.get(key);
      return !old || old.x !== x || old.y !== y || old.width !== width || old.height !== height;
    });
    cards.clear();
    // Copies: the figures of a running trial go on them, and what was drawn with stands again after it.
    fresh.forEach((card, key) => cards.set(key, { ...card }));
    nodes.update(changed.map(({ key, x, y }) => ({ id: key, x, y, ctxRenderer: renderer })));
    if (other) {
      [state.touched, state.shown, state.whole] = [false, false, state.whole && "legible"];
      if (!fit()) requestAnimationFrame(fit);
    } else if (!state.touched && size !== extentOf(data)) fit();
    hint();
    network.redraw();
  };

  /** Move to the first of these elements when none of them is visible. */
  const reveal = (keys) => {
    if (!state.data) return;
    const boxes = [...cards.values(), ...state.data.boxes];
    const places = keys.map((key) => {
      const box = boxes.find((each) => each.key === key);
      return box ? [box.x, box.y] : state.data.edges.find((each) => owner(each) === key)?.middle;
    });
    const known = places.filter(Boolean);
    const [left, top, right, foot] = visible();
    if (known.some(([x, y]) => x > left && x < right && y > top && y < foot)) return;
    if (known.length) {
      state.touched = true;
      network.moveTo({ position: { x: known[0][0], y: known[0][1] }, animation: false });
    }
    hint();
  };

  /** Show these elements as large as they fit. */
  const zoomTo = (keys) => {
    const frame = state.data && frameOf(state.data, keys);
    if (!frame || !canvas.clientWidth || !canvas.clientHeight) return;
    const [left, top, right, foot] = frame;
    const wide = (canvas.clientWidth - 4 * MARGIN) / Math.max(right - left, 1);
    const high = (canvas.clientHeight - 4 * MARGIN) / Math.max(foot - top, 1);
    const scale = Math.max(FARTHEST, Math.min(LARGEST, wide, high));
    state.touched = true;
    network.moveTo({ position: { x: (left + right) / 2, y: (top + foot) / 2 }, scale, animation: false });
    hint();
  };

  const select = (picked, highlighted) => {
    const other = picked !== state.picked || !state.shown;
    [state.picked, state.highlighted, state.shown] = [picked, highlighted, true];
    if (other && picked !== null) reveal([picked, ...highlighted]);
    network.redraw();
  };

  let waiting = false;
  /** Draw once before the browser shows the next picture, however many steps were made. */
  const drawSoon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (canvas.isConnected) network.redraw();
    });
  };

  /** Colour a step of hashing and chaining, or none. */
  const play = (step) => {
    const other = step !== null && step.now !== state.step?.now;
    state.step = step;
    if (other || step?.fresh.size) reveal([step.now, ...step.fresh]);
    drawSoon();
  };

  /** Show other figures than those that came with the cards; null: those that came with them. */
  const count = (figures) => {
    for (const drawn of state.data.cards) {
      const card = cards.get(drawn.key);
      card.bar = figures?.bars[card.key] ?? drawn.bar;
      card.figure = figures?.operators[card.key] ?? drawn.figure;
      card.load = figures?.loads[card.key] ?? drawn.load;
    }
    drawSoon();
  };

  return { update, select, play, count, reveal, zoomTo, hook: hookOf({ network, canvas, cards, state, minimap, fit: fitWhole }), network };
}

/** The key of what an element stands for: a subtask's task, a channel's edge, else its own; null of none. */
const owner = (each) => each && (each.of ?? each.key);

/** The first element of each key. */
const distinct = (elements) => elements.filter(({ key }, at) => elements.findIndex((each) => each.key === key) === at);

/** The tooltip of a card. */
const cardTip = (card) => card && (card.load ? `${card.tip}\nbusy for ${card.load[1]}` : card.tip);

/** Reading order: from the top, then from the left. */
const before = (a, b) => a.y - b.y || a.x - b.x;
const inOrder = (elements) => [...elements].sort(before);

/** Width and height of a graph as a text, to be compared. */
const extentOf = (data) => data && [data.left, data.right, data.height].join();

function placed({ key, of, middle }) {
  return { key: of ?? key, x: middle[0], y: middle[1] };
}

function measured(edge) {
  const path = sampled(edge.points);
  return { ...edge, path, bounds: boundsOf(path), middle: halfway(path) };
}

/** What a test in a browser needs: where things are, and what is highlighted. */
function hookOf({ network, canvas, cards, state, minimap, fit }) {
  const middleOf = (key) => {
    const card = cards.get(key);
    if (card) return [card.x, card.y];
    const edge = state.data.edges.find((each) => owner(each) === key);
    if (edge) return edge.middle;
    const box = state.data.boxes.find((each) => each.key === key);
    return [box.x - box.width / 2 + 10, box.y + box.height / 2 - 6];
  };
  const place = ([x, y]) => {
    const dom = network.canvasToDOM({ x, y });
    const rect = canvas.getBoundingClientRect();
    return { x: rect.left + dom.x, y: rect.top + dom.y };
  };
  return {
    keys: () => [...cards.keys()],
    edges: () => state.data.edges.map(({ key }) => key),
    boxes: () => state.data.boxes.map(({ key }) => key),
    texts: () => [...cards.values()].map(({ title }) => title),
    labels: () => state.data.edges.map(({ lines }) => lines.join(" ")),
    scale: () => network.getScale(),
    minimap: () => !minimap.canvas.hidden && minimap.frame(),
    position: () => network.getViewPosition(),
    picked: () => state.picked,
    highlighted: () => [...state.highlighted],
    step: () => state.step && state.step.now,
    marks: (key) => marksOf(state.step, key),
    dashes: (key) => dashesOf(state.data.edges.find((each) => each.key === key), { step: marksOf(state.step, key) }, state.theme),
    found: (key) => (cards.get(key) ?? state.data.edges.find((each) => each.key === key))?.mark ?? null,
    fit,
    figures: (key) => [cards.get(key)?.bar?.[1] ?? null, cards.get(key)?.figure ?? null, cards.get(key)?.load ?? null],
    foot: (key) => place([cards.get(key).x, cards.get(key).y + cards.get(key).height / 2]),
    at: (key) => place(middleOf(key)),
  };
}
