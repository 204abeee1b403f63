// The standalone page: moves both drawings, highlights what belongs together and describes the selection.

import { createBoards, selectIn } from "./boards.js";
import { details } from "./details.js";

const facts = JSON.parse(document.getElementById("facts").textContent);
const aside = document.querySelector("aside");
const hint = [...aside.childNodes];

function select(key) {
  selectIn(boards, facts.counterparts, key);
  const called = new Set([key, ...(facts.counterparts[key] ?? [])]);
  for (const row of rows) row.classList.toggle("highlighted", called.has(row.dataset.key));
  aside.replaceChildren(...(key === null ? hint : details(facts, key)));
  aside.scrollTop = 0;
}

/** A notebook's frame is as high as its graphs and its table: the graphs get what the table leaves. */
function divide() {
  const around = document.querySelector("header").offsetHeight + document.querySelector(".operators").offsetHeight;
  // A frame that is not displayed has no heights.
  if (around) document.body.style.setProperty("--x-around", `${around}px`);
}

if (parent !== window && document.querySelector(".operators")) {
  divide();
  addEventListener("resize", divide);
}

const boards = createBoards(document, select);
const rows = document.querySelectorAll("tr[data-key]");
for (const row of rows) {
  row.addEventListener("click", () => select(row.dataset.key));
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") select(null);
});
