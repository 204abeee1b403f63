// Drag from the foot of an operator to another one: a stream is led there. The server decides whether it can be.

/** How large the handle is, and how near to it a press begins a drag, in pixels of the screen. */
const [SIZE, REACH] = [5, 11];

/** Let operators of a pane be connected; `cardAt(dom)` is the card under a point, `send` reports a new stream. */
export function createConnector(canvas, { network, cardAt, send }) {
  const state = { on: false, hover: null, from: null, to: null, at: null };

  const foot = (card) => network.canvasToDOM({ x: card.x, y: card.y + card.height / 2 });
  const pointOf = (event) => {
    const rect = canvas.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  };
  const onHandle = (card, point) => {
    const { x, y } = foot(card);
    return Math.hypot(point.x - x, point.y - y) <= REACH;
  };

  const begin = (event) => {
    if (!state.on || event.button !== 0) return;
    const point = pointOf(event);
    const card = state.hover;
    if (!card || !onHandle(card, point)) return;
    [state.from, state.at, state.to] = [card, point, null];
    // The graph itself must not be dragged along.
    event.stopPropagation();
    event.preventDefault();
    globalThis.addEventListener("pointermove", move);
    globalThis.addEventListener("pointerup", end);
    globalThis.addEventListener("keydown", cancel, true);
  };

  const move = (event) => {
    state.at = pointOf(event);
    const card = cardAt(state.at);
    state.to = card && card.key !== state.from.key ? card : null;
    network.redraw();
  };

  const end = () => {
    const { from, to } = state;
    stop();
    if (from && to) send({ source: from.key, target: to.key });
  };

  const cancel = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    stop();
  };

  const stop = () => {
    [state.from, state.to, state.at] = [null, null, null];
    globalThis.removeEventListener("pointermove", move);
    globalThis.removeEventListener("pointerup", end);
    globalThis.removeEventListener("keydown", cancel, true);
    network.redraw();
  };

  const hover = (event) => {
    if (!state.on || state.from) return;
    const point = pointOf(event);
    const card = cardAt(point) ?? (state.hover && onHandle(state.hover, point) ? state.hover : null);
    if (card?.key === state.hover?.key) return;
    state.hover = card;
    network.redraw();
  };

  canvas.addEventListener("pointerdown", begin, true);
  canvas.addEventListener("pointermove", hover);
  canvas.addEventListener("pointerleave", () => {
    if (state.from || !state.hover) return;
    state.hover = null;
    network.redraw();
  });

  /** The handle of the card under the pointer, and the stream that is being led. */
  const paint = (ctx, theme) => {
    const card = state.from ?? state.hover;
    if (!state.on || !card) return;
    const scale = network.getScale();
    const [x, y] = [card.x, card.y + card.height / 2];
    ctx.save();
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = 2 / scale;
    if (state.at) {
      const end = network.DOMtoCanvas(state.at);
      ctx.setLineDash([6 / scale, 4 / scale]);
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(end.x, end.y);
      ctx.stroke();
      ctx.setLineDash([]);
    }
    if (state.to) {
      ctx.lineWidth = 3 / scale;
      ctx.strokeRect(state.to.x - state.to.width / 2, state.to.y - state.to.height / 2, state.to.width, state.to.height);
    }
    ctx.beginPath();
    ctx.arc(x, y, SIZE / scale, 0, 2 * Math.PI);
    ctx.fillStyle = theme.card;
    ctx.fill();
    ctx.lineWidth = 2 / scale;
    ctx.stroke();
    ctx.restore();
  };

  const allow = (on) => {
    state.on = on;
    state.hover = null;
  };
  return { paint, allow };
}
