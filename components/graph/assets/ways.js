// The row below both graphs: what lies around the selection, alone, folded, zoomed to. Python goes the way.

import { element } from "./dom.js";

/** Make the row; `send(name)` goes a way, `zoom()` shows the selection as large as it fits. */
export function createWays(send, zoom) {
  const row = element("div", { className: "ways" });
  row.setAttribute("role", "toolbar");
  row.setAttribute("aria-label", "Ways from the selection");
  let known = "";

  const button = (label, title, act) => {
    const made = element("button", { type: "button", textContent: label, title });
    made.setAttribute("aria-label", title);
    made.addEventListener("click", act);
    return made;
  };

  const build = (ways) => {
    const parts = [];
    for (const { name, group, label, title } of ways) {
      if (group) parts.push(element("span", { textContent: group }));
      const made = button(label, title, () => send(name));
      made.dataset.way = name;
      parts.push(made);
    }
    const zoomTo = button("Zoom", "Zoom to the selection", zoom);
    zoomTo.dataset.way = "zoom";
    row.replaceChildren(...parts, zoomTo);
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
