// One or two of the three graphs side by side. Streamlit calls the function below whenever its data or the theme changed.

import { LEVELS, arrangement, fold, levels, onLayout, setArrangement, setLevels, setWay, showsNotes, way } from "../streamgraph-explorer.frame/layout.js";
import { NAMED, PRESENTED, arrange } from "./arrangement.js";
import { announceShown, onCommand, onPick, sendCommand } from "./command.js";
import { element } from "../streamgraph-explorer.shared/dom.js";
import { onFigures } from "./figures.js";
import { openFree } from "./free.js";
import { legendElement } from "./legend.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";
import { createPagePane } from "./pane.js";
import { picturesElement } from "./pictures.js";
import { foldedStep, onStep, handlesPick } from "../streamgraph-explorer.shared/step.js";
import { createRoutes } from "./routes.js";

const SIDES = LEVELS;
const TITLES = { stream: "StreamGraph", job: "JobGraph", execution: "ExecutionGraph" };
const BUTTONS = [
  ["out", "−", "Zoom out"],
  ["in", "+", "Zoom in"],
  ["fit", "Fit", "Fit: show the whole graph"],
];
/** In place of a level: the graph's own cards, to be dragged. */
const FREE = "free";
const TOO_SMALL = "Too small to read: zoom in";
const FOLD_CHAINS = "fold each chain to one card";
const PARTLY = "Part of the graph: Fit shows all of it.";
/** How often Python is asked for the other direction of a large graph: what is sent while it answers something else may get lost. */
const MOST_ASKED = 3;
/** Milliseconds for which a selection is shown that the server has not confirmed. */
const AHEAD = 4000;
const boards = new WeakMap();
/** The board in the page's cover until Streamlit mounts one, and by name the last event of each kind that waits for it. */
let early = null;
const waiting = new Map();

function paneElement(side) {
  const button = (does, text, title) =>
    element("button", { type: "button", textContent: text, title, "aria-label": title, "data-do": does });
  const folds = side === "stream";
  const fold = folds ? [element("button", { type: "button", "data-do": "fold" })] : [];
  const advice = folds ? [element("span", {}, ", or ", element("button", { type: "button", textContent: FOLD_CHAINS }))] : [];
  const wide = element("button", { type: "button", "data-do": "alone" });
  const free = side === "execution" ? [] : [element("option", { value: FREE, textContent: "Free layout" })];
  const options = [...SIDES.map((level) => element("option", { value: level, textContent: TITLES[level] })), ...free];
  const choice = element("select", { "aria-label": `Graph in place of the ${TITLES[side]}`, title: "StreamGraph, JobGraph or ExecutionGraph", "data-do": "level" }, ...options);
  const buttons = [...fold, ...BUTTONS.map((row) => button(...row)), wide];
  const bar = element("div", { className: "bar" }, element("h3", { textContent: TITLES[side] }), choice, element("span", { className: "note" }), ...buttons);
  const stage = element("div", { className: "canvas", "data-graph": side });
  const tooSmall = element("p", { className: "too-small", role: "status", hidden: true }, TOO_SMALL, ...advice, ".");
  const partly = element("p", { className: "partly", textContent: PARTLY, hidden: true });
  const problem = element("p", { className: "problem", hidden: true });
  const skip = element("button", { type: "button", className: "skip", textContent: "Go to the panel of the selection", onclick: focusPanel });
  return element("section", { className: "pane", "data-side": side }, bar, tooSmall, partly, problem, stage, skip);
}

/** Lead the focus to the right panel, from which the graphs' own buttons and the tables below are many stops. */
function focusPanel() {
  fold("right", false);
  document.querySelector(".st-key-right :is(input, textarea, button, summary):not(:disabled)")?.focus();
}

/** Show a graph's name above it and in the choice of each graph: a DataSet program has no StreamGraph. */
function nameGraph({ root }, side, title) {
  root.querySelector(`[data-side=${side}] h3`).textContent = title;
  for (const option of root.querySelectorAll(`[data-do=level] option[value=${side}]`)) option.textContent = title;
}

