// Where does something fit next to an element of a graph? Pure: rectangles in, a place out.

/** Pixels between the places that are tried, with few obstacles and with many; how many are few; and the distance from the element. */
const [STEP, COARSE, FEW, GAP] = [8, 24, 120, 6];

const meets = ([left, top, right, foot], other) => left < other[2] && right > other[0] && top < other[3] && foot > other[1];
/** How far a rectangle is from another one. */
const distance = (a, b) => Math.max(0, b[0] - a[2], a[0] - b[2]) + Math.max(0, b[1] - a[3], a[1] - b[3]);

/**
 * Return the left and the top end of a rectangle of a `width` and a `height` near `target`, within `space`, and what that costs.
 *
 * `obstacles` are pairs of a rectangle and what it costs to cover it, in pixels that the place may be farther away instead.
 */
export function beside(target, { width, height }, space, obstacles) {
  const step = obstacles.length > FEW ? COARSE : STEP;
  const [left, top, right, foot] = target;
  const around = [left - GAP, top - GAP, right + GAP, foot + GAP];
  let best = null;
  const visit = (x, y) => {
    const place = [x, y, x + width, y + height];
    let cost = distance(place, target) + Math.abs(x + width / 2 - (left + right) / 2) / 8;
    if (meets(place, around)) cost += width + height;
    // Obstacles only add: most places cost too much without a look at them.
    if (best !== null && cost >= best.cost) return;
    for (const [area, worth] of obstacles) if (meets(place, area)) cost += worth;
    if (best === null || cost < best.cost) best = { left: x, top: y, cost };
  };
  const [lastX, lastY] = [Math.max(space[0], space[2] - width), Math.max(space[1], space[3] - height)];
  const xs = [left, right - width, (left + right - width) / 2, right + GAP, left - GAP - width];
  const ys = [foot + GAP, top - GAP - height, (top + foot - height) / 2];
  for (let x = space[0]; x <= lastX; x += step) xs.push(x);
  for (let y = space[1]; y <= lastY; y += step) ys.push(y);
  for (const x of xs) if (x >= space[0] && x <= lastX) for (const y of ys) if (y >= space[1] && y <= lastY) visit(x, y);
  return best;
}
