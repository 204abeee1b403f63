// The borders between the page's parts, each with a button that folds a panel away; keys for the whole page; files
// dropped anywhere on it; and complaints brought into sight.

import { copyFor } from "../streamgraph-explorer.copy/clipboard.js";
import { element } from "../streamgraph-explorer.shared/dom.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";
import { PANELS, PINNED, apply, closeDrawers, fold, isDrawer, isFolded, isPinned, mostOf, onLayout, openForSelection, pin, resize, sizeOf } from "./layout.js";

const NAMES = { left: "left panel", right: "right panel", below: "panel" };
/** By panel: the way in which its border moves when the panel grows. */
const GROWS = { left: "ArrowRight", right: "ArrowLeft", below: "ArrowUp" };
const SHRINKS = { left: "ArrowLeft", right: "ArrowRight", below: "ArrowDown" };
const SIGNS = { left: ["‹", "›"], right: ["›", "‹"], below: ["⌄", "⌃"] };
const STEP = 16;
const TYPED = "input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** In `sessionStorage`: the state of this tab where it is too large for the address. */
const HELD = "streamgraph-explorer.state";

const frames = new WeakMap();

function borderOf(panel) {
  const button = element("button", { type: "button", className: "fold" });
  const grip = element("div", {
    className: "grip", tabIndex: 0, role: "separator",
    "aria-orientation": panel === "below" ? "horizontal" : "vertical", "aria-label": `Size of the ${NAMES[panel]}`,
    title: "Drag, or press the arrow keys; a double click restores the default size",
  });
  const border = element("div", { className: `border ${panel}` }, grip, button);
  button.addEventListener("click", () => fold(panel, !isFolded(panel)));
  if (panel === PINNED) border.append(element("button", { type: "button", className: "pin", onclick: () => pin(!isPinned()) }));
  grip.addEventListener("dblclick", () => resize(panel, null));
  grip.addEventListener("keydown", (event) => {
    if (event.key === GROWS[panel]) resize(panel, sizeOf(panel) + STEP);
    else if (event.key === SHRINKS[panel]) resize(panel, sizeOf(panel) - STEP);
    else if (event.key === "Enter") fold(panel, !isFolded(panel));
    else return;
    event.preventDefault();
  });
  dragged(grip, panel);
  return border;
}

/** Let a border follow the pointer; beyond half of its least size the panel folds. */
function dragged(grip, panel) {
  const sizeAt = (event) => ({ left: event.clientX, right: innerWidth - event.clientX, below: innerHeight - event.clientY })[panel];
  grip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    grip.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  grip.addEventListener("pointermove", (event) => {
    if (!grip.hasPointerCapture(event.pointerId)) return;
    const size = sizeAt(event);
    if (size < PANELS[panel].least / 2) fold(panel, true);
    else resize(panel, size);
  });
}

/** Say of each border how it stands. */
function describeBorders(borders) {
  for (const [panel, border] of Object.entries(borders)) {
    const folded = isFolded(panel);
    const [grip, button, pinning] = border.children;
    if (pinning) {
      Object.assign(pinning, { hidden: folded || !isDrawer(panel), textContent: isPinned() ? "Unpin" : "Pin", title: isPinned() ? "Close the panel with a click beside it" : "Keep the panel open" });
      pinning.setAttribute("aria-pressed", String(isPinned()));
    }
    button.textContent = SIGNS[panel][folded ? 1 : 0];
    button.title = `${folded ? "Show" : "Hide"} ${NAMES[panel]}`;
    button.setAttribute("aria-label", button.title);
    button.setAttribute("aria-expanded", String(!folded));
    grip.setAttribute("aria-valuemin", "0");
    grip.setAttribute("aria-valuemax", String(Math.round(mostOf(panel))));
    grip.setAttribute("aria-valuenow", String(Math.round(sizeOf(panel))));
  }
}

/** Close the drawers by a click beside them, on the page itself. */
function closedByClick(event) {
  const within = event.target.closest?.(".st-key-left, .st-key-right, .st-key-frame, [data-testid=stPopoverBody], [role=listbox], [role=dialog]");
  if (!within && event.target.closest?.(".st-key-screen")) closeDrawers();
}

/** Which step a key asks for; none while something is typed, or while a dialog is open. */
function stepOf(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  if (event.composedPath()[0].closest?.(TYPED) || document.querySelector("[role=dialog]")) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" ? "redo" : null;
}

/** Enter looks up what was pasted into the field of *Find ID*, as in Ctrl+K; Shift+Enter begins a line. */
function lookUpByEnter(event) {
  const { key, shiftKey, ctrlKey, metaKey, isComposing, target } = event;
  if (key !== "Enter" || shiftKey || ctrlKey || metaKey || isComposing || !target.closest?.(".st-key-find-body textarea")) return;
  event.preventDefault();
  target.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true }));
}

