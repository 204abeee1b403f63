// A presenter's mode: larger words, side panels away, arrow keys play the steps or the lesson below.

import { fold, isFolded } from "../streamgraph-explorer.frame/layout.js";
import { element } from "../streamgraph-explorer.shared/dom.js";

const AWAY = ["left", "right"];
/** Tabs with a player that the arrow keys move. */
const PLAYED = ["Steps", "Lesson"];
/** In `sessionStorage`: which panels were open before, so that a reload goes on presenting. */
const STORE = "streamgraph-explorer.presenting";
let before = null;

function stored() {
  try {
    const panels = JSON.parse(sessionStorage.getItem(STORE));
    return Array.isArray(panels) ? panels.filter((panel) => AWAY.includes(panel)) : null;
  } catch {
    return null; // Nothing is stored, or the browser has no storage.
  }
}

function store(panels) {
  try {
    if (panels) sessionStorage.setItem(STORE, JSON.stringify(panels));
    else sessionStorage.removeItem(STORE);
  } catch {
    // A browser without storage presents until the page is loaded again.
  }
}

export function isPresenting() {
  return before !== null;
}

/** Open the place with the lessons and steps where no tab is open that the arrow keys play. */
function openPlayer() {
  const open = document.querySelector(".st-key-below [role=tab][aria-selected=true]");
  if (open && PLAYED.includes(open.textContent.trim())) return;
  [...document.querySelectorAll(".st-key-place button")].find((button) => button.textContent.trim() === "Learn")?.click();
}

export function createPresenting() {
  const leave = element("button", { type: "button", className: "x-leave", textContent: "End presenting (Esc)", onclick: () => stop() });
  const keys = (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) stop();
  };
  const start = () => {
    if (isPresenting()) return;
    // The menu that holds the button closes.
    document.querySelector(".st-key-share button[aria-expanded=true]")?.click();
    present(AWAY.filter((panel) => !isFolded(panel)));
    document.activeElement?.blur();
    openPlayer();
    dispatchEvent(new Event("resize"));
  };
  const present = (panels) => {
    before = panels;
    store(before);
    for (const panel of before) fold(panel, true);
    document.documentElement.classList.add("x-present");
    document.body.append(leave);
    document.addEventListener("keydown", keys);
  };
  const stop = () => {
    if (!isPresenting()) return;
    for (const panel of before) fold(panel, false);
    before = null;
    store(null);
    document.documentElement.classList.remove("x-present");
    leave.remove();
    document.removeEventListener("keydown", keys);
    dispatchEvent(new Event("resize"));
  };
  const panels = stored();
  if (panels) present(panels);
  return { start, stop };
}
