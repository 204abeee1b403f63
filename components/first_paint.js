(() => {
  const longest = 15000, begun = performance.now();
  // Where the cover has the graphs, they move into the page within this time after a text is there to read.
  const board = document.getElementById("first-board");
  const patience = board ? 1000 : 0;
  if (board) import(board.dataset.draws);
  let text = 0;
  const read = '[data-testid="stException"], [role="alert"], [role="dialog"]';
  const undrawn = ".st-key-middle:not(:has(.st-key-graph))";
  const reasons = {
    drawn: () => Object.values(globalThis.__graphs ?? {}).some((graph) => graph.keys().length > 0),
    undrawn: () => document.querySelector(undrawn)?.closest("[data-test-script-state=notRunning]"),
    read: () => document.querySelector(read) && performance.now() - (text ||= performance.now()) >= patience,
    // Graphs to work with stay until the page has its own.
    late: () => !board && performance.now() - begun > longest,
  };
  const look = () => {
    const reason = Object.keys(reasons).find((name) => reasons[name]());
    if (!reason) return;
    clearInterval(timer);
    removeEventListener("graphs-moved", look);
    document.getElementById("first-paint").remove();
    board?.remove();
    document.documentElement.dataset.firstPaint = reason;
  };
  const timer = setInterval(look, 50);
  // In the same frame, since the cover is empty then.
  addEventListener("graphs-moved", look);
})();
