// How is an element made? Every text that is passed goes through properties, never through HTML.

const SVG = "http://www.w3.org/2000/svg";

const READ = new Set(["textContent", "title"]);
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text in which controls of the writing direction are visible escapes. */
const withoutTurning = (text) =>
  text.replace(TURNING, (one) => `\\u${one.codePointAt(0).toString(16).padStart(4, "0")}`);

/** An element of the page; its role and all with a hyphen, as `aria-label`, are attributes, the rest are properties. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "role" || name.includes("-")) made.setAttribute(name, value);
    else made[name] = typeof value === "string" && READ.has(name) ? withoutTurning(value) : value;
  }
  made.append(...children);
  return made;
}

/** An element of a drawing. */
export function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
