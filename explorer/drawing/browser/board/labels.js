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

/**
 * Let each of these label elements stay within a view; a line above or below it is left out, and a label that is too long even shortened.
 *
 * All are written before any is measured: a browser lays the drawing out anew for each measure that follows a change.
 */
export function keepWithin(labels, [left, top, right, foot]) {
  const isCut = ({ x, width }) => width > 0 && (x < left || x + width > right);
  const rows = labels.map((label) => ({ label, texts: [...label.querySelectorAll("text")] }));
  for (const { label, texts } of rows) {
    label.removeAttribute("data-cut");
    restore(texts);
  }
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
