// One graph: what is drawn of it, the view of it, the selection, keys, a step that is played.

import { drawn, element } from "../streamgraph-explorer.shared/dom.js";
import { marksOf } from "../streamgraph-explorer.shared/step.js";
import { beside } from "./beside.js";
import { createConnector } from "./connect.js";
import { showFigures } from "./figures.js";
import { keepWithin, wholeOf } from "./labels.js";
import { createMinimap } from "./minimap.js";
import { createParts } from "./parts.js";
import { createView } from "./view.js";

const MARGIN = 5;
/** Height of an operator's name in the drawing. */
const NAME = 12.5;
/** Heights of names on the screen, in pixels: below the first the page reports it, below the second text is left out. */
const [READABLE, LEGIBLE] = [7, 5];
/** Below this scale the labels of edges are left out, unless they are asked for. */
const LABELLED = 0.6;
/** A graph that would be drawn smaller is first shown from its top at this scale: its smallest text can be read. */
const LEAST = 0.68;
/** A small graph, and a part that is zoomed to, is enlarged, to be readable from afar. */
const LARGEST = 1.4;
/** Up to this scale labels may be cut at the sides for the sake of larger cards. */
const UNLABELLED = 1;
/** The scales in the presentation mode: names are at least 11 pixels high, and cards go before labels up to 18. */
const PRESENTED = { least: 0.88, most: 2.4, unlabelled: 18 / NAME };
/** Height of the part of a card in which its name stands, in the drawing. */
const NAMED = 26;
/** Width of the part of a chain's box in which its number stands. */
const TITLED = 70;
/** What it costs to cover these with what is shown at the selection, in pixels that it stands farther away instead. */
const WORTH = { name: 4000, "task-name": 4000, card: 3000, badge: 2000, label: 2000, plus: 2000, edge: 40 };
/** What another size than the first costs. */
const SECOND = 40;
/** Marks of a step that are looks of an element; of the others none shows on it. */
const LOOKS = ["chain", "waiting", "edge", "now", "ghost", "unhashed", "open", "labelled", "veil"];

const meets = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
const area = ({ area: [left, top, right, foot] }) => ({ x: (left + right) / 2, y: (top + foot) / 2 });
const titleOf = (node) => node.querySelector("title")?.textContent ?? "";

/** Reading order: from the top, then from the left; where edges lead to the right, the other way round. */
const byRow = (a, b) => area(a).y - area(b).y || area(a).x - area(b).x;
const byColumn = (a, b) => area(a).x - area(b).x || area(a).y - area(b).y;
const firstOfEachKey = (parts, before) => [...new Map([...parts].sort(before).reverse().map((part) => [part.key, part])).values()].reverse();

/**
 * Make a pane in `stage`, with a box that is the free space of its graph.
 *
 * `pick(key)` is called with null when the ground is clicked; `connect(ends)`: a stream was led from one operator to another;
 * `add(key)`: something shall be added at a card or an edge;
 * `hint(state)`: what is in view changed; `moved()`: it is being moved; `takesWheel(event)`: whether the wheel enlarges the graph;
 * `refit()`: what shows a drawing that the document holds at rest, where several graphs have one scale.
 */
