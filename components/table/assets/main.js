// A table of plain values. Every text goes through textContent: names are text, never HTML.

const frames = new WeakMap();

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** A cell is a text, or an object: text and tone, old and new, or a bar's share. */
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
  if (value.old !== undefined) cell.append(element("span", "old", value.old), element("span", "new", value.new));
  if (value.share !== undefined) {
    const [bar, part] = [element("span", "bar"), element("i")];
    part.style.width = `${Math.round(value.share * 100)}%`;
    bar.append(part);
    cell.append(bar);
  }
  if (value.text !== undefined) {
    cell.append(element("span", value.tone ?? "", value.text));
    cell.title = value.text.length > 24 ? value.text : "";
  }
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
    made.append(cell);
  });
  return made;
}

function create(parent) {
  const frame = element("div", "frame");
  parent.append(frame);
  const state = { frame, body: null, texts: new Map(), selection: null, columns: "", send: () => {} };
  frame.addEventListener("click", (event) => pick(state, event.target.closest("tr[tabindex]")));
  frame.addEventListener("keydown", (event) => {
    const row = event.target.closest("tr[tabindex]");
    if (!row) return;
    const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
    if (event.key === "Enter" || event.key === " ") pick(state, row);
    else if (next) next.focus();
    else return;
    event.preventDefault();
  });
  return state;
}

function pick(state, row) {
  if (!row) return;
  mark(state, row.dataset.key, new Set());
  state.send("picked", { key: row.dataset.key });
}

function mark(state, selection, lit) {
  let first = null;
  for (const row of state.body.rows) {
    const picked = row.dataset.key === selection;
    row.classList.toggle("picked", picked);
    row.classList.toggle("lit", !picked && lit.has(row.dataset.key));
    if (row.getAttribute("aria-selected") !== String(picked)) row.setAttribute("aria-selected", String(picked));
    if (picked || (!first && lit.has(row.dataset.key))) first = picked ? row : first ?? row;
  }
  const entry = first ?? state.body.rows[0];
  for (const row of state.body.querySelectorAll('[tabindex="0"]')) if (row !== entry) row.tabIndex = -1;
  if (entry?.hasAttribute("tabindex")) entry.tabIndex = 0;
  return first;
}

function head(state, data) {
  const table = element("table", data.head ? "" : "list");
  table.setAttribute("aria-label", data.label);
  if (data.head) {
    const row = element("tr");
    row.append(...data.columns.map(({ label, kind }) => element("th", kind === "right" ? "right" : "", label)));
    const top = element("thead");
    top.append(row);
    table.append(top);
  }
  state.body = element("tbody");
  state.texts.clear();
  table.append(state.body);
  state.frame.replaceChildren(table);
}

/** Let the body hold these rows in this order; those that stay are not touched, so not laid out anew. */
function arrange(body, rows) {
  const wanted = new Set(rows);
  for (const row of [...body.rows]) if (!wanted.has(row)) row.remove();
  let next = body.firstElementChild;
  for (const row of rows) {
    if (row === next) next = next.nextElementSibling;
    else body.insertBefore(row, next);
  }
}

function update(state, data) {
  const columns = JSON.stringify([data.columns, data.head]);
  if (columns !== state.columns) head(state, data);
  state.columns = columns;
  const [before, after] = [state.texts, new Map()];
  const rows = data.rows.map((row) => {
    const text = JSON.stringify(row);
    const known = row.key === null ? null : before.get(row.key);
    const made = known && known.text === text ? known.made : rowElement(row, data.columns);
    if (row.key !== null) after.set(row.key, { text, made });
    return made;
  });
  state.texts = after;
  arrange(state.body, rows);
  state.frame.querySelector(".none")?.remove();
  if (data.note) state.frame.append(element("div", "none", data.note));
  const moved = state.selection !== data.selection;
  const row = mark(state, data.selection, new Set(data.lit));
  state.selection = data.selection;
  if (moved && row) row.scrollIntoView({ block: "nearest" });
}

export default function mount({ data, parentElement, setTriggerValue }) {
  let state = frames.get(parentElement);
  if (!state) {
    state = create(parentElement);
    frames.set(parentElement, state);
  }
  state.send = setTriggerValue;
  update(state, data);
  return () => {
    state.frame.remove();
    frames.delete(parentElement);
  };
}
