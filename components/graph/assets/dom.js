// How is an element made? Every text that is handed over goes through properties, never through HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element of the page; its role and all with a hyphen, as `aria-label`, are attributes, the rest are properties. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "role" || name.includes("-")) made.setAttribute(name, value);
    else made[name] = value;
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
