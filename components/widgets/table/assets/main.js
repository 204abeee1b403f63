// A table of plain values. Every text goes through textContent: names are text, never HTML.

import { copyFor } from "../streamgraph-explorer.copy/clipboard.js";
import { announcePick, onShown } from "../streamgraph-explorer.graph/command.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";
import { matching, sorted } from "./order.js";
import { ALL, topsOf, wanted } from "./sight.js";

/** Number of rows from which a table has a filter. */
const FILTERED = 8;
const PLAIN = { column: -1, down: false };

const frames = new WeakMap();

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** A text that breaks at capitals and before brackets, where it is wider than its column. */
function breakable(text) {
  return String(text).split(/(?<=[a-z])(?=[A-Z[])/).flatMap((part, index) => (index ? [element("wbr"), part] : [part]));
}

/** A cell is a text, or an object: text with tone or note, old and new, or a bar's share. */
function fill(cell, value) {
  if (value === null || value === undefined) return;
  if (typeof value !== "object") {
    cell.textContent = value;
    cell.title = String(value).length > 24 ? value : "";
    return;
  }
  if (value.hue) {
    const dot = element("span", "dot");
    dot.style.background = `light-dark(${value.hue[0]}, ${value.hue[1]})`;
    cell.append(dot);
  }
  if (value.old !== undefined) cell.append(element("span", "old", value.old), element("span", `new ${value.tone ?? ""}`, value.new));
  if (value.share !== undefined) {
    const [bar, part] = [element("span", "bar"), element("i")];
    part.style.width = `${Math.round(value.share * 100)}%`;
    bar.append(part);
    cell.append(bar);
  }
  if (value.text !== undefined) {
    const words = element("span", value.tone ?? "");
    words.append(...breakable(value.text));
    cell.append(words);
    if (value.note) cell.append(element("span", "note", value.note));
    cell.title = value.tip ?? [value.text, value.note].filter(Boolean).join(" · ");
    if (!value.tip && !value.hue && cell.title.length <= 24) cell.title = "";
  }
}

/** A button behind an ID; the row's key C does the same. */
function copyButton(cell, value) {
  const text = value?.new ?? value?.text ?? value;
  if (!/^[0-9a-f]{32}$/.test(text)) return;
  const button = Object.assign(element("button", "copy", "copy"), { type: "button", tabIndex: -1, title: "Copy this ID (C)" });
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    copyFor(button, text, "copied", "failed");
  });
  cell.append(button);
}

function rowElement(row, columns) {
  const made = element("tr");
  if (row.key !== null) {
    made.dataset.key = row.key;
    made.tabIndex = -1;
  }
  row.cells.forEach((value, turn) => {
    const cell = element("td", columns[turn]?.kind ?? "");
    fill(cell, value);
    if (columns[turn]?.kind === "id") copyButton(cell, value);
    made.append(cell);
  });
  return made;
}

function create(parent) {
  const [frame, filter, outer] = [element("div", "frame"), element("input", "filter"), element("div", "outer")];
  Object.assign(filter, { type: "search", placeholder: "Filter rows", hidden: true });
  const [only, box, tools] = [element("label", "only"), Object.assign(element("input"), { type: "checkbox" }), element("div", "tools")];
  only.append(box, element("span"));
  tools.append(only, filter);
  outer.append(tools, frame);
  parent.append(outer);
  const state = {
    outer, frame, filter, only, box, listed: null, given: [], order: PLAIN, wanted: "", table: null, body: null, room: [element("tr", "room"), element("tr", "room")],
    heads: 0, rows: [], made: new Map(), tops: new Float64Array(1), text: "", columns: "", kinds: [],
    selection: null, highlighted: new Set(), held: false,
  };
  frame.addEventListener("click", (event) => {
    if (!event.target.closest("th")) pick(state, event.target.closest("tr[tabindex]"));
  });
  box.addEventListener("change", () => arrangeAnew(state));
  filter.addEventListener("input", () => {
    state.wanted = filter.value;
    arrangeAnew(state);
  });
  frame.addEventListener("keydown", (event) => {
    const row = event.target.closest("tr[tabindex]");
    if (!row) return;
    const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
    if (event.target.closest("button")) return;
    if (event.key === "Enter" || event.key === " ") pick(state, row);
    else if (event.key === "c" && !event.ctrlKey && !event.metaKey) row.querySelector(".copy")?.click();
    else if (next) next.focus();
    else return;
    event.preventDefault();
  });
  frame.addEventListener("scroll", () => {
    if (state.rows.length > ALL) requestAnimationFrame(() => frame.isConnected && draw(state));
  });
  state.sized = new ResizeObserver(() => {
    if (state.rows.length > ALL) draw(state);
  });
  state.sized.observe(frame);
  state.stop = onShown((key, highlighted) => showAhead(state, key, highlighted));
  return state;
}

