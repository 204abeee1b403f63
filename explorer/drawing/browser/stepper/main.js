// The view of a timeline of steps: the words here, the colours in both graphs. Every text goes through textContent.

import { drawn, element } from "../streamgraph-explorer.shared/dom.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";
import { listenToKeys, nearestStep, takeData } from "../streamgraph-explorer.shared/player.js";
import { publishStep, withdrawStep } from "../streamgraph-explorer.shared/step.js";
import { createPicture } from "./picture.js";
import { createReplay } from "./replay.js";

const BUTTONS = [
  ["first", "M2 2v10 M12 2L5 7l7 5z", "First step (Home)"],
  ["back", "M10 2L3 7l7 5z", "One step back (←)"],
  ["play", "M4 2l8 5-8 5z", "Play (space)"],
  ["forward", "M4 2l7 5-7 5z", "One step forward (→)"],
  ["last", "M12 2v10 M2 2l7 5-7 5z", "Last step (End)"],
];
const PAUSE = "M4.5 2v10 M9.5 2v10";
const SPEEDS = [[0.5, "½×"], [1, "1×"], [2, "2×"], [5, "5×"], [20, "20×"]];
/** Milliseconds that a step is shown at speed 1. */
const PACE = 1400;
/** Number of names of a list that are shown. */
const MOST = 24;

const players = new WeakMap();
/** Milliseconds after which a step stands in the address: browsers refuse to change it often. */
const REST = 300;
/** Where the player was, so that it goes on there when its tab is opened again. */
const places = { document: null, at: 0, speed: 1, pending: null };

/** A small picture of lines and triangles. */
function icon(path) {
  return drawn("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, drawn("path", { d: path }));
}

function skeleton() {
  const buttons = BUTTONS.map(([does, path, title]) =>
    element("button", { type: "button", title, "aria-label": title, "data-do": does }, icon(path)),
  );
  const slider = element("input", { type: "range", min: 1, step: 1, "aria-label": "Step" });
  const speeds = SPEEDS.map(([value, text]) => element("option", { value, textContent: text }));
  const speed = element("select", { title: "Speed", "aria-label": "Speed" }, ...speeds);
  const bar = element("div", { className: "bar" }, ...buttons, slider, element("output", { className: "count" }), speed);
  const list = element("div", { className: "list" });
  const words = element("div", { className: "words", role: "status" });
  const picture = element("div", { className: "picture", hidden: true });
  return element("div", { className: "player", tabIndex: 0 }, bar, element("div", { className: "body" }, list, words, picture));
}

function create(parent) {
  const root = skeleton();
  parent.append(root);
  const find = (query) => root.querySelector(query);
  const player = {
    root, slider: find("input"), count: find(".count"), list: find(".list"), words: find(".words"), frame: find(".picture"),
    speed: find("select"), play: find("[data-do=play]"), data: null, replay: null, rows: [], timer: null,
  };
  const does = {
    first: () => go(player, 0),
    back: () => go(player, places.at - 1),
    play: () => (player.timer === null ? start(player) : stop(player)),
    forward: () => go(player, places.at + 1),
    last: () => go(player, player.data.steps.length - 1),
  };
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.edge) {
      stop(player);
      player.send("picked", { key: `e${button.dataset.edge}` });
      return;
    }
    if (button.dataset.do !== "play") stop(player);
    if (button.dataset.do) does[button.dataset.do]();
    else go(player, Number(button.dataset.at));
    // After a click with the mouse the keys are the player's again.
    if (event.detail > 0) root.focus({ preventScroll: true });
  });
  player.slider.addEventListener("input", () => {
    stop(player);
    go(player, Number(player.slider.value) - 1);
  });
  player.speed.addEventListener("change", () => {
    places.speed = Number(player.speed.value);
    if (player.timer !== null) start(player);
  });
  const keyed = (name) => () => {
    if (name !== "play") stop(player);
    does[name]();
  };
  const keys = { ArrowLeft: keyed("back"), ArrowRight: keyed("forward"), Home: keyed("first"), End: keyed("last"), " ": keyed("play") };
  const uses = (target, key) => target === player.speed || (key === " " && target.closest?.("button"));
  player.ignoreKeys = listenToKeys(player, keys, { uses, buttons: true });
  return player;
}

