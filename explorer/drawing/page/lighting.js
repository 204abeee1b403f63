// What is lit when a part is selected?

/** Light the part with this key below `root`, and what stands for it in the other graph; null: nothing. */
export function light(root, counterparts, key) {
  for (const part of root.querySelectorAll(".picked, .lit")) part.classList.remove("picked", "lit");
  const lit = new Set(key === null ? [] : (counterparts[key] ?? []));
  for (const part of root.querySelectorAll("[data-key]")) {
    const own = part.dataset.key;
    if (own === key) part.classList.add(part.tagName === "TR" ? "lit" : "picked");
    else if (lit.has(own)) part.classList.add("lit");
  }
}
