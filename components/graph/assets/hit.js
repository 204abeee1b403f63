// The element under a point: edges by their distance, chain borders by their area.

/** Points along an edge's curve, close enough to measure a distance with. */
export function sampled(points) {
  const path = [points[0]];
  for (let turn = 1; turn < points.length; turn += 1) {
    const [x0, y0] = points[turn - 1];
    const [x1, y1] = points[turn];
    const steps = Math.abs(x1 - x0) < 0.5 ? 1 : 10;
    for (let step = 1; step <= steps; step += 1) {
      const t = step / steps;
      const rest = 1 - t;
      const middle = (y0 + y1) / 2;
      path.push([
        (rest ** 3 + 3 * rest ** 2 * t) * x0 + (3 * rest * t ** 2 + t ** 3) * x1,
        rest ** 3 * y0 + (3 * rest ** 2 * t + 3 * rest * t ** 2) * middle + t ** 3 * y1,
      ]);
    }
  }
  return path;
}

/** The point halfway along a path. */
export function halfway(path) {
  const lengths = path.slice(1).map(([x, y], turn) => Math.hypot(x - path[turn][0], y - path[turn][1]));
  let left = lengths.reduce((sum, length) => sum + length, 0) / 2;
  for (let turn = 0; turn < lengths.length; turn += 1) {
    if (left <= lengths[turn]) {
      const share = lengths[turn] ? left / lengths[turn] : 0;
      const [[x0, y0], [x1, y1]] = [path[turn], path[turn + 1]];
      return [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
    }
    left -= lengths[turn];
  }
  return path[path.length - 1];
}

function distance([x, y], [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const square = dx * dx + dy * dy;
  const t = square ? Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / square)) : 0;
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
}

/** The edge nearest to `point` within `reach`, or null. */
export function edgeAt(edges, point, reach) {
  let [best, nearest] = [null, reach];
  for (const edge of edges) {
    const [left, top, right, foot] = edge.bounds;
    if (point[0] < left - reach || point[0] > right + reach) continue;
    if (point[1] < top - reach || point[1] > foot + reach) continue;
    for (let turn = 1; turn < edge.path.length; turn += 1) {
      const here = distance(point, edge.path[turn - 1], edge.path[turn]);
      if (here < nearest) [best, nearest] = [edge, here];
    }
  }
  return best;
}

/** The box that holds `point`, or null. */
export function boxAt(boxes, point) {
  const found = boxes.find(
    (box) =>
      Math.abs(point[0] - box.x) <= box.width / 2 && Math.abs(point[1] - box.y) <= box.height / 2,
  );
  return found ?? null;
}

/** The smallest rectangle around a path. */
export function boundsOf(path) {
  const xs = path.map(([x]) => x);
  const ys = path.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
