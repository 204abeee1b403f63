// The current figures of a running trial: its watcher reports them, both graphs listen.

let known = null;
const listeners = new Set();

/** Show these figures on both graphs; null: those that they were drawn with. */
export function publishFigures(figures) {
  known = figures;
  for (const listener of listeners) listener(figures);
}

/** Listen to the current figures and to all later ones; call the returned function to stop. */
export function onFigures(listener) {
  listeners.add(listener);
  listener(known);
  return () => listeners.delete(listener);
}