function start(player) {
  clearTimeout(player.timer);
  if (places.at >= player.data.steps.length - 1) go(player, 0);
  const next = () => {
    go(player, places.at + 1);
    if (places.at >= player.data.steps.length - 1) stop(player);
    else player.timer = setTimeout(next, PACE / places.speed);
  };
  player.timer = setTimeout(next, PACE / places.speed);
  playing(player, true);
}

function stop(player) {
  clearTimeout(player.timer);
  player.timer = null;
  playing(player, false);
}

function playing(player, on) {
  player.play.replaceChildren(icon(on ? PAUSE : BUTTONS[2][1]));
  const title = on ? "Pause (space)" : "Play (space)";
  player.play.title = title;
  player.play.setAttribute("aria-label", title);
  player.play.setAttribute("aria-pressed", String(on));
  // A step that follows by itself is not read out over the one before.
  player.words.setAttribute("aria-live", on ? "off" : "polite");
}

/** Show the step at `wanted`, or the nearest there is. */
function go(player, wanted) {
  const { steps } = player.data;
  const at = nearestStep(player, wanted);
  places.at = at;
  updateAddress(player);
  const now = player.replay.at(at);
  // Steps that happen outside both graphs leave these as they are.
  publishStep(player, player.data.apart ? null : now.marks);
  player.slider.value = at + 1;
  player.count.textContent = `${(at + 1).toLocaleString("en")} of ${steps.length.toLocaleString("en")}`;
  for (const [name, limit] of [["first", 0], ["back", 0], ["forward", steps.length - 1], ["last", steps.length - 1]]) {
    player.root.querySelector(`[data-do=${name}]`).disabled = at === limit;
  }
  player.rows[player.current]?.removeAttribute("aria-current");
  player.current = at;
  player.rows[at].setAttribute("aria-current", "step");
  bringIntoView(player.list, player.rows[at]);
  showText(player, steps[at], now);
  if (player.picture) showIn(player.frame, player.picture.light(steps[at].highlighted ?? []));
}

/** Where a link has the step that its player shows: in the page's address, once the player rests. */
function updateAddress({ data: { parameter } }) {
  if (!parameter) return;
  clearTimeout(places.pending);
  places.pending = setTimeout(() => putInAddress(parameter, places.at), REST);
}

function putInAddress(parameter, at) {
  const address = new URL(location.href);
  if (at) address.searchParams.set(parameter, at + 1);
  else address.searchParams.delete(parameter);
  if (address.href !== location.href) history.replaceState(history.state, "", address);
}

/** The step with which a page begins that was opened by a link to one. */
function linked({ parameter }) {
  const linked = parameter && places.document === null ? new URL(location.href).searchParams.get(parameter) : null;
  return Math.max(0, (Number.parseInt(linked, 10) || 1) - 1);
}

/** Bring what is highlighted into view, and scroll nothing else of the page. */
function showIn(frame, parts) {
  const outer = frame.getBoundingClientRect();
  for (const part of [...parts].reverse()) {
    const inner = part.getBoundingClientRect();
    if (inner.top < outer.top) frame.scrollTop -= outer.top - inner.top + 8;
    else if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom + 8;
    if (inner.left < outer.left) frame.scrollLeft -= outer.left - inner.left + 8;
    else if (inner.right > outer.right) frame.scrollLeft += inner.right - outer.right + 8;
  }
}

