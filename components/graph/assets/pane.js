// A graph of the page: its bar with the buttons, what is reported of its view, and its board.

import { createPane } from "../streamgraph-explorer.board/pane.js";

const [LARGER, SMALLER] = [1.25, 0.8];
const [HIDDEN, WHOLE] = ["A part is out of view: show the whole graph", "The whole graph is in view"];

/** Make the board of the pane in `section`; `reports`: `pick`, `connect`, `add` and `moved` of its board, and `rested`. */
export function createPagePane(section, reports) {
  const [stage, fitButton, tooSmall, partly] = [".canvas", "[data-do=fit]", ".too-small", ".partly"].map((name) => section.querySelector(name));
  const hint = ({ hidden, touched, readable }) => {
    fitButton.classList.toggle("hint", hidden);
    fitButton.title = hidden ? HIDDEN : WHOLE;
    partly.hidden = !hidden || touched;
    tooSmall.hidden = readable;
    reports.rested();
  };
  const pane = createPane(stage, { ...reports, hint });
  section.querySelector("[data-do=in]").addEventListener("click", () => pane.zoom(LARGER));
  section.querySelector("[data-do=out]").addEventListener("click", () => pane.zoom(SMALLER));
  fitButton.addEventListener("click", pane.fitWhole);
  return pane;
}
