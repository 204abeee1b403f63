// How do one or two graphs share their space? Pure: sizes in, an arrangement out.

/** Free pixels around a graph. */
export const MARGIN = 5;
/** The scale at which names are 11 pixels high, as a screen rounds it. */
export const NAMED = 0.876;
/** The other arrangement must be this much larger on the screen. */
const GAIN = 1.15;
/** Beyond this scale a graph is not enlarged, so that it needs no more space. */
const ENOUGH = 1;
/** Least width of a graph's pane: its bar. */
const LEAST = 250;

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

/** The scale at which all graphs are whole, with one scale for all of them. */
function scaleOf({ width, height, bar }, graphs, stacked) {
  const count = graphs.length;
  const wide = stacked ? width - 2 * MARGIN : width - 2 * MARGIN * count - (count - 1);
  const high = stacked ? height - (bar + 2 * MARGIN) * count : height - bar - 2 * MARGIN;
  const [across, down] = stacked
    ? [Math.max(...graphs.map((graph) => graph.width)), sum(graphs.map((graph) => graph.height))]
    : [sum(graphs.map((graph) => graph.width)), Math.max(...graphs.map((graph) => graph.height))];
  return Math.min(wide / Math.max(across, 1), high / Math.max(down, 1));
}

/** The share of the first graph of two: each gets what it needs, and half of the rest. */
function shareOf({ width, height, bar }, [first, second], stacked, scale) {
  const side = stacked ? "height" : "width";
  const all = stacked ? height : width;
  const frame = (stacked ? bar : 0) + 2 * MARGIN;
  const need = ({ [side]: size }) => size * scale + frame;
  const rest = all - need(first) - need(second);
  const least = stacked ? bar + 60 : Math.min(LEAST, all / 2);
  return Math.max(least, Math.min(all - least, need(first) + rest / 2));
}

function chosen(space, graphs, wanted) {
  const [side, stacked] = [false, true].map((way) => scaleOf(space, graphs, way));
  const better = Math.min(stacked, ENOUGH) > GAIN * Math.min(side, ENOUGH) || (stacked >= NAMED && side < NAMED);
  const isStacked = graphs.length > 1 && (wanted === null ? better : wanted === "stacked");
  return { stacked: isStacked, scale: isStacked ? stacked : side };
}

/**
 * Arrange one or two graphs, of their cards' width and height, in a `space` of a width, a height and the height of a graph's `bar`.
 *
 * `folded`: the first graph with each chain as one card, or null; `wanted`: "side", "stacked", or null for what shows them largest.
 */
export function arrange(space, graphs, folded, wanted) {
  const unfolded = chosen(space, graphs, wanted);
  const shorter = folded && unfolded.scale < NAMED ? chosen(space, [folded, ...graphs.slice(1)], wanted) : null;
  const isFolded = shorter !== null && (shorter.scale >= NAMED || shorter.scale > GAIN * unfolded.scale);
  const { stacked, scale } = isFolded ? shorter : unfolded;
  const drawn = isFolded ? [folded, ...graphs.slice(1)] : graphs;
  return { folded: isFolded, stacked, share: drawn.length > 1 ? shareOf(space, drawn, stacked, Math.min(scale, ENOUGH)) : null };
}