function presentButton() {
  const title = "Larger text, side panels hidden; the arrow keys play";
  return element("button", { type: "button", className: "present", textContent: "Present", title, onclick: () => sendCommand("present") });
}

function createBoard(parent) {
  const [root, sheet] = [element("div", { className: "board" }), element("style")];
  root.append(sheet);
  parent.append(root);
  const board = { root, sheet, data: null, picked: null, waiting: null, panes: {}, step: null, asked: 0, called: new Set(), free: new Map() };
  const pick = (key) => {
    if (handlesPick(key) || key === board.picked) return;
    showAhead(board, key);
    board.send("picked", { key });
  };
  const reports = { pick, connect: (ends) => board.send("connected", ends), add: (key) => board.send("added", { key }), moved: () => board.routes?.hide(), rested: () => placeRoutesSoon(board) };
  for (const side of SIDES) {
    const pane = paneElement(side);
    root.append(pane);
    board.panes[side] = createPagePane(pane, reports);
  }
  const zoom = () => obey(board, "zoom");
  board.routes = createRoutes((name) => board.send("route", { name }), zoom);
  board.foot = element("div", { className: "foot" }, board.routes.row);
  for (const name of ["pointerdown", "focusin"])
    root.addEventListener(name, ({ target }) => (board.side = target.closest(".pane")?.dataset.side ?? board.side), true);
  board.announcement = element("p", { className: "announcement", "aria-live": "polite" });
  root.append(board.routes.bar, board.foot, board.announcement);
  board.fold = root.querySelector("[data-do=fold]");
  board.advice = root.querySelector(".too-small span");
  board.fold.addEventListener("click", () => foldChains(board));
  board.advice.querySelector("button").addEventListener("click", () => board.send("folded", { on: true }));
  for (const side of SIDES) {
    const button = root.querySelector(`[data-side=${side}] [data-do=alone]`);
    button.addEventListener("click", () => choose(board, levels().length === 1 ? pairWith(side) : [side]));
    const choice = root.querySelector(`[data-side=${side}] [data-do=level]`);
    choice.addEventListener("change", () => {
      const [wanted, others] = [choice.value, levels().filter((level) => level !== side)];
      closeFree(board, side);
      if (wanted === FREE) showFreeLayout(board, side);
      if (wanted === FREE || wanted === side) return;
      choose(board, [wanted, ...others]);
      board.root.querySelector(`[data-side=${wanted}] [data-do=level]`).focus();
    });
  }
  board.stops = listening(board);
  // The bars and the foot also change their height while the board does not, as when their buttons wrap.
  const sizes = new ResizeObserver(() => rearrange(board));
  for (const part of [root, board.foot, ...root.querySelectorAll(".bar")]) sizes.observe(part);
  board.stops.push(() => sizes.disconnect());
  divide(board);
  return board;
}

/** Listen to the other parts of the page; each returned function stops one listener. */
function listening(board) {
  return [
    onStep((step) => {
      board.step = step;
      play(board);
    }),
    onCommand((name) => obey(board, name)),
    onFigures((figures) => {
      board.figures = figures;
      count(board);
    }),
    onLayout(() => divide(board)),
    // Rows of other tables stand for other things than elements of the graphs.
    onPick((key) => {
      if (board.data && key in board.data.counterparts) showAhead(board, key);
    }),
  ];
}

/** Show the drawing of a graph again in place of its free layout. */
function closeFree(board, side) {
  board.free.get(side)?.end();
  board.free.delete(side);
  board.root.querySelector(`[data-side=${side}] [data-do=level]`).value = side;
}

function showFreeLayout(board, side) {
  const pane = board.root.querySelector(`[data-side=${side}]`);
  board.free.set(side, { end: openFree(pane, side), drawn: board.data[side] });
  pane.querySelector("[data-do=level]").value = FREE;
}

