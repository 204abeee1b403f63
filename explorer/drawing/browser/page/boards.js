// The boards of a page without a server or of a notebook: one for each pane, with the buttons in its bar.

import { createPane } from "../board/pane.js";
import { element } from "./details.js";

const BUTTONS = [["−", "Zoom out", (board) => board.zoom(0.8)], ["+", "Zoom in", (board) => board.zoom(1.25)], ["Fit", "Show all", (board) => board.fitWhole()]];

/** Make the board of the drawing in a pane; `pick` gets the key that is clicked, or null; `refit()` shows all boards at rest. */
function boardOf(pane, pick, refit) {
  const stage = pane.querySelector(".stage");
  const isEmbedded = window.parent !== window || stage.getRootNode() !== document;
  // The wheel scrolls the page around it, unless the drawing has the focus.
  const takesWheel = (event) => !isEmbedded || event.ctrlKey || event.metaKey || stage.getRootNode().activeElement === stage;
  const board = createPane(stage, { pick, takesWheel, refit });
  for (const [sign, title, does] of BUTTONS) {
    const button = Object.assign(element("button", "", sign), { type: "button", title });
    button.setAttribute("aria-label", title);
    button.addEventListener("click", () => does(board));
    pane.querySelector(".bar").append(button);
  }
  return board;
}

/** The boards of all panes below `root`, with one scale at rest. */
export function createBoards(root, pick) {
  const refit = () => {
    const scale = Math.min(...boards.map((board) => board.restScale()));
    for (const board of boards) if (!board.isTouched()) board.fit(scale);
  };
  const boards = [...root.querySelectorAll(".pane")].map((pane) => boardOf(pane, pick, refit));
  return boards;
}

/** Select the part with this key, and its counterparts in the other graph; null: nothing. */
export function selectIn(boards, counterparts, key) {
  const highlighted = new Set(key === null ? [] : (counterparts[key] ?? []));
  for (const board of boards) board.select(key, highlighted);
}
