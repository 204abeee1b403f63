(() => {
  const most = 15000, every = 50, begun = performance.now();
  const asks = '[data-testid="stException"], [data-testid="stAlert"], [role="dialog"], .x-complaint';
  const drawn = () => Object.values(globalThis.__graphs ?? {}).some((graph) => graph.keys().length > 0);
  const undrawn = ".st-key-middle:not(:has(.st-key-graph))";
  const ran = () => document.querySelector(undrawn)?.closest("[data-test-script-state=notRunning]");
  const timer = setInterval(() => {
    if (!drawn() && !ran() && !document.querySelector(asks) && performance.now() - begun < most) return;
    clearInterval(timer);
    document.getElementById("first-paint").remove();
  }, every);
})();
