(() => {
  const longest = 15000, begun = performance.now();
  const read = '[data-testid="stException"], [role="alert"], [role="dialog"]';
  const undrawn = ".st-key-middle:not(:has(.st-key-graph))";
  const reasons = {
    drawn: () => Object.values(globalThis.__graphs ?? {}).some((graph) => graph.keys().length > 0),
    undrawn: () => document.querySelector(undrawn)?.closest("[data-test-script-state=notRunning]"),
    read: () => document.querySelector(read),
    late: () => performance.now() - begun > longest,
  };
  const timer = setInterval(() => {
    const reason = Object.keys(reasons).find((name) => reasons[name]());
    if (!reason) return;
    clearInterval(timer);
    document.getElementById("first-paint").remove();
    document.documentElement.dataset.firstPaint = reason;
  }, 50);
})();
