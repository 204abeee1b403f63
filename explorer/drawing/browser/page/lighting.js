// What is highlighted when a part is selected?

/** Light the part with this key below `root`, and what stands for it in the other graph; null: nothing. */
export function light(root, counterparts, key) {
  for (const part of root.querySelectorAll(".picked, .highlighted")) part.classList.remove("picked", "highlighted");
  const highlighted = new Set(key === null ? [] : (counterparts[key] ?? []));
  for (const part of root.querySelectorAll("[data-key]")) {
    const own = part.dataset.key;
    if (own === key) part.classList.add(part.tagName === "TR" ? "highlighted" : "picked");
    else if (highlighted.has(own)) part.classList.add("highlighted");
  }
}
