// The standalone page: moves both drawings, highlights what belongs together and describes the selection.

import { details } from "./details.js";
import { light } from "./lighting.js";
import { furnish } from "./movable.js";

const facts = JSON.parse(document.getElementById("facts").textContent);
const aside = document.querySelector("aside");
const hint = [...aside.childNodes];

function select(key) {
  light(document, facts.counterparts, key);
  aside.replaceChildren(...(key === null ? hint : details(facts, key)));
  aside.scrollTop = 0;
}

for (const pane of document.querySelectorAll(".pane")) furnish(pane, select);
for (const row of document.querySelectorAll("tr[data-key]")) {
  row.addEventListener("click", () => select(row.dataset.key));
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") select(null);
});
