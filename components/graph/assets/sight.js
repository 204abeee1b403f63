// Which part of a graph holds these elements? Pure: what is drawn and keys in, rectangles out.

function boxOf({ x, y, width, height }) {
  return [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
}

/** The smallest rectangle around the elements with these keys, as left, top, right, foot; null: none is drawn. */
export function frameOf(data, keys) {
  const boxes = [...data.cards, ...data.boxes].filter(({ key, of }) => keys.has(of ?? key)).map(boxOf);
  const edges = data.edges.filter(({ key, of }) => keys.has(of ?? key)).map(({ bounds }) => bounds);
  const all = [...boxes, ...edges];
  if (!all.length) return null;
  const side = (at, choose) => choose(...all.map((each) => each[at]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}
