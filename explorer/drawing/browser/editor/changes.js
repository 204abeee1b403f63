// Two versions of a document side by side, with marks on what differs; neither can be edited.

import { element } from "../streamgraph-explorer.shared/dom.js";
import * as cm from "./codemirror.js";
import { highlighting, theme } from "./theme.js";

/** Lines around a change that stay visible, and the fewest unchanged lines that are folded away. */
const FOLDED = { margin: 3, minSize: 6 };

function sideOf(text, label) {
  const language = /^\s*[{[]/.test(text) ? cm.json() : cm.yaml();
  const readable = cm.EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" });
  const fixed = [cm.EditorState.readOnly.of(true), cm.EditorView.editable.of(false), readable];
  return { doc: text, extensions: [cm.EditorView.lineWrapping, cm.lineNumbers(), ...fixed, language, theme, highlighting] };
}

function draw(part, { old, text, labels }) {
  part.merge?.destroy();
  part.merge = new cm.MergeView({
    a: sideOf(old, labels[0]), b: sideOf(text, labels[1]), parent: part.sheet, root: part.sheet.getRootNode(), collapseUnchanged: FOLDED,
  });
  part.texts = `${old}\0${text}`;
}

export function createChanges(parent, data) {
  const heads = data.labels.map((label) => element("b", { textContent: label }));
  const sheet = element("div", { className: "sheet merge" });
  const root = element("div", { className: "editor" }, element("div", { className: "heads" }, ...heads), sheet);
  parent.append(root);
  const part = { root, sheet, heads };
  draw(part, data);
  return part;
}

export function updateChanges(part, data) {
  data.labels.forEach((label, side) => (part.heads[side].textContent = label));
  if (part.texts !== `${data.old}\0${data.text}`) draw(part, data);
}

export function endChanges({ root, merge }) {
  merge.destroy();
  root.remove();
}
