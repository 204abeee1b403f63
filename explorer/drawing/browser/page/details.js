// Describes the selected part. All names from users reach the page as text.

/** An element with a class and children; a child may be text. */
export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** An operator ID or a task ID: it has a line of its own. */
const ID = /^[0-9a-f]{32}$/;

/** A text that may break where a class name has a capital. */
function breakable(text) {
  return text.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word, at) => (at ? [element("wbr", ""), word] : [word]));
}

function verdict(facts, [code, holds, asked, values]) {
  const [title] = facts.rules[code];
  const mark = element("b", holds ? "good" : "bad", holds ? "✓" : "✗");
  const words = element("span", "", title, element("small", "", values));
  const row = element("div", asked ? "verdict" : "verdict void", mark, element("code", "", code), words);
  row.title = facts.rules[code][1];
  return row;
}

/** Describe the part with this key. */
export function details(facts, key) {
  const part = facts.parts[key];
  const parts = [element("h2", "", part.kind), element("p", "name", part.name)];
  if (part.headline) parts.push(element("p", `outcome ${part.chained ? "good" : "bad"}`, part.headline));
  const list = element("dl", "");
  for (const [name, value] of part.rows) {
    const className = ID.test(value) ? "id" : "";
    list.append(element("dt", className, name), element("dd", className, ...breakable(String(value))));
  }
  parts.push(list);
  if (part.verdicts) parts.push(...part.verdicts.map((each) => verdict(facts, each)));
  for (const sentence of part.sentences ?? []) parts.push(element("p", "sentence", sentence));
  return parts;
}