/** Mark what the graphs show before the server answers, where it is among the rows; a list that follows them marks nothing else. */
function showAhead(state, key, highlighted) {
  if (state.follows) {
    const row = state.rows.find((each) => each.key === key || each.shows?.includes(key));
    markSelected(state, row?.key ?? key, new Set());
    return;
  }
  const shown = new Set([key, ...highlighted]);
  if (!state.rows.some((row) => row.key !== null && shown.has(row.key))) return;
  markSelected(state, key, highlighted);
}

function markSelected(state, selection, highlighted) {
  const moved = state.selection !== selection;
  Object.assign(state, { selection, highlighted });
  mark(state);
  if (moved) reveal(state);
}

function pick(state, row) {
  if (!row) return;
  [state.selection, state.highlighted] = [row.dataset.key, new Set()];
  mark(state);
  announcePick(row.dataset.key);
  state.send("picked", { key: row.dataset.key });
}

/**
 * Show what is picked and what is highlighted; of all rows, one can be reached with the tab key.
 *
 * An attribute is written where it changes alone: each write is a change for observers of the page, such as screen readers.
 */
function mark({ body, selection, highlighted }) {
  const rows = [...body.querySelectorAll("tr:not(.room)")];
  for (const row of rows) {
    const picked = row.dataset.key === selection;
    row.classList.toggle("picked", picked);
    row.classList.toggle("highlighted", !picked && highlighted.has(row.dataset.key));
    if (row.getAttribute("aria-selected") !== String(picked)) row.setAttribute("aria-selected", String(picked));
  }
  const entry = rows.find((row) => row.classList.contains("picked")) ?? rows.find((row) => row.classList.contains("highlighted"));
  const first = entry ?? rows[0];
  for (const row of rows) {
    const index = row === first ? 0 : -1;
    if (row.hasAttribute("tabindex") && row.tabIndex !== index) row.tabIndex = index;
  }
}

/** A column's head: a button that sorts by it, up, then down, then not at all. */
function headCell(state, { label, kind }, column) {
  const [cell, button] = [element("th", kind === "right" ? "right" : ""), element("button", "", label)];
  cell.scope = "col";
  button.addEventListener("click", () => {
    const { column: before, down } = state.order;
    state.order = before !== column ? { column, down: false } : down ? PLAIN : { column, down: true };
    arrangeAnew(state);
  });
  // A column without a name has nothing to press.
  if (label) cell.append(button);
  return cell;
}

/** Sort and filter what was given, say by what, and draw it. */
function arrangeAnew(state) {
  take(state, state.given);
  state.frame.scrollTop = 0;
  release(state);
  draw(state);
  none(state);
}

/** Below the rows: the server's note on further rows, or that the filter leaves none. */
function none(state) {
  state.frame.querySelector(".none")?.remove();
  const nothing = state.wanted ? `No row has “${state.wanted}”.` : "There is none.";
  const text = state.given.length && !state.rows.length ? nothing : state.note;
  if (text) state.frame.append(element("div", "none", text));
}

function showOrder({ table, order }) {
  table.querySelectorAll("th").forEach((cell, turn) => {
    if (turn === order.column) cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  });
}

function head(state, data) {
  const table = element("table", data.head ? "" : "list");
  table.setAttribute("aria-label", data.label);
  // The rows of a list are chosen: a screen reader announces the chosen row.
  if (!data.head) table.setAttribute("role", "grid");
  if (data.head) {
    const row = element("tr");
    row.append(...data.columns.map((column, turn) => headCell(state, column, turn)));
    const [widths, top] = [element("colgroup"), element("thead")];
    widths.append(...data.columns.map(() => element("col")));
    top.append(row);
    table.append(widths, top);
  }
  [state.table, state.heads] = [table, data.head ? 1 : 0];
  state.body = element("tbody");
  state.made.clear();
  for (const room of state.room) {
    room.replaceChildren(element("td"));
    room.firstChild.colSpan = data.columns.length;
    room.setAttribute("aria-hidden", "true");
  }
  table.append(state.body);
  state.frame.replaceChildren(table);
}

/** Let the body hold these rows in this order; those that stay are not touched, so not laid out anew. */
function arrange(body, rows) {
  const staying = new Set(rows);
  for (const row of [...body.rows]) if (!staying.has(row)) row.remove();
  let next = body.firstElementChild;
  for (const row of rows) {
    if (row === next) next = next.nextElementSibling;
    else body.insertBefore(row, next);
  }
}

