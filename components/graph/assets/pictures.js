// The menu of pictures, below both graphs: by graph a row of formats. The part that draws them gets the format by name.

import { sendCommand } from "./command.js";
import { element } from "../streamgraph-explorer.shared/dom.js";

/** Make the menu of `rows`, each with `which`, its label and its formats. */
export function picturesElement(rows) {
  const menu = element("details", { className: "pictures" }, element("summary", { textContent: "Picture" }));
  const lines = rows.map(({ which, label, formats }) => {
    const buttons = formats.map(({ name, label: text, title }) => {
      const button = element("button", { type: "button", textContent: text, title, "aria-label": title });
      button.addEventListener("click", () => {
        menu.open = false;
        sendCommand(`picture:${name}:${which}`);
      });
      return button;
    });
    return element("div", {}, element("span", { textContent: label }), ...buttons);
  });
  menu.append(element("section", {}, ...lines));
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") menu.open = false;
  });
  return menu;
}