/** The two graphs that are drawn where this one is drawn now: with its neighbour. */
function pairWith(side) {
  return side === "execution" ? ["job", side] : side === "job" ? ["stream", side] : [side, "job"];
}

/** Draw other graphs, and report them: only Python knows the ExecutionGraph, and the address holds the choice. */
function choose(board, wanted) {
  setLevels(wanted);
  board.send("levels", { shown: levels() });
}

/** Take over the graphs that the address names; where it names none, report those that this browser drew last. */
function followLevels(board, { levels: named }) {
  const joined = (named ?? []).join();
  if (joined === board.named) return;
  const first = board.named === undefined;
  board.named = joined;
  if (named) setLevels(named);
  else if (first && levels().join() !== "stream,job") board.send("levels", { shown: levels() });
}

/** Show a selection before the server knows it, and do not fall back to what it sends meanwhile; an undo may have taken it back. */
function showAhead(board, key) {
  clearTimeout(board.waiting?.timer);
  board.waiting = { key, timer: setTimeout(showKnown, AHEAD, board) };
  show(board, key);
}

/** Show the selection that the server knows. */
function showKnown(board) {
  clearTimeout(board.waiting?.timer);
  board.waiting = null;
  show(board, board.data.selection);
}

/** Highlight `key` and its counterparts in both panes. */
function show(board, key) {
  if (board.picked !== key) board.announcement.textContent = key === null ? "Nothing is selected." : `Selected: ${spokenOf(board, key)}`;
  board.picked = key;
  const { counterparts, around, selection, routes } = board.data;
  const highlighted = new Set(key === null ? [] : (counterparts[key] ?? []));
  if (key === selection) for (const each of around) highlighted.add(each);
  board.routes.update(routes);
  board.called = new Set(key === null ? [] : [key, ...highlighted]);
  for (const side of SIDES) board.panes[side].select(key, highlighted);
  announceShown(key, highlighted);
  placeRoutesSoon(board);
}

/** Show what can be done with the selection at its card, in the graph that was used last, once the graphs stand still. */
function placeRoutesSoon(board) {
  cancelAnimationFrame(board.placing);
  board.placing = requestAnimationFrame(() => {
    const { data, root, picked, panes, side, step } = board;
    const isShown = data && picked !== null && step === null && !root.classList.contains("veiled");
    const sides = levels().filter((level) => data?.[level] && !board.free.has(level));
    sides.sort((a, b) => (b === side) - (a === side));
    const stages = sides.map((level) => ({ pane: panes[level], stage: root.querySelector(`[data-side=${level}] .canvas`) }));
    board.routes.place(stages, isShown ? [picked, ...(data.counterparts[picked] ?? [])] : [], root.getBoundingClientRect());
  });
}

/** The text that a screen reader announces for an element: its name or its task's name, and its findings. */
function spokenOf({ data, panes }, key) {
  const counterparts = data.counterparts[key] ?? [];
  const name = [key, ...counterparts].map((each) => panes.stream.nameOf(each) ?? panes.job.nameOf(each)).find(Boolean) ?? key;
  return [name, panes.stream.findingsOf(key)].filter(Boolean).join(". ");
}

/** Fold each chain to one card, or unfold them; those that the browser folded for want of space it unfolds itself. */
function foldChains(board) {
  if (board.arranged?.density) {
    board.unfolds = board.data.stream.document;
    rearrange(board);
  } else board.send("folded", { on: !isFolded(board) });
}

/** Whether every chain of the StreamGraph is one card: without a border. */
function isFolded({ data, arranged }) {
  return Boolean(arranged?.density) || !data.stream.parts.some(([id]) => id.startsWith("box:"));
}

