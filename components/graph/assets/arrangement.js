// How do one or two graphs share their space, and which way do their edges lead? Pure: sizes in, an arrangement out.

/** Free pixels around a graph. */
export const MARGIN = 5;
/** Height of an operator's name in the drawing. */
const NAME = 12.5;
/** Heights of names on the screen below which chains fold by themselves, as a screen rounds them; the second is a presenter's. */
export const NAMED = 10.95 / NAME;
export const PRESENTED = 18 / NAME;
/** Another arrangement must be this much larger on the screen; the second, where names are not high enough. */
const [GAIN, LEAST_GAIN] = [1.15, 1.02];
/** The scale below which a graph is not whole at rest. */
const LEAST_SCALE = 0.68;
/** Least width of a graph's pane: its bar. */
const LEAST = 284;
const ARRANGEMENTS = ["side", "stacked"];
const WAYS = ["down", "across"];

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

/** Whether a scale is worth it to depart from the usual: much larger, or large enough for names where the other is not. */
function isBetter(scale, usual, named) {
  const enough = Math.max(1, named);
  const gain = usual < named ? LEAST_GAIN : GAIN;
  return Math.min(scale, enough) > gain * Math.min(usual, enough) || (scale >= named && usual < named);
}

/** The arrangement and the way that show graphs the largest, the usual ones first: side by side, top-down. */
function chosen(space, graphs, wanted, named) {
  const arrangements = graphs.length > 1 ? (wanted.arrangement ? [wanted.arrangement] : ARRANGEMENTS) : ARRANGEMENTS.slice(0, 1);
  const possible = WAYS.filter((way) => graphs.every((graph) => graph[way]));
  const ways = possible.includes(wanted.way) ? [wanted.way] : possible;
  const offers = ways.flatMap((way) => arrangements.map((name) => {
    const drawn = graphs.map((graph) => graph[way]);
    const stacked = name === "stacked";
    return { stacked, across: way === "across", drawn, scale: scaleOf(space, drawn, stacked) };
  }));
  return offers.reduce((best, offer) => (isBetter(offer.scale, best.scale, named) ? offer : best));
}

/** The first of these drawings of the graphs with names that are high enough, else the one with the highest; `density` is its number. */
function densest(space, drawings, wanted, named) {
  const [first, ...denser] = drawings.map((graphs) => () => chosen(space, graphs, wanted, named));
  return denser.reduce((best, offer, turn) => {
    if (best.scale >= named) return best;
    const next = offer();
    return isBetter(next.scale, best.scale, named) ? { ...next, density: turn + 1 } : best;
  }, { ...first(), density: 0 });
}

/**
 * Arrange one or two graphs in a `space` of a width, a height and the height of a graph's `bar`.
 *
 * `drawings` are ways to draw the graphs, each denser than the one before. A graph has its cards' width and height for each way that its edges
 * can lead: `down` and `across`, null where it is not drawn so. `wanted`: an `arrangement` ("side" or "stacked") and a `way`, null for what
 * shows the graphs largest; `named`: the scale at which names are high enough. What is wanted gives way where it alone makes graphs too large.
 */
export function arrange(space, drawings, wanted, named) {
  const asWanted = densest(space, drawings, wanted, named);
  const free = asWanted.scale < LEAST_SCALE ? densest(space, drawings, {}, named) : asWanted;
  const { density, stacked, across, drawn, scale } = free.scale < LEAST_SCALE ? asWanted : free;
  const share = drawn.length > 1 ? shareOf(space, drawn, stacked, Math.min(scale, Math.max(1, named))) : null;
  return { density, stacked, across, share };
}
