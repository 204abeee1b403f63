// What can be done with the selection, at its card: its neighbours, alone, folded, zoomed to. Python applies the command.

import { element } from "../streamgraph-explorer.shared/dom.js";

/** What stands on a button in place of its label. */
const SIGNS = { up: "↑", "up-all": "⇈", down: "↓", "down-all": "⇊", fold: "Fold" };

/** Make the bar, and what shows all again, for the row below the graphs; `send(name)` applies a command, `zoom()` enlarges the selection. */
export function createRoutes(send, zoom) {
  const bar = element("div", { className: "routes", role: "toolbar", "aria-label": "Commands for the selection", hidden: true });
  const row = element("div", { className: "undone" });
  let known = "";
  /** The bar's sizes, in a row and in a column, and what they were measured with: each measure lays the page out. */
  let [sizes, measured] = [[], ""];

  const button = (name, label, title, onclick) =>
    element("button", { type: "button", textContent: SIGNS[name] ?? label, title, onclick, "aria-label": title.includes(label) ? title : `${label}: ${title}`, "data-route": name });

  const build = (routes) => {
    const made = ({ name, label, title }) => button(name, label, title, () => send(name));
    bar.replaceChildren(...routes.filter(({ selects }) => selects).map(made), button("zoom", "Zoom", "Zoom to the selection", zoom));
    row.replaceChildren(...routes.filter(({ selects }) => !selects).map(made));
  };

  /**
   * Take over the commands; those that start at no selection are shown while there is something for them.
   *
   * An attribute is written where it changes alone: each write is a change for observers of the page, such as screen readers.
   */
  const update = (routes) => {
    const names = routes.map(({ name }) => name).join();
    if (names !== known) build(routes);
    known = names;
    for (const made of row.querySelectorAll("button")) made.toggleAttribute("hidden", !routes.find(({ name }) => name === made.dataset.route).offered);
  };

  const measure = () => {
    const looks = `${known} ${document.documentElement.className}`;
    if (looks === measured) return;
    sizes = [false, true].map((upright) => {
      bar.classList.toggle("upright", upright);
      return { width: bar.offsetWidth, height: bar.offsetHeight };
    });
    if (sizes[0].width) measured = looks;
  };

  /** Show the bar at the first of these keys that one of the panes shows; `origin`: of the board, in the window. */
  const place = (panes, keys, origin) => {
    if (!keys.length) return hide();
    bar.hidden = false;
    measure();
    for (const { pane, stage } of panes) {
      const found = pane.placeAt(keys, sizes);
      if (!found) continue;
      const { left, top } = stage.getBoundingClientRect();
      bar.classList.toggle("upright", found.turn === 1);
      Object.assign(bar.style, { left: `${left - origin.left + found.left}px`, top: `${top - origin.top + found.top}px` });
      return undefined;
    }
    return hide();
  };
  const hide = () => {
    bar.toggleAttribute("hidden", true);
  };
  return { bar, row, update, place, hide };
}