function bringIntoView(list, row) {
  const [top, foot] = [row.offsetTop - 26, row.offsetTop + row.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (foot > list.scrollTop + list.clientHeight) list.scrollTop = foot - list.clientHeight;
}

function chips(kind, head, texts) {
  const shown = texts.slice(0, MOST).map((text) => element("span", { className: `chip ${kind}`, textContent: text, title: text }));
  const rest = texts.length - MOST;
  if (rest > 0) shown.push(element("span", { className: "more", textContent: `and ${rest.toLocaleString("en")} more` }));
  if (!shown.length) shown.push(element("span", { className: "more", textContent: "none" }));
  return [element("dt", { textContent: head }), element("dd", {}, ...shown)];
}

/** The edges that do not chain: the failed conditions, and the path to each edge. */
function failures(cut, edges) {
  const rows = cut.slice(0, MOST).map(([edge, conditions]) => {
    const looks = { type: "button", className: "cut", title: "Select this edge", "data-edge": edge };
    return element("button", looks, element("b", { textContent: edges[edge] }), ` ${conditions}`);
  });
  return [element("dt", { textContent: "does not chain" }), element("dd", {}, ...rows)];
}

/** Text after the sentence: a step's own facts, or its effect on the graphs. */
function detailsOf(player, step, now) {
  if (step.facts) return step.facts.flatMap(([head, texts]) => chips("fact", head, texts));
  const { nodes, edges } = player.data;
  const names = (ids) => ids.map((id) => nodes[id] ?? "");
  const chaining = step.part === "chaining";
  const rows = [...chips("now", "now", names([step.node]))];
  rows.push(...chips("waiting", chaining ? "calls waiting" : "queue", names(now.waiting)));
  if (chaining) {
    rows.push(...chips("chain", "chain so far", names(now.chain)));
    rows.push(...chips("edge", "edges", now.edges.map((edge) => edges[edge])));
    if (step.cut) rows.push(...failures(step.cut, edges));
  }
  return rows;
}

function showText(player, step, now) {
  player.words.replaceChildren(
    element("h3", { textContent: `${step.part} ${step.number.toLocaleString("en")}` }),
    element("strong", { textContent: step.title }),
    element("p", { textContent: step.sentence }),
    element("dl", {}, ...detailsOf(player, step, now)),
    ...(player.data.note ? [element("p", { className: "note", textContent: player.data.note })] : []),
  );
  player.words.scrollTop = 0;
}

function listed(player) {
  const made = [];
  player.rows = player.data.steps.map((step, at) => {
    if (at === 0 || player.data.steps[at - 1].part !== step.part) {
      made.push(element("h3", { textContent: step.part }));
    }
    const words = [element("i", { textContent: step.number }), element("span", { textContent: step.title, title: step.title })];
    const row = element("button", { type: "button", tabIndex: -1, "data-at": at }, ...words);
    made.push(row);
    return row;
  });
  player.list.setAttribute("aria-label", player.data.label);
  player.list.replaceChildren(...made);
}

/** What the steps happen in, where they bring a picture of it. */
function illustrate(player, { picture, label }) {
  player.picture = picture ? createPicture(picture, label) : null;
  player.frame.hidden = !picture;
  player.root.classList.toggle("pictured", Boolean(picture));
  player.frame.replaceChildren(...(player.picture ? [player.picture.root] : []));
}

function update(player, data) {
  if (!takeData(player, data)) return;
  stop(player);
  player.replay = createReplay(data.steps, data.whole);
  player.slider.max = data.steps.length;
  player.speed.value = String(places.speed);
  listed(player);
  illustrate(player, data);
  if (places.document !== data.document) [places.at, places.document] = [linked(data), data.document];
  go(player, places.at);
}

function end(player) {
  stop(player);
  clearTimeout(places.pending);
  if (player.data.parameter) putInAddress(player.data.parameter, 0);
  withdrawStep(player);
  player.ignoreKeys();
  player.root.remove();
}

export default function mount(call) {
  return mounted(players, call, { create, update, end });
}
