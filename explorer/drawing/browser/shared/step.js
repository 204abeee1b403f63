// The shown step of hashing and chaining: the stepper reports it, both graphs listen.

let shown = null;
let publisher = null;
const listeners = new Set();

/** Show a player's step in both graphs; null: none. */
export function publishStep(player, step) {
  [publisher, shown] = [player, step];
  for (const listener of listeners) listener(step);
}

/** Remove a player's step from both graphs, unless another player, which may be its successor, has published since. */
export function withdrawStep(player) {
  if (publisher === player) publishStep(null, null);
}

/** Listen to the shown step and to every later one; call the returned function to stop. */
export function onStep(listener) {
  listeners.add(listener);
  listener(shown);
  return () => listeners.delete(listener);
}

let taker = null;

/** Let clicks on elements go to `take(key)` in place of selecting; null: they select again. */
export function takePicks(take) {
  taker = take;
}

/** Pass a click on an element to the listener; return whether there is one. */
export function handlesPick(key) {
  taker?.(key);
  return taker !== null;
}

/** The step on a graph with one card for each chain: `of(key)` is the card that stands for a node. */
export function foldedStep(step, of) {
  const all = (keys) => new Set([...keys].map(of));
  return { ...step, now: of(step.now), waiting: all(step.waiting), chain: all(step.chain) };
}

/** How an element looks at a step, or null where none is shown. Only what chaining makes can be a ghost. */
export function marksOf(step, key) {
  if (step === null) return null;
  const made = key.startsWith("v") || key.startsWith("j");
  const undecided = key.startsWith("e") && step.decided && !step.decided.has(key);
  return {
    veil: Boolean(step.veil),
    open: Boolean(step.veil || undecided),
    labelled: Boolean(step.partitioners),
    now: step.now === key || step.fresh.has(key),
    chain: step.chain.has(key),
    waiting: step.waiting.has(key),
    edge: step.edges.has(key),
    ghost: made && !step.made.has(key),
    unhashed: !made && !step.hashed.has(key),
  };
}