const sizeOf = ({ sides: [left, right], height }) => ({ width: right - left, height });
/** Of a graph that a question hides. */
const HIDDEN = { down: { width: 1, height: 1 }, across: { width: 1, height: 1 } };
/** A graph's size for each way in which its edges can lead. */
const sizesOf = (graph) => (graph.across === true ? { down: null, across: sizeOf(graph) } : { down: sizeOf(graph), across: graph.across ? sizeOf(graph.across) : null });
/** A drawing with its edges leading the way that was arranged. */
const turned = ({ arranged }, graph) => (arranged?.across && graph.across ? { ...graph, ...graph.across, across: true } : { ...graph, across: graph.across === true });
/** The densities at which the graphs can be drawn. */
const DENSITIES = [0, 1, 2];
const isPresented = () => document.documentElement.classList.contains("x-present");

/** Whether chains fold by themselves: a step shows them all, unless it is presented. */
const mayFold = ({ step }) => step === null || isPresented();

/** How one of the shown graphs is drawn at a density: as ever; with each chain as one card, of a question each operator in one line; with less space for the tasks, too. */
function drawingAt(board, side, density) {
  const { data } = board;
  if (side === "stream" && unchainedOf(board)) return (density && data.unchained_lines) || data.unchained;
  if (side === "stream") return density ? data.compact : data.stream;
  return side === "job" && density > 1 ? data.dense : data[side];
}

/** Give each graph its part of the space: side by side or stacked, denser where names would be too small. */
function rearrange(board) {
  const { data, root, foot, panes } = board;
  if (data === null || !root.clientWidth || !root.clientHeight) return;
  const shown = levels().filter((side) => data[side]);
  const { offsetHeight: bar } = root.querySelector(`[data-side=${shown[0] ?? "stream"}] .bar`);
  const space = { width: root.clientWidth, height: root.clientHeight - foot.offsetHeight, bar };
  const folds = data.compact && mayFold(board) && board.unfolds !== data.stream.document;
  const named = isPresented() ? PRESENTED : NAMED;
  const wanted = { arrangement: arrangement(), way: way() };
  const drawings = (folds ? DENSITIES : DENSITIES.slice(0, 1)).map((density) => shown.map((side) => (side !== "stream" && unchainedOf(board) ? HIDDEN : sizesOf(drawingAt(board, side, density)))));
  const cause = JSON.stringify([space, shown, Boolean(folds), data.stream.document, data.across, Boolean(unchainedOf(board)), wanted, named]);
  // Views that the user moved stay where they are while the graphs change.
  if (cause !== board.cause || !shown.some((side) => panes[side].isTouched()))
    board.arranged = arrange(space, drawings, wanted, named);
  board.cause = cause;
  const { stacked, across, share } = board.arranged;
  root.classList.toggle("stacked", stacked);
  root.style.setProperty("--first", share === null ? "minmax(0, 1fr)" : `${Math.round(share)}px`);
  Object.assign(board.arrange, { hidden: shown.length < 2, textContent: stacked ? "Side by side" : "Stack", title: stacked ? "Draw the graphs side by side" : "Draw one graph above the other" });
  describeWay(board, shown);
  describeFolding(board);
  const turns = across !== board.drawnAcross;
  if (turns) for (const pane of Object.values(panes)) pane.release();
  if (turns || isOther(board)) drawAll(board);
  if (panes.stream.isDrawn()) fitAll(board);
}

/** Name the button that turns the graphs; have large graphs, of which Python draws one way alone, drawn in the one that was chosen. */
function describeWay(board, shown) {
  const { data, arranged: { across } } = board;
  const isRefused = way() !== null && (way() === "across") !== across;
  const title = across ? "Let edges lead from top to bottom" : "Let edges lead from left to right";
  Object.assign(board.way, { textContent: across ? "Top-down" : "Left to right", title: isRefused ? "Chosen, but not readable in this space" : title, disabled: isRefused });
  const wanted = way() === "across";
  if (!shown.some((side) => isOneWay(data[side])) || wanted === data.across) board.asked = 0;
  else if (board.asked < MOST_ASKED) {
    board.asked += 1;
    board.send("direction", { across: wanted });
  }
}

/** Whether a graph is drawn in one way alone. */
const isOneWay = ({ across }) => across === null || across === true;

