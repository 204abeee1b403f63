// Which rows of a long table are in the page? Those in sight and some beyond; room stands for the others.

/** Number of rows that are in the page whichever are visible. */
export const ALL = 150;
/** Pixels above and below what is in sight. */
const BEYOND = 500;

/** Where each row begins, and where the last one ends, in pixels; `line` is a plain row's height. */
export function topsOf(rows, line) {
  const tops = new Float64Array(rows.length + 1);
  const second = line * 0.55;
  rows.forEach(({ cells }, turn) => {
    const two = cells.some((cell) => cell !== null && cell.old !== undefined);
    tops[turn + 1] = tops[turn] + line + (two ? second : 0);
  });
  return tops;
}

/** The first row that is wanted and the first that is not any more. */
export function wanted(tops, top, height) {
  const count = tops.length - 1;
  if (count <= ALL) return [0, count];
  const first = rowAt(tops, top - BEYOND);
  return [first, Math.min(count, rowAt(tops, top + height + BEYOND) + 1)];
}

/** The row at a distance in pixels from the top, by bisection. */
function rowAt(tops, y) {
  let [low, high] = [0, tops.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops[middle] <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
