// Labels of edges at the sides of a view: shortened to their first words where they would be cut.

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

/** Let each of these label elements stay between `left` and `right`; one that is too long even shortened is left out. */
export function keepWithin(labels, left, right) {
  for (const label of labels) {
    const texts = [...label.querySelectorAll("text")];
    label.removeAttribute("data-cut");
    restore(texts);
    const isCut = ({ x, width }) => width > 0 && (x < left || x + width > right);
    const box = label.getBBox();
    if (!isCut(box)) continue;
    shorten(texts, box.x < left);
    label.toggleAttribute("data-cut", isCut(label.getBBox()));
  }
}
