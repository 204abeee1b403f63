// How is an element made? Every text that is handed over goes through properties, never through HTML.

export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
