// How is the page divided? The panels' sizes, which are folded, which one or two graphs are drawn; this browser remembers.

const STORE = "streamgraph-explorer.layout";
/** By panel: the size's property in the page's style sheet, and its limits in CSS pixels. */
export const PANELS = {
  left: { property: "--x-left", least: 160, most: 560 },
  right: { property: "--x-right", least: 200, most: 640 },
  below: { property: "--x-below", least: 120, most: 900 },
};
/** Minimum size of the middle, however large the panels around it are drawn. */
const MIDDLE = { x: 260, y: 200 };
/** The levels of the graph view, in the order in which they are drawn. */
export const LEVELS = ["stream", "job", "execution"];
/** Two graphs side by side, or one above the other. */
const ARRANGEMENTS = ["side", "stacked"];
/** Top-down, or from left to right. */
const WAYS = ["down", "across"];
const listeners = new Set();
/** The drawers that are open now; every page begins with all of them closed, but for the one that is pinned. */
const open = new Set();
/** The panel that can be pinned: as a drawer it opens with a selection, and closes with a click beside it unless it is pinned. */
export const PINNED = "right";

/** Two different levels in their order; else the first two. */
function pairOf(levels) {
  const pair = LEVELS.filter((level) => Array.isArray(levels) && levels.includes(level));
  return pair.length === 2 ? pair : LEVELS.slice(0, 2);
}

function read() {
  let stored = null;
  try {
    stored = JSON.parse(localStorage.getItem(STORE));
  } catch {
    // Nothing is stored, or the browser has no storage.
  }
  const sizes = Object.entries(stored?.sizes ?? {}).filter(([panel, size]) => panel in PANELS && Number.isFinite(size));
  const folded = (Array.isArray(stored?.folded) ? stored.folded : []).filter((panel) => panel in PANELS);
  return { sizes: Object.fromEntries(sizes), folded: new Set(folded), alone: LEVELS.includes(stored?.alone) ? stored.alone : null, pair: pairOf(stored?.pair), arrangement: ARRANGEMENTS.includes(stored?.arrangement) ? stored.arrangement : null, way: WAYS.includes(stored?.way) ? stored.way : null, notes: stored?.notes === true, pinned: stored?.pinned === true };
}

const state = read();
if (state.pinned) open.add(PINNED);

function keep() {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...state, folded: [...state.folded] }));
  } catch {
    // A browser without storage shows it all the same.
  }
  apply();
}

/** Maximum size of a panel in this window, given the opposite panel. */
export function mostOf(panel) {
  const opposite = { left: "right", right: "left" }[panel];
  const room = opposite ? innerWidth - sizeOf(opposite) - MIDDLE.x : innerHeight - MIDDLE.y;
  return Math.max(PANELS[panel].least, Math.min(PANELS[panel].most, room));
}

/** A panel's size as it is drawn; 0 while it is folded. */
export function sizeOf(panel) {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(PANELS[panel].property)) || 0;
}

/** The panels that the style sheet makes drawers in this window and place. */
function drawers() {
  return getComputedStyle(document.documentElement).getPropertyValue("--x-drawers").split(" ").filter((panel) => panel in PANELS);
}

export function isDrawer(panel) {
  return drawers().includes(panel);
}

export function isFolded(panel) {
  return isDrawer(panel) ? !open.has(panel) : state.folded.has(panel);
}

/** Close all drawers but the pinned one; returns whether one was open. */
export function closeDrawers() {
  const closing = [...open].filter((panel) => !(state.pinned && panel === PINNED));
  for (const panel of closing) open.delete(panel);
  if (closing.length) apply();
  return closing.length > 0;
}

/** Whether the drawer that opens with a selection stays open. */
export function isPinned() {
  return state.pinned;
}

export function pin(on) {
  state.pinned = on;
  keep();
}

/** Open the drawer that shows what is selected, where the style sheet names one. */
export function openForSelection() {
  const opens = getComputedStyle(document.documentElement).getPropertyValue("--x-opens").trim();
  if (opens && isDrawer(opens)) fold(opens, false);
}

/** The graphs that are drawn: one, or two side by side. */
export function levels() {
  return state.alone ? [state.alone] : state.pair;
}

/** Draw one graph over the whole width, or two side by side. */
export function setLevels(wanted) {
  if (wanted.length === 2) state.pair = pairOf(wanted);
  else if (!state.pair.includes(wanted[0])) state.pair = pairOf([wanted[0], "job"]);
  state.alone = wanted.length === 1 ? wanted[0] : null;
  keep();
}

/** The arrangement of two graphs that was chosen; null: the one that shows them largest. */
export function arrangement() {
  return state.arrangement;
}

/** Choose how two graphs are arranged. */
export function setArrangement(wanted) {
  state.arrangement = wanted;
  keep();
}

/** The way in which edges lead that was chosen; null: the one that shows the graphs largest. */
export function way() {
  return state.way;
}

/** Choose the way in which edges lead. */
export function setWay(wanted) {
  state.way = wanted;
  keep();
}

/** Whether notes mark the cards and edges of the graphs, as warnings and errors do. */
export function showsNotes() {
  return state.notes;
}

export function setNotes(on) {
  state.notes = on;
  keep();
}

/** Fold a panel away, or show it again. */
export function fold(panel, on) {
  if (isDrawer(panel)) {
    if (on && panel === PINNED && state.pinned) pin(false);
    closeDrawers();
    if (on) open.delete(panel);
    else open.add(panel);
    apply();
    return;
  }
  if (on) state.folded.add(panel);
  else state.folded.delete(panel);
  keep();
}

/** Make a panel so large, within its limits; null: as large as the style sheet makes it. */
export function resize(panel, size) {
  if (isDrawer(panel)) return;
  state.folded.delete(panel);
  if (size === null) delete state.sizes[panel];
  else state.sizes[panel] = Math.round(Math.max(PANELS[panel].least, Math.min(mostOf(panel), size)));
  keep();
}

/** Listen to every change; call the returned function to stop. */
export function onLayout(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Apply the layout to the page. */
export function apply() {
  const root = document.documentElement;
  const asDrawers = drawers();
  const columns = Object.keys(PANELS).filter((panel) => !asDrawers.includes(panel));
  root.dataset.open = asDrawers.filter((panel) => open.has(panel)).join(" ");
  root.dataset.folded = columns.filter((panel) => state.folded.has(panel)).join(" ");
  for (const [panel, { property }] of Object.entries(PANELS)) {
    root.style.removeProperty(property);
    if (columns.includes(panel) && state.folded.has(panel)) root.style.setProperty(property, "0px");
  }
  for (const [panel, size] of Object.entries(state.sizes)) {
    if (columns.includes(panel) && !state.folded.has(panel)) root.style.setProperty(PANELS[panel].property, `${Math.min(size, mostOf(panel))}px`);
  }
  for (const listener of listeners) listener();
}
