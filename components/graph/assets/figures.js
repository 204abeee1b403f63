// Which figures does a running trial have by now? Who watches it tells, both graphs listen.

let known = null;
const listeners = new Set();

/** Show these figures on both graphs; null: those that they were drawn with. */
export function tellFigures(figures) {
  known = figures;
  for (const listener of listeners) listener(figures);
}

/** Hear of the figures as they are, and of all that follow; call what is returned to stop. */
export function onFigures(listener) {
  listeners.add(listener);
  listener(known);
  return () => listeners.delete(listener);
}