function describeFolding(board) {
  const folded = isFolded(board);
  board.advice.hidden = folded;
  board.fold.textContent = folded ? "Unfold" : "Fold";
  board.fold.title = folded ? "Draw the operators of each chain" : "Draw each chain as one card";
}

/** Show the graphs that the user did not move at rest, in one scale. */
function fitAll(board) {
  const { panes } = board;
  const shown = levels().map((side) => panes[side]);
  const scale = Math.min(...(unchainedOf(board) ? [panes.stream] : shown).map((pane) => pane.restScale()));
  for (const pane of shown) if (!pane.isTouched()) pane.fit(scale);
}

/** Draw two graphs side by side, or one over the whole width. */
function divide(board) {
  rearrange(board);
  const shown = levels();
  const only = shown.length === 1;
  board.root.dataset.levels = shown.join(" ");
  board.root.classList.toggle("notes", showsNotes());
  for (const choice of board.root.querySelectorAll("[data-do=level]")) {
    const { side } = choice.closest(".pane").dataset;
    choice.value = board.free.has(side) ? FREE : side;
    for (const option of choice.options) option.disabled = option.value !== side && shown.includes(option.value);
  }
  for (const button of board.root.querySelectorAll("[data-do=alone]")) {
    button.textContent = only ? "Both" : "Widen";
    button.title = only ? "Show both graphs side by side" : "Give this graph the whole width";
    button.setAttribute("aria-pressed", String(only));
  }
}

/** Colour the step that the stepper shows. */
function play(board) {
  const { step, data, panes } = board;
  if (data === null) return;
  const folds = new Set(isCompact(board) ? cardsOf(data.compact) : data.folded);
  const cardOf = (key) => data.counterparts[key]?.find((each) => folds.has(each)) ?? key;
  if (isOther(board)) rearrange(board);
  panes.stream.play(step && folds.size && !unchainedOf(board) ? foldedStep(step, cardOf) : step);
  panes.job.play(step);
  board.root.classList.toggle("veiled", Boolean(step?.veil));
}

/** The layout that knows no chains, while the reader predicts them; else null. */
const unchainedOf = ({ step, data }) => (step?.veil && data.unchained) || null;

/** Whether the browser draws each chain as one card, for want of space. */
const isCompact = (board) => Boolean(board.arranged?.density) && mayFold(board);
const cardsOf = ({ parts }) => parts.filter(([id]) => id.startsWith("card:")).map(([, key]) => key);

/** What of a graph is drawn now. */
const drawingOf = (board, side) => drawingAt(board, side, isCompact(board) ? board.arranged.density : 0);
/** Whether something else of the StreamGraph or the JobGraph is to be drawn than is. */
const isOther = (board) => board.drawn?.stream !== drawingOf(board, "stream") || board.drawn.job !== drawingOf(board, "job");

/** Draw what changed of the graphs. */
function drawAll(board) {
  const { data, panes, arranged } = board;
  board.drawn = Object.fromEntries(SIDES.map((side) => [side, drawingOf(board, side)]));
  board.drawnAcross = arranged?.across;
  const { stream } = board.drawn;
  const more = { stream: { connects: data.connects && stream === data.stream, places: unchainedOf(board) ? [] : data.places } };
  const taken = SIDES.filter((side) => data[side]).map((side) => panes[side].take(turned(board, { ...data[side], ...board.drawn[side], ...more[side] }), () => fitAll(board)));
  if (taken.some(({ rests }) => rests)) fitAll(board);
  for (const { draw } of taken) draw();
}

/** Show the figures of a trial that runs; of none, those that the graphs were drawn with. */
function count({ figures, data, panes }) {
  if (data) for (const side of ["stream", "job"]) panes[side].count(figures);
}

/** What is asked for by its name, as with Ctrl+K. */
function obey(board, name) {
  for (const side of SIDES) {
    if (name === "fit") board.panes[side].fitWhole();
    if (name === "zoom") board.panes[side].zoomTo(board.called);
  }
  return name === "fit" || name === "zoom";
}

