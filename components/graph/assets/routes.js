// The row below both graphs: the neighbours of the selection, alone, folded, zoomed to. Python applies the command.

import { element } from "../streamgraph-explorer.shared/dom.js";

/** Make the row; `send(name)` applies a command, `zoom()` shows the selection as large as it fits. */
export function createRoutes(send, zoom) {
  const row = element("div", { className: "routes", role: "toolbar", "aria-label": "Commands for the selection" });
  let known = "";

  const button = (name, label, title, onclick) =>
    element("button", { type: "button", textContent: label, title, onclick, "aria-label": title.includes(label) ? title : `${label}: ${title}`, "data-route": name });

  const build = (routes) => {
    const parts = [];
    for (const { name, group, label, title } of routes) {
      if (group) parts.push(element("span", { textContent: group }));
      parts.push(button(name, label, title, () => send(name)));
    }
    row.replaceChildren(...parts, button("zoom", "Zoom", "Zoom to the selection", zoom));
  };

  /** Take over the buttons, and which of them can be pressed while `picked` is selected. */
  const update = (routes, picked) => {
    const names = routes.map(({ name }) => name).join();
    if (names !== known) build(routes);
    known = names;
    for (const made of row.querySelectorAll("button")) {
      const route = routes.find(({ name }) => name === made.dataset.route);
      made.disabled = route && !route.selects ? !route.offered : picked === null;
      made.classList.toggle("now", Boolean(route && !route.selects && route.offered));
    }
  };
  return { row, update };
}
