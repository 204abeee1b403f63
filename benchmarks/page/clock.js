// Reads, inside the page, what a click brings: when the first thing changes in a graph and in the
// right panel, and when the last thing changes anywhere. `__clock.figures()` answers in milliseconds
// after the pointer went down; null where nothing changed. `__clock.frames()` answers in milliseconds
// between two pictures, from `__clock.film()` on.
(() => {
  const watched = new WeakSet();
  const clock = (globalThis.__clock = { begun: null, graph: null, panel: null, last: null });
  const within = (node, selector) => {
    for (let at = node; at; at = at.parentNode ?? at.host) if (at.matches?.(selector)) return true;
    return false;
  };
  const note = (records) => {
    if (clock.begun === null) return;
    const after = performance.now() - clock.begun;
    clock.last = after;
    for (const { target } of records) {
      if (within(target, ".board")) clock.graph ??= after;
      if (within(target, ".st-key-right")) clock.panel ??= after;
    }
  };
  const observer = new MutationObserver(note);
  const watch = (root) => {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) watch(element.shadowRoot);
  };
  clock.begin = () => {
    for (const element of document.querySelectorAll("*")) if (element.shadowRoot) watch(element.shadowRoot);
    Object.assign(clock, { begun: null, graph: null, panel: null, last: null });
  };
  clock.film = () => {
    const times = (clock.times = []);
    const next = (time) => {
      // A film that has ended must not go on in the next one, which would count each frame twice.
      if (clock.times !== times) return;
      times.push(time);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  };
  clock.frames = () => {
    const times = clock.times;
    clock.times = null;
    return times.slice(1).map((time, turn) => time - times[turn]);
  };
  clock.figures = () => [clock.graph, clock.panel, clock.last];
  addEventListener("pointerdown", () => (clock.begun = performance.now()), true);
  addEventListener("DOMContentLoaded", () => watch(document.documentElement));
})();
