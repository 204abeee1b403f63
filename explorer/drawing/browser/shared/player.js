// One player of steps, with two views: the list of a timeline, and the questions of a lesson. A view draws its step.

const TYPED = "input:not([type=range]), textarea, select, [contenteditable], [role=tab], [role=tree], tr";
const PRESSED = "a, button";

/**
 * Let keys that no other part of the page uses call `keys[key]()`; gives a function that ends it.
 *
 * `uses(target, key)`: whether an element of the player uses the key itself; `buttons`: whether links and buttons of
 * the page use it.
 */
export function listenToKeys(player, keys, { uses, buttons = false }) {
  const others = buttons ? `${TYPED}, ${PRESSED}` : TYPED;
  const listener = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || !keys[event.key]) return;
    const [target] = event.composedPath();
    if (event.key === "Enter" && target.closest?.(PRESSED)) return;
    const own = player.root.contains(target);
    if (!own && player.data.alone) return;
    if (own ? uses(target, event.key) : target !== document.body && target.closest?.(others)) return;
    keys[event.key]();
    event.preventDefault();
  };
  document.addEventListener("keydown", listener);
  // After a click on the tab the keys move the player; after a key they move between the tabs.
  if (document.activeElement?.matches("[role=tab]:not(:focus-visible)")) player.root.focus({ preventScroll: true });
  return () => document.removeEventListener("keydown", listener);
}

/** The position of the step at `wanted`, counted from 0, or of the nearest there is. */
export function nearestStep(player, wanted) {
  return Math.max(0, Math.min(player.data.steps.length - 1, wanted));
}

/** Give the player its data; returns whether they differ from those that it has. */
export function takeData(player, data) {
  const text = JSON.stringify(data);
  if (text === player.text) return false;
  Object.assign(player, { text, data });
  return true;
}
