// The findings of Check. The server writes each as HTML, in which every text of a document is escaped.

import { element } from "../streamgraph-explorer.shared/dom.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";

const lists = new WeakMap();

function create(parent) {
  const part = { list: element("section", { className: "x-findings" }), rows: [] };
  part.list.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-press]");
    if (button) part.send("pressed", button.dataset.press);
  });
  parent.append(part.list);
  return part;
}

/** Write the rows that changed; the others stay as they are, with their reasons open. */
function update(part, { label, rows }) {
  const { list } = part;
  list.setAttribute("aria-label", label);
  while (list.children.length > rows.length) list.lastChild.remove();
  rows.forEach((html, turn) => {
    if (html === part.rows[turn]) return;
    const row = element("article", { innerHTML: html });
    if (list.children[turn]) list.children[turn].replaceWith(row);
    else list.append(row);
  });
  part.rows = rows;
}

export default (component) => mounted(lists, component, { create, update, end: ({ list }) => list.remove() });
