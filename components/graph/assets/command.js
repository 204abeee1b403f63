// What is asked of the graphs from elsewhere on the page, such as Ctrl+K? They listen, by name.

const listeners = new Set();
let waiting = null;

/** Send a command to the listener that knows its name: `fit`, `zoom`, `tour`. One that is not there yet gets it when it comes. */
export function sendCommand(name) {
  const known = [...listeners].filter((listener) => listener(name));
  waiting = known.length ? null : name;
}

/** Listen to every command, and return true for those that are known; call the returned function to stop. */
export function onCommand(listener) {
  listeners.add(listener);
  // After the listener's component is complete.
  queueMicrotask(() => {
    if (waiting !== null && listeners.has(listener) && listener(waiting)) waiting = null;
  });
  return () => listeners.delete(listener);
}
