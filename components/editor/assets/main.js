// A text with numbered lines; what is wrong is marked at its line and said below. Nothing is ever put in as HTML.

import { element } from "../streamgraph-explorer.graph/dom.js";
import { mounted } from "../streamgraph-explorer.graph/mounted.js";

/** Milliseconds after the last key that a text is sent. */
const PAUSE = 450;
const editors = new WeakMap();

function createEditor(parent) {
  const lines = element("ol", { "aria-hidden": "true" });
  const area = element("textarea", { spellcheck: false, wrap: "off", autocomplete: "off", autocapitalize: "off" });
  const said = element("div", { className: "said", role: "status" });
  const root = element("div", { className: "editor" }, element("div", { className: "sheet" }, lines, area), said);
  parent.append(root);
  const editor = { root, lines, area, said, marks: [], serial: 0, timer: 0, dirty: false };
  area.addEventListener("input", () => {
    editor.dirty = true;
    number(editor);
    clearTimeout(editor.timer);
    editor.timer = setTimeout(() => tell(editor), PAUSE);
  });
  area.addEventListener("scroll", () => (lines.style.transform = `translateY(${-area.scrollTop}px)`));
  area.addEventListener("blur", () => editor.dirty && tell(editor));
  area.addEventListener("keydown", (event) => {
    // What is typed here is no shortcut of the page, but for Ctrl+K.
    if (!((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k")) event.stopPropagation();
    if (event.key === "Enter" && !event.ctrlKey && !event.altKey) indent(event, area);
  });
  return editor;
}

/** A new line begins as far in as the one before, and further in behind a colon. */
function indent(event, area) {
  const before = area.value.slice(0, area.selectionStart);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const deep = line.match(/^\s*/)[0] + (/:\s*$/.test(line) ? "  " : "");
  if (!deep) return;
  event.preventDefault();
  document.execCommand("insertText", false, `\n${deep}`);
}

function tell(editor) {
  clearTimeout(editor.timer);
  editor.dirty = false;
  editor.serial += 1;
  editor.send("typed", { text: editor.area.value, serial: editor.serial });
}

/** Number the lines, and mark those at which something is wrong. */
function number({ lines, area, marks }) {
  const count = area.value.split("\n").length;
  while (lines.children.length > count) lines.lastChild.remove();
  while (lines.children.length < count) lines.append(element("li", { textContent: lines.children.length + 1 }));
  for (const [turn, line] of [...lines.children].entries()) {
    const mark = marks.find((each) => each.line === turn + 1);
    line.classList.toggle("wrong", Boolean(mark));
    line.title = mark ? mark.text : "";
  }
}

function say(editor) {
  const { said, marks, area } = editor;
  area.setAttribute("aria-invalid", String(marks.length > 0));
  const rows = marks.slice(0, 20).map(({ line, path, text }) => {
    const go = element("button", { type: "button", textContent: `line ${line}` });
    go.addEventListener("click", () => select(area, line));
    const where = path && !path.startsWith("line ") ? `${path}: ` : "";
    return element("p", {}, go, element("span", { textContent: `${where}${text}` }));
  });
  said.replaceChildren(...rows);
}

function select(area, line) {
  const rows = area.value.split("\n");
  const start = rows.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + rows[line - 1].length);
  const high = area.scrollHeight / rows.length;
  area.scrollTop = Math.max(0, (line - 4) * high);
}

/** Take over a text that was made elsewhere; what is being typed is newer than what is sent. */
function update(editor, data) {
  const { area } = editor;
  area.setAttribute("aria-label", data.label);
  const newer = editor.dirty || data.serial < editor.serial;
  if (data.serial > editor.serial) editor.serial = data.serial;
  if (!newer && area.value !== data.text) {
    const [start, top] = [area.selectionStart, area.scrollTop];
    area.value = data.text;
    area.setSelectionRange(start, start);
    area.scrollTop = top;
  }
  if (!newer) {
    editor.marks = data.marks;
    say(editor);
  }
  number(editor);
}

function end({ timer, root }) {
  clearTimeout(timer);
  root.remove();
}

export default function mount(call) {
  return mounted(editors, call, { create: createEditor, update, end });
}