/** The parts of the data that are drawings; the ExecutionGraph is not among them: `drawn` does not name it. */
const drawingsOf = ({ stream, job, compact, dense, unchained, unchained_lines }) => ({ stream, job, compact, dense, unchained, unchained_lines });

/** Whether the graphs are drawn as other data wants them: then the selection changed, or what can be done with it. */
function isDrawnAs(data, before) {
  const isSame = before?.drawn && ["drawn", "connects", "across"].every((name) => before[name] === data[name]);
  return Boolean(isSame) && !before.execution && !data.execution && before.places.join() === data.places.join();
}

/** Show other graphs than before. */
function redraw(board) {
  const { data } = board;
  for (const side of SIDES) {
    const [pane, section] = [data[side], board.root.querySelector(`[data-side=${side}]`)];
    if (!pane) continue;
    section.querySelector(".note").textContent = pane.note;
    if (pane.title) nameGraph(board, side, pane.title);
    const problem = section.querySelector(".problem");
    [problem.textContent, problem.hidden] = [pane.problem ?? "", !pane.problem];
  }
  for (const [side, { drawn }] of board.free) if (isRedrawn(drawn, data[side])) closeFree(board, side);
  board.drawn = null;
  rearrange(board);
  // A board that has no space yet is arranged once it gets some.
  if (board.drawn === null) drawAll(board);
  play(board);
  count(board);
}

function update(board, data) {
  if (board.sheet.textContent !== data.sheet) board.sheet.textContent = data.sheet;
  const refolded = board.data !== null && board.data.folded.join() !== data.folded.join();
  if (!board.legend) {
    board.legend = legendElement(data.legend, data.hues, data.looks);
    board.arrange = element("button", { type: "button", className: "present arrange" });
    board.arrange.addEventListener("click", () => setArrangement(board.arranged.stacked ? "side" : "stacked"));
    board.way = element("button", { type: "button", className: "present arrange" });
    board.way.addEventListener("click", () => setWay(board.arranged.across ? "down" : "across"));
    board.foot.append(board.arrange, board.way, ...(data.presents ? [presentButton()] : []), picturesElement(data.pictures), board.legend);
  }
  const isSame = isDrawnAs(data, board.data);
  board.data = isSame ? { ...data, ...drawingsOf(board.data) } : data;
  board.root.classList.toggle("stale", Boolean(data.stale));
  followLevels(board, data);
  if (!isSame) redraw(board);
  if (board.waiting && data.selection !== board.waiting.key) {
    show(board, board.waiting.key);
    return;
  }
  showKnown(board);
  if (refolded) for (const side of SIDES) board.panes[side].reveal([...board.called]);
}

/** Whether a drawing shows other parts than another one did, whatever marks them. */
function isRedrawn({ parts: before }, { parts: after }) {
  return before.length !== after.length || before.some(([id, , area], turn) => id !== after[turn][0] || area.join() !== after[turn][2].join());
}

function end({ stops, root, waiting }) {
  clearTimeout(waiting?.timer);
  for (const stop of stops) stop();
  root.remove();
}

/** Draw the graphs into `parent` before Streamlit mounts them; what is done there is sent once it does. */
export function drawEarly(parent, data) {
  early = createBoard(parent);
  early.send = (name, value) => waiting.set(name, value);
  update(early, data);
}

/** Move the early board to where Streamlit mounts it, or create one. */
function openBoard(parent) {
  const board = early ?? createBoard(parent);
  if (early) {
    parent.append(board.root);
    queueMicrotask(() => {
      for (const [name, value] of waiting) board.send(name, value);
      waiting.clear();
    });
  }
  early = null;
  const hooks = Object.entries(board.panes).map(([side, pane]) => [side, pane.hook]);
  globalThis.__graphs = Object.fromEntries(hooks);
  dispatchEvent(new Event("graphs-moved"));
  return board;
}

export default function mount(call) {
  return mounted(boards, call, { create: openBoard, update, end });
}