export function createPane(stage, { pick, connect, add, hint = () => {}, moved = () => {}, takesWheel, refit = null }) {
  const root = stage.querySelector("svg.sg") ?? drawn("svg", { class: "sg" });
  root.setAttribute("role", "presentation");
  const wrapper = (child) => element("div", { className: "world", role: "presentation" }, child);
  const world = wrapper(wrapper(root));
  stage.classList.add("stage");
  stage.tabIndex = 0;
  stage.setAttribute("role", "tree");
  stage.prepend(world);
  const state = { data: null, picked: null, highlighted: new Set(), hover: null, touched: false, whole: false, shown: false, taken: false, step: null, figures: null, fit: refit ?? (() => fit()) };

  const isCalled = (part) => part.key === state.picked || state.highlighted.has(part.key);
  const looksOf = (part) => {
    const looks = [];
    if (state.highlighted.has(part.key)) looks.push("highlighted");
    if (part.key === state.picked) looks.push("picked");
    if (part.key === state.hover) looks.push("hover");
    const marks = marksOf(state.step, part.key);
    if (marks) for (const name of LOOKS) if (marks[name]) looks.push(`step-${name}`);
    return looks.join(" ");
  };
  const parts = createParts(root, { looksOf, isPicked: (part) => part.key === state.picked });
  const cards = () => parts.all().filter(({ kind }) => kind === "card");
  const edges = () => parts.all().filter(({ kind }) => kind === "edge");

  const report = () => {
    // What was taken over and not drawn yet is reported once it is.
    if (!state.data || state.taken) return;
    const visible = view.visible();
    const [left, top, right, foot] = visible;
    const { sides: [from, to], height } = state.data;
    const hidden = left > from + 2 || right < to - 2 || top > 2 || foot < height - 2;
    const size = view.scale() * NAME;
    root.classList.toggle("tiny", size < LEGIBLE);
    root.classList.toggle("bare", view.scale() < LABELLED);
    if (!state.touched && isShown()) {
      const labels = parts.all().filter(({ kind, element: label }) => kind === "label" && label?.isConnected);
      keepWithin(labels, visible);
    }
    hint({ hidden, touched: state.touched, readable: !state.hasCards || size >= READABLE });
  };
  const view = createView(stage, world, {
    takesWheel,
    holds: (event) => connector.begins(event) || selectsText(event),
    pick: (target) => {
      stage.focus({ preventScroll: true });
      pick(target.closest("[data-key]")?.dataset.key ?? null);
    },
    moved: (byUser) => {
      if (byUser) state.touched = true;
      moved();
      if (!state.taken) parts.follow(view.visible());
      minimap.frame(view.visible());
      connector.place();
    },
    rested: () => {
      parts.trim(view.visible());
      report();
      placeTip();
    },
  });
  const minimap = createMinimap(stage, ([x, y]) => view.show({ x, y }, true));
  /** The card or the edge of an element: of a label its edge, of a badge what it marks. */
  const partAt = (target) => {
    const key = target?.closest?.(".card, .edge, .label, .mark")?.dataset.key;
    return key === undefined ? null : (parts.get(`card:${key}`) ?? parts.get(`edge:${key}`) ?? null);
  };
  const isAcross = () => Boolean(state.data?.across);
  const before = (a, b) => (isAcross() ? byColumn : byRow)(a, b);
  /** The middle of an edge, and whether its label is left of it, or above it where edges lead to the right. */
  const halfway = (part) => {
    const line = parts.elementOf(part).querySelector(".route");
    const { x, y } = line.getPointAtLength(line.getTotalLength() / 2);
    const label = parts.get(`label:${part.key}`)?.area;
    return { point: [x, y], isLabelFirst: isAcross() ? label?.[1] < y : label?.[0] < x };
  };
  const connector = createConnector(stage, root, { view, partAt, halfway, isAcross, connect, add });

  /** The findings of the selected element, shown at its badge while keys are used: the pointer shows a badge's own title. */
  const tip = element("div", { className: "tip", role: "tooltip", hidden: true });
  stage.append(tip);
  const badgeOf = (key) => parts.all().find((part) => part.kind === "badge" && part.key === key);
  const findingsOf = (key) => {
    const badge = badgeOf(key);
    const mark = badge && parts.elementOf(badge);
    return mark && getComputedStyle(mark).display !== "none" ? titleOf(mark) : "";
  };
  const placeTip = () => {
    const text = stage.matches(":focus-visible") ? findingsOf(state.picked) : "";
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const [, , right, foot] = badgeOf(state.picked).area;
    const [{ left, top }, { x, y }] = [stage.getBoundingClientRect(), view.toClient([right, foot])];
    Object.assign(tip.style, { left: `${Math.min(x - left, stage.clientWidth - tip.offsetWidth - MARGIN)}px`, top: `${Math.min(y - top, stage.clientHeight - tip.offsetHeight - MARGIN)}px` });
  };
  stage.addEventListener("blur", () => (tip.hidden = true));

  /** The text of the selected element can be selected itself. */
  const selectsText = ({ target, pointerType }) => pointerType === "mouse" && target.closest("text") && target.closest(".picked") !== null;

  const presents = () => document.documentElement.classList.contains("x-present");
  /** The scale at which the graph is whole. */
  const fitting = () => {
    const { sides: [from, to], left, right, height } = state.data;
    const wide = (width) => (stage.clientWidth - 2 * MARGIN) / Math.max(width, 1);
    const high = (stage.clientHeight - 2 * MARGIN) / Math.max(height, 1);
    return Math.min(high, Math.max(wide(right - left), Math.min(presents() ? PRESENTED.unlabelled : UNLABELLED, wide(to - from))));
  };
  /** The scale of rest: the whole graph, or as much of it as is legible. */
  const restScale = () => {
    const { least, most } = presents() ? PRESENTED : { least: LEAST, most: LARGEST };
    const whole = Math.min(most, fitting());
    const wanted = state.whole === "always" || (state.whole === "legible" && whole * NAME >= LEGIBLE);
    return wanted ? whole : Math.max(whole, least);
  };

  const isShown = () => state.data && stage.clientWidth > 0 && stage.clientHeight > 0;
  /** Show the graph at rest, at most at a scale. */
  const fit = (most = Infinity) => {
    if (!isShown()) return false;
    const scale = Math.min(most, restScale());
    const [wide, high] = [stage.clientWidth / scale, stage.clientHeight / scale];
    const { height } = state.data;
    const y = high >= height ? height / 2 : high / 2 - MARGIN / scale;
    view.show({ x: centre(wide, MARGIN / scale), y, scale });
    return true;
  };

  /** The middle of a graph with its labels, as far as its cards are in view; of a wider one as near to its first card as its sides allow. */
  const centre = (wide, margin) => {
    const { sides: [from, to], left, right } = state.data;
    const space = (wide - (to - from)) / 2 - margin;
    const middle = (from + to) / 2;
    const aim = space >= 0 ? (left + right) / 2 : area(firstOfEachKey(cards(), before)[0]).x;
    return Math.min(middle + Math.abs(space), Math.max(middle - Math.abs(space), aim));
  };

  const fitWhole = () => {
    [state.touched, state.whole] = [false, "always"];
    state.fit();
  };

  /** Let the next change of the graph show it at rest, wherever the user moved it. */
  const release = () => {
    state.touched = false;
  };

  /** Mark what is under the pointer; what only moves past it is not: each mark would let the browser draw all anew. */
  const hover = (key) => {
    if (key === state.hover || stage.classList.contains("moving")) return;
    const keys = [state.hover, key];
    state.hover = key;
    parts.paint(keys);
  };
  stage.addEventListener("pointerover", ({ target }) => {
    // The + lies above what it belongs to.
    if (!target.closest(".connector")) hover(target.closest("[data-key]")?.dataset.key ?? null);
  });
  stage.addEventListener("pointerleave", () => hover(null));
  stage.addEventListener("dblclick", ({ target }) => {
    if (!target.closest("[data-key], .connector")) fitWhole();
  });
  stage.addEventListener("keydown", (event) => {
    const steps = [{ ArrowDown: 1, ArrowUp: -1 }[event.key], { ArrowRight: 1, ArrowLeft: -1 }[event.key]];
    const [toCard, toEdge] = isAcross() ? steps.reverse() : steps;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (toCard) pickNext(toCard, cards());
    else if (toEdge) pickNext(toEdge, edges());
    else if (event.key === "Escape") pick(null);
    else if (event.key === "+" || event.key === "-") view.zoom(event.key === "+" ? 1.25 : 0.8);
    else if (event.key === "0") fitWhole();
    else if (event.key === "a" && state.picked !== null) connector.addAt(state.picked);
    else return;
    event.preventDefault();
  });

  /** Pick the next of these in reading order; where another kind of element is picked, the nearest to it. */
  const pickNext = (step, elements) => {
    const order = firstOfEachKey(elements, before);
    if (!order.length) return;
    const at = order.findIndex(({ key }) => key === state.picked);
    const from = [...cards(), ...edges()].find(({ key }) => key === state.picked);
    const passed = order.filter((part) => from && before(part, from) < 0).length;
    const next = at >= 0 ? at + step : step > 0 ? passed : passed - 1;
    pick(order[(next + order.length) % order.length].key);
  };

  new ResizeObserver(() => {
    if (!state.data && root.children.length) adopt();
    if (!isShown()) return;
    if (!state.touched) state.fit();
    else view.show(view.middle());
    if (state.data.parts) parts.draw(view.visible());
  }).observe(stage);

  const extend = ({ left, right, height }) => {
    const pad = 60;
    const box = [left - pad, -pad, right - left + 2 * pad, height + 2 * pad];
    root.setAttribute("viewBox", box.join(" "));
    Object.assign(root.style, { left: `${box[0]}px`, top: `${box[1]}px`, width: `${box[2]}px`, height: `${box[3]}px` });
  };

  const corner = (toClient) => ({ 0: left, 1: top }) => toClient([left, top]);

  /**
   * Take over what changed. Returns whether the graph `rests`, so that all are fitted anew, and `draw()`, which then shows it: a view that
   * the user moved stays; another document, and a graph in its place of rest, is shown whole. `refit()`: what shows it from now on.
   */
  const take = (data, refit = fit) => {
    const other = state.data?.document !== data.document;
    const [scale, middle] = [view.scale(), view.middle()];
    const origin = { ...view.toClient([0, 0]) };
    const old = parts.update(data.parts);
    const size = extentOf(state.data);
    [state.data, state.fit, state.taken] = [data, refit, true];
    state.hasCards = cards().length > 0;
    stage.setAttribute("aria-label", data.spoken);
    connector.allow(Boolean(data.connects), data.places ?? []);
    extend(data);
    minimap.lay(data, parts.all());
    if (other) [state.touched, state.shown, state.whole] = [false, false, state.whole && "legible"];
    const draw = () => {
      state.taken = false;
      parts.draw(view.visible());
      if (!other && isShown() && (size !== extentOf(data) || old.size !== parts.all().length || middle)) {
        const from = ([left, top]) => ({ x: origin.x + left * scale, y: origin.y + top * scale });
        parts.settle(old, from, ([left, top]) => view.toClient([left, top]), view.scale());
      }
      count(state.figures);
      mark();
      report();
    };
    return { rests: other || (!state.touched && size !== extentOf(data)), draw };
  };

  /** Take over the drawing that the document holds, once the browser shows it. */
  const adopt = () => {
    if (!stage.clientWidth || !stage.clientHeight) return;
    parts.adopt([...root.querySelectorAll("[data-key]")]);
    const ends = (kinds) => {
      const areas = parts.all().filter(({ kind }) => kinds.includes(kind)).map((part) => part.area);
      return [Math.min(...areas.map(([left]) => left)), Math.max(...areas.map(([, , right]) => right)), Math.max(...areas.map(([, , , foot]) => foot))];
    };
    const [[from, to, height], [left, right]] = [ends(["card", "box"]), ends(["card", "box", "label"])];
    state.data = { left, right, height, sides: [from, to], names: {}, across: "across" in stage.dataset };
    state.whole = "legible";
    state.hasCards = true;
    extend(state.data);
    mark();
  };

  const frameOf = (keys) => {
    const areas = parts.all().filter(({ key, kind }) => keys.has(key) && kind !== "badge" && kind !== "label").map((part) => part.area);
    if (!areas.length) return null;
    const side = (at, choose) => choose(...areas.map((each) => each[at]));
    return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
  };

  /** Move to the first of these elements when none of them is visible. */
  const reveal = (keys) => {
    if (!isShown()) return;
    const places = keys.map((key) => parts.all().find((part) => part.key === key)).filter(Boolean).map(area);
    const [left, top, right, foot] = view.visible();
    if (!places.length || places.some(({ x, y }) => x > left && x < right && y > top && y < foot)) return;
    view.show(places[0], true);
  };

  /** Show these elements as large as they fit. */
  const zoomTo = (keys) => {
    const frame = isShown() && frameOf(keys);
    if (!frame) return;
    const [left, top, right, foot] = frame;
    const wide = (stage.clientWidth - 4 * MARGIN) / Math.max(right - left, 1);
    const high = (stage.clientHeight - 4 * MARGIN) / Math.max(foot - top, 1);
    view.show({ x: (left + right) / 2, y: (top + foot) / 2, scale: Math.min(LARGEST, wide, high) }, true);
  };

  const mark = () => {
    parts.paint();
    const part = [...cards(), ...edges(), ...parts.all()].find(({ key, element: made }) => made && key === state.picked);
    root.querySelector("#picked")?.removeAttribute("id");
    if (part) part.element.id = "picked";
    stage.setAttribute("aria-activedescendant", part ? "picked" : "");
    minimap.call(parts.all().filter(isCalled));
    placeTip();
    connector.pick(part && ["card", "edge"].includes(part.kind) ? part : null);
  };
  const select = (picked, highlighted) => {
    const other = picked !== state.picked || !state.shown;
    if (!other && highlighted.size === state.highlighted.size && [...highlighted].every((key) => state.highlighted.has(key))) return;
    [state.picked, state.highlighted, state.shown] = [picked, highlighted, true];
    if (other && picked !== null) reveal([picked, ...highlighted]);
    mark();
  };

  /**
   * The place for something of one of these `sizes` at the first of these elements that is in view: its left and top end in the stage, and
   * the number of its size. It covers no name, and as few cards, labels and edges as can be. Null where none is in view.
   */
  const placeAt = (keys, sizes) => {
    if (!isShown()) return null;
    const visible = view.visible();
    const [{ left, top }, inView] = [stage.getBoundingClientRect(), parts.all().filter((part) => meets(part.area, visible))];
    const onStage = (area) => {
      const [from, to] = [view.toClient([area[0], area[1]]), view.toClient([area[2], area[3]])];
      return [from.x - left, from.y - top, to.x - left, to.y - top];
    };
    const of = (key) => inView.find((part) => part.key === key && part.kind === "card") ?? inView.find((part) => part.key === key && ["label", "edge", "box"].includes(part.kind));
    const part = keys.map(of).find(Boolean);
    if (!part) return null;
    const obstacles = inView.filter(({ kind }) => kind in WORTH).map(({ kind, area }) => [onStage(area), WORTH[kind]]);
    for (const { kind, area } of inView) if (kind === "card") obstacles.push([onStage([area[0], area[1], area[2], area[1] + NAMED]), WORTH.name]);
    for (const { kind, area: [x, y] } of inView) if (kind === "box") obstacles.push([onStage([x, y, x + TITLED, y + NAMED]), WORTH.name]);
    if (part.kind !== "box") {
      const [x, y] = connector.handleOf(part.kind === "label" ? (parts.get(`edge:${part.key}`) ?? part) : part);
      obstacles.push([[x - 12, y - 12, x + 12, y + 12], WORTH.plus]);
    }
    const space = [MARGIN, MARGIN, stage.clientWidth - MARGIN, stage.clientHeight - MARGIN];
    const places = sizes.map((size, turn) => ({ ...beside(onStage(part.area), size, space, obstacles), turn }));
    return places.reduce((best, place) => (place.cost + SECOND < best.cost ? place : best));
  };

  let waiting = false;
  /** Draw once before the browser shows the next picture, however many steps were made. */
  const drawSoon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      parts.paint();
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
    if (!figures && !state.figures) return;
    state.figures = figures;
    for (const part of cards()) showFigures(parts.elementOf(part), part.key, figures);
  };

  /** The name of a card, or the title of an edge. */
  const nameOf = (key) => {
    if (state.data.names[key]) return state.data.names[key];
    const part = parts.all().find((each) => each.key === key && each.kind === "edge");
    return part && titleOf(parts.elementOf(part)).split("\n")[0];
  };

  /** The + of a card or an edge, in the window. */
  const plusOf = (part) => {
    const [{ left, top }, [x, y]] = [stage.getBoundingClientRect(), connector.handleOf(part)];
    return { x: left + x, y: top + y };
  };

  const pane = { take, select, play, count, reveal, zoomTo, fit, fitWhole, release, placeAt, zoom: (factor) => view.zoom(factor), restScale: () => (isShown() ? restScale() : Infinity) };
  return { ...pane, isTouched: () => state.touched, isDrawn: () => state.data !== null, nameOf, findingsOf, hook: hookOf({ view, parts, state, minimap, fitWhole, halfway, plusOf }) };
}

