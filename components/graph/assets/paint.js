// How do cards, chain borders, edges and labels look? Pure drawing: a context, an element, its state.

import { faint } from "./theme.js";

/** Below this size on the screen, in pixels, text is left out. */
const LEGIBLE = 5;
/** Below this size on the screen, in pixels, the page reports that names are too small to read. */
const READABLE = 7;
/** Below this size on the screen, in pixels, a card is a filled rectangle of at least that size. */
const SMALLEST = 3;
const measured = new Map();

/** Whether names of operators can be read at this scale. */
export const isReadable = (scale, { looks }) => scale * looks.sizes.name >= READABLE;

/** Whether names of operators are painted at this scale. */
export const isLegible = (scale, { looks }) => scale * looks.sizes.name >= LEGIBLE;

/** A row of the looks' font sizes as the font of a context. */
const fontOf = (theme, size, family = "sans") => `${theme.looks.sizes[size]}px ${theme[family]}`;

/** `text` cut so that it is at most `room` wide in the context's font. */
function cut(ctx, text, room) {
  const key = `${ctx.font}|${room}|${text}`;
  let known = measured.get(key);
  if (known === undefined) {
    known = shortened(ctx, text.slice(0, 400), room);
    if (measured.size > 20000) measured.clear();
    measured.set(key, known);
  }
  return known;
}

function shortened(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text;
  const letters = [...new Intl.Segmenter().segment(text)].map((part) => part.segment);
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const tried = letters.slice(0, middle).join("") + "…";
    if (ctx.measureText(tried).width <= room) low = middle;
    else high = middle - 1;
  }
  return letters.slice(0, low).join("") + "…";
}

export function colourOf(theme, hue) {
  return hue ? hue[theme.dark ? 1 : 0] : theme.route;
}

/** A box as a plain rectangle, at least as large as `least`. */
export function paintRect(ctx, box, colour, [width, height]) {
  ctx.fillStyle = colour;
  const [wide, high] = [Math.max(box.width, width), Math.max(box.height, height)];
  ctx.fillRect(box.x - wide / 2, box.y - high / 2, wide, high);
}

/** An element's border and ground at a step: what it is now, its chain, or one that waits. */
function stepLook(marks, theme) {
  if (marks?.now) return [theme.now, theme["on-now"]];
  if (marks?.chain) return [theme.accent, theme["on-chain"]];
  return marks?.waiting ? [theme.waiting, theme.card] : null;
}

function rounded(ctx, x, y, width, height, radius) {
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, radius);
}

/** The border around a chain, with its name. */
export function paintBox(ctx, box, state, theme, scale) {
  if (state.step?.veil) return;
  const colour = colourOf(theme, box.hue);
  const [left, top] = [box.x - box.width / 2, box.y - box.height / 2];
  const { widths, dashes, radii, opacities, sizes } = theme.looks;
  ctx.save();
  if (state.step?.ghost) ctx.globalAlpha = theme.looks.opacities.ghost;
  rounded(ctx, left, top, box.width, box.height, radii.box);
  ctx.fillStyle = faint(colour, opacities[theme.dark ? "box-dark" : "box-light"]);
  ctx.fill();
  ctx.strokeStyle = state.step?.now ? theme.now : state.picked || state.highlighted ? theme.pick : colour;
  ctx.lineWidth = widths[state.picked ? "card-picked" : state.highlighted || state.hover ? "card-highlighted" : "box"];
  if (!state.picked && !box.solid) ctx.setLineDash(dashes.box);
  ctx.stroke();
  if (scale * sizes.small >= LEGIBLE) {
    ctx.font = fontOf(theme, "small");
    ctx.textBaseline = "middle";
    ctx.fillStyle = theme.mute;
    ctx.fillText(cut(ctx, box.title, box.width - 20), left + 11, top + 13.5);
  }
  ctx.restore();
}

