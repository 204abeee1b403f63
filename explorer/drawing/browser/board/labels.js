// Labels of edges at the borders of a view: shortened to their first words, or without a line, where they would be cut.

const BETWEEN = " · ";

function restore(texts) {
  for (const text of texts) {
    text.removeAttribute("data-cut");
    if (text.dataset.whole === undefined) continue;
    text.textContent = text.dataset.whole;
    text.removeAttribute("dx");
    delete text.dataset.whole;
  }
}

function shorten(texts) {
  for (const text of texts) {
    text.dataset.whole = text.textContent;
    text.textContent = text.textContent.split(BETWEEN)[0];
  }
}

/** The whole text of a line of a label. */
export const wholeOf = (text) => text.dataset.whole ?? text.textContent;

/** Whether a border of the view may cut a label; it can be twice as wide as the area that is kept free for it. */
function isNear([left, top, right, foot], view) {
  const wide = right - left;
  const area = [left - wide, top, right + wide, foot];
  const isInside = area[0] > view[0] && area[1] > view[1] && area[2] < view[2] && area[3] < view[3];
  return !isInside && area[0] < view[2] && area[1] < view[3] && area[2] > view[0] && area[3] > view[1];
}

/**
 * Let each of these labels stay within a view; a line above or below it is left out, and a label that is too long even shortened.
 *
 * All are written before any is measured: a browser lays the drawing out anew for each measure that follows a change.
 */
export function keepWithin(labels, view) {
  const [left, top, right, foot] = view;
  const isCut = ({ x, width }) => width > 0 && (x < left || x + width > right);
  const all = labels.map(({ element, area }) => ({ label: element, area, texts: [...element.querySelectorAll("text")] }));
  for (const { label, texts } of all) {
    label.removeAttribute("data-cut");
    restore(texts);
  }
  const rows = all.filter(({ area }) => isNear(area, view));
  for (const row of rows) {
    row.box = row.label.getBBox();
    row.lines = row.texts.map((text) => text.getBBox());
  }
  const long = rows.filter(({ box }) => isCut(box));
  for (const { texts } of long) shorten(texts);
  for (const row of long) row.lengths = row.texts.map((text) => text.getComputedTextLength());
  for (const { box, texts, lengths } of long) {
    // A label left of its edge ends at it; its lines begin below each other.
    if (box.x < left) for (const text of texts) text.setAttribute("dx", box.width - Math.max(...lengths));
  }
  for (const { texts, lines } of rows) {
    lines.forEach(({ y, height }, turn) => texts[turn].toggleAttribute("data-cut", height > 0 && (y < top || y + height > foot)));
  }
  const cut = long.map(({ label }) => isCut(label.getBBox()));
  long.forEach(({ label }, turn) => label.toggleAttribute("data-cut", cut[turn]));
}
