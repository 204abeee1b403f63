// What holds at each step? Lists are sent as changes, so a step is reached by replaying those before it.

const LISTS = ["waiting", "chain", "edges"];
const NOTHING = { waiting: [], chain: [], edges: [] };
/** Number of steps between two places from which a replay may start. */
const STRIDE = 64;

function changed(old, [front, start, same, behind]) {
  return [...front, ...old.slice(start, start + same), ...behind];
}

function after(lists, step) {
  const next = { ...lists };
  for (const name of LISTS) if (step[name]) next[name] = changed(lists[name], step[name]);
  return next;
}

const keyed = (letter, numbers) => new Set(numbers.map((number) => `${letter}${number}`));

/** What a step makes in the JobGraph. */
function freshOf(step) {
  if (!step.vertex) return new Set();
  return new Set([`v${step.vertex}`, ...keyed("j", step.connected)]);
}

/** By key, the step that makes it: the first that `keysOf` names it for. */
function firstSteps(steps, keysOf) {
  const first = new Map();
  steps.forEach((step, place) => {
    for (const key of keysOf(step)) if (!first.has(key)) first.set(key, place);
  });
  return first;
}

/** All that a drawing has. */
const ALL = { has: () => true };

/** A way through `steps`: `at(place)` is what holds there; `whole`: both graphs were made before. */
export function createReplay(steps, whole = false) {
  const made = firstSteps(steps, freshOf);
  // An edge is drawn as every other until a step cuts it, or makes the task that it leaves.
  const decided = firstSteps(steps, ({ cut = [], decided: left = [] }) => [...cut.map(([edge]) => edge), ...left].map((edge) => `e${edge}`));
  const hashed = firstSteps(steps, (step) => (step.hashed ? [`n${step.node}`] : []));
  const stops = [];
  let [place, lists] = [-1, NOTHING];

  const at = (wanted) => {
    if (wanted < place) {
      const stop = Math.floor(wanted / STRIDE);
      [place, lists] = [stop * STRIDE, stops[stop]];
    }
    while (place < wanted) {
      place += 1;
      lists = after(lists, steps[place]);
      if (place % STRIDE === 0) stops[place / STRIDE] = lists;
    }
    const by = (first) => (whole ? ALL : { has: (key) => first.get(key) <= wanted });
    return {
      ...lists,
      marks: {
        now: `n${steps[wanted].node}`,
        waiting: keyed("n", lists.waiting),
        chain: keyed("n", lists.chain),
        edges: keyed("e", lists.edges),
        fresh: freshOf(steps[wanted]),
        made: by(made),
        hashed: by(hashed),
        decided: by(decided),
      },
    };
  };
  return { at };
}
