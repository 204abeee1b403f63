// Ctrl+K: a dialog with one field and a list. Every text goes through textContent.

import { sendCommand } from "../streamgraph-explorer.graph/command.js";
import { element } from "../streamgraph-explorer.shared/dom.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";
import { matches, metWord } from "./match.js";

/** Rows that are shown at once; the rest is counted. */
const MOST = 60;
/** Characters of a message that are looked up. */
const LONGEST = 8000;
/** Characters of a text that is a message rather than a name. */
const LONG_NAME = 60;
const PROMPT = "Find an operator, or paste an ID or an error message";
const palettes = new WeakMap();

function createPalette(parent) {
  const words = [element("span", { textContent: PROMPT }), element("span", { className: "keys", "data-keys": "Ctrl K" })];
  const button = element("button", { type: "button", className: "open" }, ...words);
  const field = element("input", {
    type: "text", autocomplete: "off", spellcheck: false, placeholder: PROMPT,
    role: "combobox", "aria-expanded": "true", "aria-controls": "found",
  });
  const list = element("ul", { id: "found", role: "listbox" });
  const note = element("p", { role: "status" });
  const dialog = element("dialog", {}, field, list, note);
  parent.append(button, dialog);
  const palette = { button, field, list, note, dialog, all: [], shown: [], at: 0 };
  listen(palette);
  return palette;
}

function listen(palette) {
  const { button, field, list, dialog } = palette;
  palette.onKey = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    event.stopPropagation();
    if (dialog.open) dialog.close();
    else open(palette);
  };
  document.addEventListener("keydown", palette.onKey, true);
  button.addEventListener("click", () => open(palette));
  field.addEventListener("input", () => search(palette));
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) move(palette, palette.at + step);
    else if (event.key === "Enter") choose(palette, palette.at);
    else return;
    event.preventDefault();
  });
  // Streamlit's own shortcuts, such as R and C, are not for what is typed here.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("click", (event) => {
    const row = event.target.closest("li");
    if (row) choose(palette, [...list.children].indexOf(row));
    else if (event.target === dialog) dialog.close();
  });
}

function open(palette) {
  palette.field.value = "";
  palette.dialog.showModal();
  search(palette);
  palette.field.focus();
}

/** Whether a text may be an ID of another version or release, or a whole error message. */
function isLookUp(text, found) {
  return text.length > LONG_NAME || (!found.length && /[0-9a-f]{6}/i.test(text));
}

function search(palette) {
  const { field, list, note, all } = palette;
  const text = field.value.trim();
  const found = matches(all, text);
  if (isLookUp(text, found)) {
    const lookUp = ["look up", `Look up “${text.slice(0, 60)}” as an ID or an error message`, "all releases", "", `find:${text.slice(0, LONGEST)}`];
    // A whole message is looked up by one Enter, whatever else has its words.
    if (text.length > LONG_NAME) found.unshift(lookUp);
    else found.push(lookUp);
  }
  palette.shown = found.slice(0, MOST);
  list.replaceChildren(...palette.shown.map((entry, turn) => row(entry, text, turn)));
  if (!found.length) note.textContent = `Nothing here is called “${text.slice(0, 60)}” or has it in its ID.`;
  else note.textContent = found.length > MOST ? `${found.length - MOST} more entries: type to find them` : "";
  move(palette, 0);
}

function row(entry, text, turn) {
  const [kind, title, detail] = entry;
  const met = metWord(entry, text);
  const aside = met ? element("code", { textContent: met }) : element("span", { textContent: detail, title: detail });
  const named = [element("i", { textContent: kind }), element("b", { textContent: title, title })];
  return element("li", { id: `found-${turn}`, role: "option" }, ...named, aside);
}

function move(palette, to) {
  const { list, field } = palette;
  const last = list.children.length - 1;
  palette.at = Math.max(0, Math.min(last, to));
  for (const [turn, each] of [...list.children].entries()) each.setAttribute("aria-selected", String(turn === palette.at));
  const row = list.children[palette.at];
  field.setAttribute("aria-activedescendant", row ? row.id : "");
  row?.scrollIntoView({ block: "nearest" });
}

function choose(palette, turn) {
  const entry = palette.shown[turn];
  if (!entry) return;
  palette.dialog.close();
  const does = entry[4];
  if (does.startsWith("here:")) sendCommand(does.slice(5));
  else palette.send("chosen", { does });
}

function update(palette, data) {
  palette.all = [...data.commands, ...data.entries];
  palette.button.setAttribute("aria-label", data.label);
  palette.button.title = `${data.label} (Ctrl+K)`;
  palette.field.setAttribute("aria-label", data.label);
  if (palette.dialog.open) search(palette);
}

function end(palette) {
  document.removeEventListener("keydown", palette.onKey, true);
  palette.button.remove();
  palette.dialog.remove();
}

export default function mount(call) {
  return mounted(palettes, call, { create: createPalette, update, end });
}
