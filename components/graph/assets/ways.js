// The row below both graphs: what lies around the selection, alone, folded, zoomed to. Python goes the way.

import { element } from "./dom.js";

/** Make the row; `send(name)` goes a way, `zoom()` shows the selection as large as it fits. */
export function createWays(send, zoom) {
  const row = element("div", { className: "ways", role: "toolbar", "aria-label": "Ways from the selection" });
  let known = "";

  const button = (name, label, title, onclick) =>
    element("button", { type: "button", textContent: label, title, onclick, "aria-label": title.includes(label) ? title : `${label}: ${title}`, "data-way": name });

  const build = (ways) => {
    const parts = [];
    for (const { name, group, label, title } of ways) {
      if (group) parts.push(element("span", { textContent: group }));
      parts.push(button(name, label, title, () => send(name)));
    }
    row.replaceChildren(...parts, button("zoom", "Zoom", "Zoom to the selection", zoom));
  };

  /** Take over the buttons, and which of them can be pressed while `picked` is selected. */
  const update = (ways, picked) => {
    const names = ways.map(({ name }) => name).join();
    if (names !== known) build(ways);
    known = names;
    for (const made of row.querySelectorAll("button")) {
      const way = ways.find(({ name }) => name === made.dataset.way);
      made.disabled = way && !way.selects ? !way.offered : picked === null;
      made.classList.toggle("now", Boolean(way && !way.selects && way.offered));
    }
  };
  return { row, update };
}
