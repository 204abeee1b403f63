// What is asked of the graphs from elsewhere on the page, such as Ctrl+K? They listen, by name.

const listeners = new Set();
let waiting = null;

/** Send a command to the listener that knows its name: `fit`, `zoom`, `tour`. A command that none knows waits for a new listener. */
export function sendCommand(name) {
  const known = [...listeners].filter((listener) => listener(name));
  waiting = known.length ? null : name;
}

/** Call `listener(name)` for every command; it returns whether it knows the name. Call the returned function to stop. */
export function onCommand(listener) {
  listeners.add(listener);
  // After the listener's component is complete.
  queueMicrotask(() => {
    if (waiting !== null && listeners.has(listener) && listener(waiting)) waiting = null;
  });
  return () => listeners.delete(listener);
}

const followers = new Set();
const viewers = new Set();

/** Tell the graphs that a row of a table was picked: they show it in the same frame, before the server answers. */
export function announcePick(key) {
  for (const follower of followers) follower(key);
}

/** Call `follower(key)` for every row that is picked. Call the returned function to stop. */
export function onPick(follower) {
  followers.add(follower);
  return () => followers.delete(follower);
}

/** Tell the tables what the graphs show now: the selected key, and the set of those that are highlighted with it. */
export function announceShown(key, highlighted) {
  for (const viewer of viewers) viewer(key, highlighted);
}

/** Call `viewer(key, highlighted)` for every selection that the graphs show. Call the returned function to stop. */
export function onShown(viewer) {
  viewers.add(viewer);
  return () => viewers.delete(viewer);
}
