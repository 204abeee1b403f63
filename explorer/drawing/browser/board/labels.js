// Labels of edges at the borders of a view: shortened to their first words, or without a line, where they would be cut.

const BETWEEN = " · ";

function shorten(texts, isLeft) {
  for (const text of texts) {
    const whole = text.getComputedTextLength();
    text.dataset.whole = text.textContent;
    text.textContent = text.textContent.split(BETWEEN)[0];
    // A label left of its edge ends at it.
    if (isLeft) text.setAttribute("dx", whole - text.getComputedTextLength());
  }
}

function restore(texts) {
  for (const text of texts) {
    if (text.dataset.whole === undefined) continue;
    text.textContent = text.dataset.whole;
    text.removeAttribute("dx");
    delete text.dataset.whole;
  }
}

/** The whole text of a line of a label. */
export const wholeOf = (text) => text.dataset.whole ?? text.textContent;

/** Let each of these label elements stay within a view; a line above or below it is left out, and a label that is too long even shortened. */
export function keepWithin(labels, [left, top, right, foot]) {
  for (const label of labels) {
    const texts = [...label.querySelectorAll("text")];
    label.removeAttribute("data-cut");
    restore(texts);
    for (const text of texts) text.removeAttribute("data-cut");
    for (const text of texts) {
      const { y, height } = text.getBBox();
      text.toggleAttribute("data-cut", height > 0 && (y < top || y + height > foot));
    }
    const isCut = ({ x, width }) => width > 0 && (x < left || x + width > right);
    const box = label.getBBox();
    if (!isCut(box)) continue;
    shorten(texts, box.x < left);
    label.toggleAttribute("data-cut", isCut(label.getBBox()));
  }
}