/** A card: a title, a badge on its right, lines of small text, and perhaps a bar. */
export function paintCard(ctx, card, state, theme, scale) {
  const colour = card.hue ? colourOf(theme, card.hue) : theme.line;
  const [left, top] = [card.x - card.width / 2, card.y - card.height / 2];
  const look = stepLook(state.step, theme);
  const { widths, dashes, radii } = theme.looks;
  if (card.height * scale < 3 * SMALLEST) {
    const called = state.picked || state.highlighted ? theme.pick : colour;
    paintRect(ctx, card, look?.[0] ?? called, [SMALLEST / scale, SMALLEST / scale]);
    return;
  }
  ctx.save();
  if (state.step?.ghost && !look) ctx.globalAlpha = theme.looks.opacities.ghost;
  rounded(ctx, left, top, card.width, card.height, card.heavy ? radii.task : radii.card);
  ctx.fillStyle = look?.[1] ?? (state.highlighted || state.picked ? theme.glow : theme.card);
  ctx.fill();
  ctx.strokeStyle = look?.[0] ?? (state.picked || state.highlighted ? theme.pick : state.hover ? theme.route : colour);
  const strong = state.picked || state.step?.now;
  ctx.lineWidth = widths[strong ? "card-picked" : state.highlighted || look ? "card-highlighted" : card.heavy ? "task" : "card"];
  if (state.step?.waiting && !state.step.now) ctx.setLineDash(dashes.waiting);
  ctx.stroke();
  ctx.setLineDash([]);
  if (card.mark && !state.step?.veil) paintMark(ctx, left + card.width - 1, top + 1, card.mark, theme);
  if (isLegible(scale, theme)) paintText(ctx, card, state, theme, left, top);
  else if (!card.heavy) {
    ctx.fillStyle = faint(theme.mute, 0.35);
    ctx.fillRect(left + 12, card.y - 4, card.width * 0.55, 8);
  }
  ctx.restore();
}

