// A document's text in CodeMirror 6; faults are marked at their line and column and listed below. Nothing is put in as HTML.

import { element } from "../streamgraph-explorer.shared/dom.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";
import { createChanges, endChanges, updateChanges } from "./changes.js";
import * as cm from "./codemirror.js";
import { completeBy, meaningAt } from "./schema.js";
import { highlighting, theme } from "./theme.js";

/** Milliseconds after the last key that a text is sent. */
const PAUSE = 450;
/** Milliseconds that the cursor rests in an operator before the operator is selected. */
const REST = 200;
/** The most faults that are listed below the text. */
const LISTED = 20;
const editors = new WeakMap();

const isJson = (text) => /^\s*[{[]/.test(text);
const languageOf = (text) => (isJson(text) ? cm.json() : cm.yaml());

function createEditor(parent, data) {
  const sheet = element("div", { className: "sheet" });
  const faults = element("div", { className: "faults", role: "status" });
  const root = element("div", { className: "editor" }, sheet, faults);
  parent.append(root);
  const editor = { root, faults, marks: [], operators: [], selected: data.selected, serial: 0, timer: 0, rest: 0, dirty: false, isNew: true, schema: data.schema, parts: {} };
  for (const part of ["language", "history", "settings"]) editor.parts[part] = new cm.Compartment();
  editor.view = new cm.EditorView({
    parent: sheet,
    root: parent.getRootNode(),
    state: cm.EditorState.create({ doc: data.text, extensions: extensionsOf(editor, data) }),
  });
  root.addEventListener("keydown", (event) => {
    // What is typed here is no shortcut of the page, but for Ctrl+K.
    if (!((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k")) event.stopPropagation();
  });
  globalThis.__editor = editor.view;
  return editor;
}

function extensionsOf(editor, data) {
  const { parts } = editor;
  return [
    cm.EditorView.lineWrapping,
    cm.lineNumbers(),
    cm.foldGutter(),
    cm.lintGutter(),
    parts.history.of(cm.history()),
    cm.drawSelection(),
    cm.bracketMatching(),
    cm.closeBrackets(),
    cm.indentOnInput(),
    cm.highlightActiveLine(),
    cm.highlightSelectionMatches(),
    cm.search({ top: true }),
    cm.indentUnit.of("  "),
    cm.autocompletion({ override: [completeBy(() => editor.schema)] }),
    cm.hoverTooltip((view, position) => hoverText(editor, view, position)),
    parts.language.of(languageOf(data.text)),
    parts.settings.of(settingsOf(data)),
    cm.Prec.high(cm.keymap.of(undoKeys(editor))),
    cm.keymap.of([
      ...cm.closeBracketsKeymap,
      { key: "Tab", run: cm.acceptCompletion },
      ...cm.completionKeymap,
      ...cm.searchKeymap,
      ...cm.foldKeymap,
      ...cm.lintKeymap,
      ...cm.defaultKeymap,
    ]),
    cm.EditorView.updateListener.of((update) => typed(editor, update)),
    cm.EditorView.updateListener.of((update) => moved(editor, update)),
    cm.EditorView.domEventHandlers({ blur: () => editor.dirty && send(editor) }),
    theme,
    highlighting,
  ];
}

function settingsOf({ label, readonly }) {
  return [
    cm.EditorState.readOnly.of(readonly),
    cm.EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
  ];
}

/** Undo and redo of the text; where the text has none left, those of the page. */
function undoKeys(editor) {
  const step = (own, depth, page) => (view) => {
    if (depth(view.state) > 0) return own(view);
    editor.send(page, true);
    return true;
  };
  const redo = step(cm.redo, cm.redoDepth, "redo");
  return [
    { key: "Mod-z", run: step(cm.undo, cm.undoDepth, "undo"), preventDefault: true },
    { key: "Mod-Shift-z", run: redo, preventDefault: true },
    { key: "Mod-y", run: redo, preventDefault: true },
  ];
}

function typed(editor, update) {
  if (!update.docChanged || editor.isReplacing) return;
  editor.dirty = true;
  clearTimeout(editor.timer);
  editor.timer = setTimeout(() => send(editor), PAUSE);
}

/** Select the operator that the user moved the cursor into. */
function moved(editor, update) {
  if (!update.selectionSet || !update.transactions.some((transaction) => transaction.isUserEvent("select"))) return;
  clearTimeout(editor.rest);
  editor.rest = setTimeout(() => {
    const key = operatorAt(editor, editor.view.state.selection.main.head)?.key;
    if (!key || key === editor.selected) return;
    editor.selected = key;
    editor.send("picked", { key });
  }, REST);
}

/** The operator whose text a position is in: behind the list of operators there is none. */
function operatorAt({ operators, view }, position) {
  const { doc } = view.state;
  const line = doc.lineAt(position).number;
  const operator = operators.findLast((each) => each.line <= line);
  for (let below = (operator?.line ?? line) + 1; below <= line; below += 1) {
    if (/^[^\s#-]/.test(doc.line(below).text)) return undefined;
  }
  return operator;
}

/** Move the cursor to the operator that was selected elsewhere. */
function follow(editor, key) {
  const { view, operators } = editor;
  editor.selected = key;
  const operator = operators.find((each) => each.key === key);
  if (!operator || operatorAt(editor, view.state.selection.main.head) === operator) return;
  const { from } = view.state.doc.line(Math.min(operator.line, view.state.doc.lines));
  view.dispatch({ selection: { anchor: from }, effects: cm.EditorView.scrollIntoView(from, { y: "center" }) });
}

function send(editor) {
  clearTimeout(editor.timer);
  editor.dirty = false;
  editor.serial += 1;
  editor.send("typed", { text: editor.view.state.doc.toString(), serial: editor.serial });
}

function hoverText({ schema }, view, position) {
  const meaning = meaningAt(schema, view.state.doc.toString(), position);
  if (!meaning) return null;
  const word = view.state.wordAt(position);
  const head = element("b", { textContent: meaning.name });
  const type = element("span", { className: "type", textContent: meaning.type });
  const dom = element("div", { className: "meaning" }, head, type, element("p", { textContent: meaning.text }));
  return { pos: word?.from ?? position, end: word?.to ?? position, above: true, create: () => ({ dom }) };
}

/** The part of the text that a fault at a line and column, both from 1, is marked at. */
function spanOf(doc, { line, column }) {
  const row = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const rest = row.text.slice(column - 1);
  const length = rest.match(/^(?:"[^"]*"|'[^']*'|[^\s,\]}]+)/)?.[0].length ?? 0;
  const from = Math.min(row.from + column - 1, row.to);
  return length > 0 ? { from, to: from + length } : { from: row.from, to: row.to };
}

function showFaults(editor) {
  const { view, faults, marks } = editor;
  const found = marks.map((mark) => ({ ...spanOf(view.state.doc, mark), severity: "error", message: mark.text }));
  view.dispatch(cm.setDiagnostics(view.state, found));
  if (view.hasFocus) view.dispatch({ effects: cm.EditorView.scrollIntoView(view.state.selection.main.head) });
  view.contentDOM.setAttribute("aria-invalid", String(marks.length > 0));
  const rows = marks.slice(0, LISTED).map(({ line, column, path, text }, turn) => {
    const go = element("button", { type: "button", textContent: `line ${line}, column ${column}` });
    go.addEventListener("click", () => select(view, found[turn]));
    const where = path && !path.startsWith("line ") ? `${path}: ` : "";
    return element("p", {}, go, element("span", { textContent: `${where}${text}` }));
  });
  faults.replaceChildren(...rows);
}

function select(view, { from, to }) {
  view.dispatch({ selection: { anchor: from, head: to }, effects: cm.EditorView.scrollIntoView(from, { y: "center" }) });
  view.focus();
}

/** Put another text in: only what differs is replaced, so that the cursor and folds stay; its history begins anew. */
function replaceText(editor, text) {
  const { view, parts } = editor;
  const old = view.state.doc.toString();
  let from = 0;
  while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
  let [to, end] = [old.length, text.length];
  while (to > from && end > from && old[to - 1] === text[end - 1]) [to, end] = [to - 1, end - 1];
  editor.isReplacing = true;
  view.dispatch({ changes: { from, to, insert: text.slice(from, end) } });
  view.dispatch({ effects: parts.history.reconfigure([]) });
  view.dispatch({ effects: parts.history.reconfigure(cm.history()) });
  if (isJson(old) !== isJson(text)) view.dispatch({ effects: parts.language.reconfigure(languageOf(text)) });
  editor.isReplacing = false;
}

/** Take over a text that was made elsewhere; what is being typed is newer than what is sent. */
function update(editor, data) {
  const { view, parts } = editor;
  editor.schema = data.schema;
  const settings = `${data.label} ${data.readonly}`;
  if (editor.settings !== settings) view.dispatch({ effects: parts.settings.reconfigure(settingsOf(data)) });
  editor.settings = settings;
  const newer = editor.dirty || data.serial < editor.serial;
  if (data.serial > editor.serial) editor.serial = data.serial;
  // A session that knows no text yet is that of a service that was restarted: it gets this one.
  if (newer && !editor.dirty && data.serial === 0 && view.state.doc.toString() !== data.text) send(editor);
  if (newer) return;
  if (view.state.doc.toString() !== data.text) replaceText(editor, data.text);
  editor.marks = data.marks;
  editor.operators = data.operators ?? [];
  showFaults(editor);
  if (data.selected !== editor.selected || editor.isNew) follow(editor, data.selected);
  editor.isNew = false;
}

function end({ timer, rest, root, view }) {
  clearTimeout(timer);
  clearTimeout(rest);
  view.destroy();
  root.remove();
}

export default function mount(call) {
  return mounted(editors, call, {
    create: (parent, data) => ("old" in data ? createChanges(parent, data) : createEditor(parent, data)),
    update: (part, data) => ("old" in data ? updateChanges(part, data) : update(part, data)),
    end: (part) => (part.merge ? endChanges(part) : end(part)),
  });
}
