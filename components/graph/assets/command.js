// What is asked of the graphs from elsewhere on the page, such as Ctrl+K? They listen, by name.

const listeners = new Set();

/** Send a command to the listener that knows its name: `fit`, `zoom`, `tour`. */
export function sendCommand(name) {
  for (const listener of listeners) listener(name);
}

/** Listen to every command; call the returned function to stop. */
export function onCommand(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