/** Width and height of a graph as a text, to be compared. */
const extentOf = (data) => data && [data.left, data.right, data.height].join();

/** What a test in a browser needs: where things are, and what is highlighted. */
function hookOf({ view, parts, state, minimap, fitWhole, halfway, plusOf }) {
  const of = (kind) => parts.all().filter((part) => part.kind === kind);
  const own = ({ id }) => id.slice(id.indexOf(":") + 1);
  const find = (key, kinds) => kinds.map((kind) => parts.get(`${kind}:${key}`) ?? of(kind).find((part) => part.key === key)).find(Boolean);
  const lineOf = (part) => parts.elementOf(part).querySelector(".route");
  /** The middle of a card, a point of an edge, or the corner of a chain's border. */
  const placeOf = (key) => {
    const part = find(key, ["card", "edge", "box"]);
    const { x, y } = area(part);
    if (part.kind === "edge") return halfway(part).point;
    return part.kind === "box" ? [part.area[0] + 10, part.area[3] - 6] : [x, y];
  };
  const textsOf = (key, names) => {
    const card = parts.elementOf(find(key, ["card"]));
    return names.map((name) => card.querySelector(name));
  };
  return {
    keys: () => of("card").map(own),
    edges: () => of("edge").map(own),
    boxes: () => of("box").map(own),
    texts: () => of("card").map((part) => state.data.names[own(part)]),
    labels: () => of("label").map((part) => [...parts.elementOf(part).querySelectorAll("text")].map(wholeOf).join(" ")),
    scale: () => view.scale(),
    across: () => Boolean(state.data?.across),
    minimap: () => minimap.size(),
    position: () => view.middle(),
    picked: () => state.picked,
    highlighted: () => [...state.highlighted],
    step: () => state.step && state.step.now,
    marks: (key) => marksOf(state.step, key),
    dashes: (key) => {
      parts.paint();
      const dashes = getComputedStyle(lineOf(find(key, ["edge"]))).strokeDasharray;
      return dashes === "none" ? [] : dashes.split(",").map(Number.parseFloat);
    },
    found: (key) => {
      const badge = find(key, ["badge"]);
      return badge ? parts.elementOf(badge).classList.item(1) : null;
    },
    fit: fitWhole,
    figures: (key) => {
      const [bar, figure, load] = textsOf(key, [".share", ".figure", ".busy"]);
      return [bar?.textContent ?? null, figure?.textContent ?? null, load?.getAttribute("width") ?? null];
    },
    foot: (key) => {
      const [left, , right, foot] = find(key, ["card"]).area;
      return view.toClient([(left + right) / 2, foot]);
    },
    plus: (key) => plusOf(find(key, ["card", "edge"])),
    at: (key) => view.toClient(placeOf(key)),
  };
}
