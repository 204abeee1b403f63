// What helps a class through the page: the meaning of words, a tour, a presenter's mode.

import { onCommand } from "../streamgraph-explorer.graph/command.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";
import { createMeanings } from "./meanings.js";
import { createPresenting } from "./presenting.js";
import { createTour } from "./tour.js";

const guides = new WeakMap();

function create(_parent, { meanings, stops, begins }) {
  const still = createMeanings(meanings);
  const tour = createTour(stops, begins);
  const presenting = createPresenting();
  const does = { tour: tour.start, present: presenting.start };
  const listening = new AbortController();
  document.addEventListener("click", (event) => does[event.target.closest?.("[data-guide]")?.dataset.guide]?.(), { signal: listening.signal });
  const stopCommands = onCommand((name) => {
    does[name]?.();
    return name in does;
  });
  const end = () => {
    listening.abort();
    stopCommands();
    still();
    tour.end();
    presenting.stop();
  };
  return { end };
}

export default function mount(call) {
  return mounted(guides, call, { create, update: () => {}, end: (guide) => guide.end() });
}