/** What check found at a place, by its weight: a disc, with a sign for who sees no colours. */
function paintMark(ctx, x, y, mark, theme) {
  const { widths, radii } = theme.looks;
  const [colour, sign] = { error: [theme.bad, "×"], warning: [theme.now, "!"], note: [theme.mute, "i"] }[mark];
  ctx.save();
  ctx.beginPath();
  ctx.arc(x, y, mark === "note" ? radii.note : radii.mark, 0, 2 * Math.PI);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.lineWidth = widths.mark;
  ctx.strokeStyle = theme.ground;
  ctx.stroke();
  ctx.font = `700 ${fontOf(theme, mark === "note" ? "note" : "sign")}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = theme.card;
  ctx.fillText(sign, x, y + 0.5);
  ctx.restore();
}

function paintText(ctx, card, state, theme, left, top) {
  const margin = card.heavy ? 15 : 12;
  const right = left + card.width - margin;
  let y = top + (card.heavy ? 20 : card.lines.length ? 15.5 : card.height / 2);
  ctx.textBaseline = "middle";
  ctx.direction = "ltr";
  let room = card.width - 2 * margin;
  if (card.badge) {
    ctx.font = fontOf(theme, "mono", "mono");
    ctx.fillStyle = theme.mute;
    ctx.textAlign = "right";
    ctx.fillText(card.badge, right, y);
    room -= ctx.measureText(card.badge).width + 8;
    ctx.textAlign = "left";
  }
  ctx.font = `${card.heavy ? "600 " : ""}${fontOf(theme, "name")}`;
  ctx.fillStyle = theme.ink;
  (card.names ?? [card.title]).forEach((name, turn) => {
    y += turn ? 17 : 0;
    ctx.fillText(cut(ctx, name, room), left + margin, y);
  });
  ctx.fillStyle = theme.mute;
  // An operator that is not hashed yet has no ID to show.
  const lines = state.step?.unhashed ? [["no ID yet", 0]] : card.lines;
  for (const [text, mono] of lines) {
    y += card.heavy ? 18 : 16;
    ctx.font = mono ? fontOf(theme, "mono", "mono") : fontOf(theme, "small");
    ctx.fillText(cut(ctx, text, card.width - 2 * margin), left + margin, y);
  }
  if (card.figure) paintFigure(ctx, card, theme, left + margin, y, right);
  if (card.load) paintLoad(ctx, card, theme, left + margin, top + card.height, right);
  if (card.bar) paintBar(ctx, card, theme, left + margin, y + 19, right);
}

/** An operator's records, on the right of its last line, as far as there is space after the ID. */
function paintFigure(ctx, card, theme, left, y, right) {
  ctx.font = fontOf(theme, "mono", "mono");
  const used = ctx.measureText(card.lines.at(-1)?.[0] ?? "").width + 10;
  ctx.font = fontOf(theme, "small");
  ctx.fillStyle = theme.ink;
  ctx.textAlign = "right";
  ctx.fillText(cut(ctx, card.figure, right - left - used), right, y);
  ctx.textAlign = "left";
}

/** An operator's busy time relative to the busiest one: a bar at its card's lower edge. */
function paintLoad(ctx, card, theme, left, y, right) {
  const [share] = card.load;
  for (const [part, colour] of [[1, theme.track], [share, theme.mute]]) {
    if (!part) continue;
    rounded(ctx, left, y - 1.5, Math.max(3, (right - left) * part), 3, 1.5);
    ctx.fillStyle = colour;
    ctx.fill();
  }
}

function paintBar(ctx, card, theme, left, y, right) {
  const [share, text, parts] = card.bar;
  ctx.font = fontOf(theme, "small");
  const wide = ctx.measureText(text).width;
  const room = Math.max(40, right - left - wide - 10);
  rounded(ctx, left, y - 3.5, room, 7, 3.5);
  ctx.fillStyle = theme.track;
  ctx.fill();
  if (share > 0) {
    const filled = Math.max(4, room * share);
    rounded(ctx, left, y - 3.5, filled, 7, 3.5);
    ctx.fillStyle = colourOf(theme, card.hue);
    ctx.fill();
    divide(ctx, theme, left, y, filled, parts);
  }
  ctx.textAlign = "right";
  ctx.fillStyle = theme.mute;
  ctx.fillText(text, right, y);
  ctx.textAlign = "left";
}

/** Cut a bar into the shares of its subtasks, where the bar is wide enough. */
function divide(ctx, theme, left, y, wide, parts) {
  if (parts.length < 2 || wide / parts.length < 4) return;
  ctx.fillStyle = theme.card;
  let end = left;
  for (const part of parts.slice(0, -1)) {
    end += wide * part;
    ctx.fillRect(end - theme.looks.widths.cut / 2, y - 3.5, theme.looks.widths.cut, 7);
  }
}

function edgeColour(edge, state, theme) {
  if (state.step?.edge || state.step?.now) return theme.edge;
  if (state.picked || state.highlighted) return theme.pick;
  if (state.step?.open) return theme.route;
  if (edge.style === "cut") return theme.cut;
  return edge.style === "chained" ? colourOf(theme, edge.hue) : theme.route;
}

/** The dashes of an edge's line: its style decides, or that a step has not decided yet whether it chains. */
export function dashesOf(edge, state, { looks: { dashes } }) {
  if (state.step?.open) return dashes.open;
  return edge.style === "cut" ? dashes.cut : [];
}

/** An edge along its points, upright at each, with an arrow head. */
export function paintEdge(ctx, edge, state, theme) {
  const colour = edgeColour(edge, state, theme);
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour;
  const looked = state.step?.edge || state.step?.now;
  if (state.step?.ghost) ctx.globalAlpha = theme.looks.opacities.ghost;
  ctx.lineWidth = theme.looks.widths[state.picked || looked ? "edge-picked" : state.highlighted || state.hover ? "edge-highlighted" : "edge"];
  ctx.setLineDash(dashesOf(edge, state, theme));
  ctx.beginPath();
  const [first, ...rest] = edge.points;
  const [endX, endY] = rest[rest.length - 1];
  ctx.moveTo(first[0], first[1]);
  let [x, y] = first;
  rest.forEach(([toX, toY], turn) => {
    const stop = turn === rest.length - 1 ? toY - 5 : toY;
    if (Math.abs(toX - x) < 0.5) ctx.lineTo(toX, stop);
    else ctx.bezierCurveTo(x, (y + stop) / 2, toX, (y + stop) / 2, toX, stop);
    [x, y] = [toX, toY];
  });
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(endX, endY);
  ctx.lineTo(endX - 4, endY - 7.5);
  ctx.lineTo(endX + 4, endY - 7.5);
  ctx.closePath();
  ctx.fill();
  ctx.restore();
  if (edge.mark && !state.step?.open) paintMark(ctx, edge.middle[0], edge.middle[1], edge.mark, theme);
}

/** An edge's label, right of its place; one that found no place shows when it is asked for. */
export function paintLabel(ctx, edge, state, theme, scale) {
  const called = state.picked || state.highlighted || state.hover;
  const hidden = state.step?.open && !(state.step.labelled && edge.style === "unchained");
  if (hidden || !edge.lines.length || scale * theme.looks.sizes.small < LEGIBLE + 1 || !(edge.label || called)) return;
  const [x, y] = edge.label || [edge.middle[0] + 9, edge.middle[1]];
  const quiet = edge.style === "chained";
  ctx.save();
  if (state.step?.ghost) ctx.globalAlpha = theme.looks.opacities.ghost;
  ctx.textBaseline = "middle";
  edge.lines.forEach((line, turn) => {
    const strong = (state.picked || state.highlighted) && turn === 0;
    ctx.font = `${strong ? "600 " : ""}${fontOf(theme, "small")}`;
    const at = y + (turn - (edge.lines.length - 1) / 2) * 15;
    // No line runs through the words, where there is no place free of lines.
    ctx.fillStyle = theme.ground;
    if (!quiet) ctx.fillRect(x - 3, at - 7.5, ctx.measureText(line).width + 6, 15);
    ctx.fillStyle = strong ? theme.pick : theme.mute;
    ctx.fillText(line, x, at);
  });
  ctx.restore();
}
