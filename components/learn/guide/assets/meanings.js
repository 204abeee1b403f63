// The meaning of the word under the pointer, in every text on the page, in components too.

import { element } from "../streamgraph-explorer.shared/dom.js";

/** Milliseconds that the pointer rests on a word before its meaning is shown. */
const REST = 450;
/** A longer text belongs to a document, not to the page. */
const LONGEST = 2000;
const TYPED = "input, textarea, [contenteditable], canvas, code, pre, .x-name";

function patternOf(meanings) {
  const forms = Object.keys(meanings).sort((a, b) => b.length - a.length);
  const plain = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`\\b(?:${plain.join("|")})\\b`, "gi");
}

/** The word of the glossary at a point within an element, with its place; or null. */
function wordAt(parent, x, y, pattern) {
  for (const node of parent.childNodes) {
    if (node.nodeType !== Node.TEXT_NODE || node.data.length > LONGEST) continue;
    for (const match of node.data.matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      for (const box of range.getClientRects()) {
        if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return { form: match[0].toLowerCase(), box };
      }
    }
  }
  return null;
}

function tipElement() {
  const tip = element("div", { className: "x-meaning", hidden: true, role: "tooltip" }, element("b"), element("span"));
  document.body.append(tip);
  return tip;
}

/** Show a meaning below its word, or above where there is no room. */
function say(tip, [word, means], box) {
  tip.firstChild.textContent = word;
  tip.lastChild.textContent = means;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  tip.style.top = `${box.bottom + height + 10 < innerHeight ? box.bottom + 6 : box.top - height - 6}px`;
}

/** Listen on the whole page; `meanings`: by form, the word and its sentence. Call what is returned to stop. */
export function createMeanings(meanings) {
  const tip = tipElement();
  const pattern = patternOf(meanings);
  let timer = null;
  const hide = () => {
    clearTimeout(timer);
    tip.hidden = true;
  };
  const rest = (event) => {
    hide();
    const [under] = event.composedPath();
    if (event.buttons || !(under instanceof Element) || under.closest(TYPED)) return;
    const { clientX: x, clientY: y } = event;
    timer = setTimeout(() => {
      const found = under.isConnected ? wordAt(under, x, y, pattern) : null;
      if (found) say(tip, meanings[found.form], found.box);
    }, REST);
  };
  const listening = new AbortController();
  const options = { signal: listening.signal, passive: true, capture: true };
  document.addEventListener("pointermove", rest, options);
  for (const name of ["pointerdown", "keydown", "scroll"]) document.addEventListener(name, hide, options);
  return () => {
    listening.abort();
    hide();
    tip.remove();
  };
}