/** A button of the page's own HTML that holds a text to copy. */
function copied(event) {
  const button = event.target.closest?.("[data-copy]");
  if (button) copyFor(button, button.dataset.copy, "copied", "not copied");
}

/** A file that is dropped anywhere but on a box for files is given to the box that opens files. */
function openDropped(root, signal) {
  const sign = element("div", { className: "drop", hidden: true }, "Drop the file to open it");
  root.append(sign);
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const isBox = (event) => event.target.closest?.("[data-testid=stFileUploaderDropzone]");
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    sign.hidden = Boolean(isBox(event));
  }, { signal });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) sign.hidden = true;
  }, { signal });
  document.addEventListener("drop", (event) => {
    sign.hidden = true;
    if (!hasFiles(event) || isBox(event)) return;
    event.preventDefault();
    const input = document.querySelector(".st-key-upload-box input[type=file]");
    if (!input) return;
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, { signal });
}

const focused = new WeakSet();

/** Give the list of types the focus once the dialog that adds a transformation is open. */
function focusTypes() {
  const field = document.querySelector("[role=dialog] .st-key-add-type input");
  const dialog = field?.closest("[role=dialog]");
  if (!dialog || focused.has(dialog)) return;
  focused.add(dialog);
  // After what a dialog does when it opens.
  requestAnimationFrame(() => field.focus());
}

/** Scroll to a complaint that has come: it may stand beyond the edge of its panel. */
function showComplaints(changes) {
  const added = changes.flatMap((change) => [...change.addedNodes]);
  const found = added.map((node) => (node.matches?.(".x-complaint") ? node : node.querySelector?.(".x-complaint")));
  found.find(Boolean)?.scrollIntoView({ block: "nearest" });
}

/** Run the page when it is connected again: a service that was restarted knows nothing of it until then. */
function runWhenReconnected(frame) {
  const app = document.querySelector("[data-testid=stApp]");
  const isConnected = () => app.dataset.testConnectionState === "CONNECTED";
  let was = isConnected();
  const watching = new MutationObserver(() => {
    const now = isConnected();
    if (now && !was) setTimeout(() => frame.send("reconnected", true));
    was = now;
  });
  watching.observe(app, { attributeFilter: ["data-test-connection-state"] });
  return watching;
}

/** What plays by itself, or with its own buttons and keys: what it selects opens no drawer over it. */
const PLAYERS = ".st-key-lesson, .st-key-stepper";

function create(parent) {
  const borders = Object.fromEntries(Object.keys(PANELS).map((panel) => [panel, borderOf(panel)]));
  const root = element("div", {}, ...Object.values(borders));
  parent.append(root);
  const frame = { pressed: null };
  const listening = new AbortController();
  const { signal } = listening;
  const keys = (event) => {
    if (event.key === "Escape" && !document.querySelector("[role=dialog]")) closeDrawers();
    lookUpByEnter(event);
    const step = stepOf(event);
    if (step === null) return;
    event.preventDefault();
    frame.send(step, true);
  };
  document.addEventListener("keydown", keys, { signal });
  for (const press of ["pointerdown", "keydown"]) {
    document.addEventListener(press, ({ target }) => (frame.pressed = target), { signal, capture: true });
  }
  document.addEventListener("click", copied, { signal });
  document.addEventListener("pointerdown", closedByClick, { signal });
  addEventListener("resize", apply, { signal });
  openDropped(root, signal);
  const watching = new MutationObserver((changes) => {
    showComplaints(changes);
    focusTypes();
  });
  watching.observe(document.body, { childList: true, subtree: true });
  const connection = runWhenReconnected(frame);
  const still = onLayout(() => describeBorders(borders));
  frame.end = () => {
    listening.abort();
    watching.disconnect();
    connection.disconnect();
    still();
    root.remove();
  };
  apply();
  return frame;
}

/** Follow the place and the selection; hold the state over a reload, or return the one that is held; "" where the browser stores nothing. */
function update(frame, { held, asks, place, serial, layout, selected }) {
  if (frame.place !== place || frame.serial !== serial) closeDrawers();
  else if (selected && selected !== frame.selected && frame.pressed && !frame.pressed.closest?.(PLAYERS)) openForSelection();
  if (frame.layout !== layout) apply();
  Object.assign(frame, { place, serial, layout, selected });
  try {
    if (asks) frame.send("held", sessionStorage.getItem(HELD) ?? "");
    else if (held === null) sessionStorage.removeItem(HELD);
    else sessionStorage.setItem(HELD, held);
  } catch {
    if (asks) frame.send("held", "");
  }
}

export default function mount(call) {
  return mounted(frames, call, { create, update, end: (frame) => frame.end() });
}
