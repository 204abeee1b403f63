// What is asked of the graphs from elsewhere on the page, such as Ctrl+K? They listen, by name.

const listeners = new Set();

/** Ask whoever knows the name for something: `fit`, `zoom`, `tour`. */
export function tellCommand(name) {
  for (const listener of listeners) listener(name);
}

/** Hear of each command; call what is returned to stop. */
export function onCommand(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