/** Put the rows that are wanted into the page, and room above and below for the others. */
function draw(state) {
  const { frame, rows, tops } = state;
  const [first, end] = wanted(tops, frame.scrollTop, frame.clientHeight || innerHeight);
  const [before, after] = [state.made, new Map()];
  const made = rows.slice(first, end).map((row, turn) => {
    const at = row.key ?? `#${first + turn}`;
    const known = before.get(at);
    const shown = known?.row === row ? known : { row, element: rowElement(row, state.kinds) };
    after.set(at, shown);
    if (rows.length > ALL) shown.element.setAttribute("aria-rowindex", first + turn + 1 + state.heads);
    return shown.element;
  });
  state.made = after;
  const [above, below] = [tops[first], tops[rows.length] - tops[end]];
  state.room[0].firstChild.style.height = `${above}px`;
  state.room[1].firstChild.style.height = `${below}px`;
  arrange(state.body, [...(above ? [state.room[0]] : []), ...made, ...(below ? [state.room[1]] : [])]);
  mark(state);
  if (rows.length > ALL && !state.held) hold(state);
}

/** Keep the columns as wide as the first rows made them, so that they stay while others scroll in. */
function hold(state) {
  const heads = [...state.table.querySelectorAll("th")];
  const widths = heads.map((cell) => Math.ceil(cell.getBoundingClientRect().width));
  if (!widths.length || widths.some((width) => !width)) return;
  state.held = true;
  state.table.querySelectorAll("col").forEach((column, turn) => (column.style.width = `${widths[turn]}px`));
  state.table.style.minWidth = `${widths.reduce((sum, width) => sum + width, 0)}px`;
  state.table.classList.add("held");
}

function release(state) {
  state.held = false;
  state.table.classList.remove("held");
  state.table.style.minWidth = "";
  for (const column of state.table.querySelectorAll("col")) column.style.width = "";
}

/** Take over rows: a row with unchanged text stays the same object, and so its element. */
function take(state, rows) {
  const known = new Map(state.given.map((row) => [row.key, row]));
  state.given = rows.map((row) => {
    const old = row.key === null ? undefined : known.get(row.key);
    return old && JSON.stringify(old) === JSON.stringify(row) ? old : row;
  });
  const left = state.box.checked && state.listed ? state.given.filter(({ key }) => state.listed.has(key)) : state.given;
  state.rows = sorted(matching(left, state.wanted), state.order);
  showOrder(state);
  const line = [...state.body.rows].find((row) => !row.matches(".room") && !row.querySelector(".old"))?.offsetHeight;
  state.tops = topsOf(state.rows, line || 29);
  if (state.rows.length > ALL) state.table.setAttribute("aria-rowcount", state.rows.length + state.heads);
  else state.table.removeAttribute("aria-rowcount");
}

/** Scroll to what is picked, else to the first that is highlighted, where it is out of sight. */
function reveal(state) {
  const { rows, selection, highlighted, tops, frame } = state;
  const picked = rows.findIndex(({ key }) => key !== null && key === selection);
  const at = picked < 0 ? rows.findIndex(({ key }) => highlighted.has(key)) : picked;
  if (at < 0) return;
  if (!state.made.has(rows[at].key)) {
    frame.scrollTop = tops[at] - frame.clientHeight / 2;
    draw(state);
  }
  state.made.get(rows[at].key)?.element.scrollIntoView({ block: "nearest" });
}

function update(state, data) {
  const opens = state.table === null;
  const columns = JSON.stringify([data.columns, data.head, data.label]);
  if (columns !== state.columns) {
    Object.assign(state, { order: PLAIN, wanted: "" });
    [state.filter.value, state.box.checked] = ["", false];
    state.filter.setAttribute("aria-label", `Filter the rows: ${data.label}`);
    head(state, data);
  }
  state.filter.toggleAttribute("hidden", !data.head || data.rows.length < FILTERED);
  if (state.filter.hidden && state.wanted) [state.wanted, state.filter.value] = ["", ""];
  Object.assign(state, { note: data.note, follows: data.follows });
  state.only.toggleAttribute("hidden", !data.only);
  state.only.lastChild.textContent = data.only?.label ?? "";
  state.listed = data.only ? new Set(data.only.keys) : null;
  const text = JSON.stringify([data.rows, data.only]);
  const other = columns !== state.columns || text !== state.text;
  const moved = state.selection !== data.selection;
  Object.assign(state, { columns, text, kinds: data.columns, selection: data.selection, highlighted: new Set(data.highlighted) });
  if (other) {
    take(state, data.rows);
    release(state);
    draw(state);
  } else mark(state);
  none(state);
  // A part of a longer text would scroll its beginning away, as a verdict's.
  if (moved && (data.alone || !opens)) reveal(state);
}

function end({ sized, outer, stop }) {
  sized.disconnect();
  stop();
  outer.remove();
}

export default function mount(call) {
  return mounted(frames, call, { create, update, end });
}
