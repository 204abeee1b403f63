// How does a part of the page live? Streamlit mounts it whenever its data or the theme changed; what was made stays.

/** A component's data: the page sends it as a text in JSON, a notebook as it is. */
export const received = (data) => (typeof data === "string" ? JSON.parse(data) : data);

/** By parent, the latest call that waits for styles. */
const latest = new WeakMap();
/** Milliseconds after which a part is shown without its styles: Streamlit may have replaced the element that loaded them. */
const LONGEST = 10_000;

/**
 * Answer one call of a component's `mount`: `create(parent, data)` makes what is in the page, once, `update(part, data)`
 * applies the data, and `end(part)` removes it from the page. `parts` holds what was made, by its parent, and
 * `part.send(name, value)` sends an event to Python.
 */
export function mounted(parts, call, { create, update, end }) {
  const { data: sent, parentElement, setTriggerValue } = call;
  const show = () => {
    const data = received(sent);
    let part = parts.get(parentElement);
    if (!part) {
      part = create(parentElement, data);
      parts.set(parentElement, part);
    }
    part.send = setTriggerValue;
    update(part, data);
  };
  const sheet = parts.has(parentElement) ? null : pendingSheet(parentElement);
  if (sheet) showOnceStyled(sheet, call, show);
  else show();
  return () => {
    // Streamlit also ends a call that a newer one overtook while the module loaded: the part is the newer one's.
    if (isOnPage(parentElement)) return;
    const part = parts.get(parentElement);
    if (part) end(part);
    parts.delete(parentElement);
  };
}

/** A style sheet of the part that is still loading: Streamlit loads it and the script at the same time. */
const pendingSheet = (parent) => [...parent.querySelectorAll("link[rel=stylesheet]")].find((link) => !link.sheet);

/**
 * Show the part, with the data of the latest call, once its styles are loaded or have failed: an unstyled part would measure wrong widths
 * and heights, and keep them.
 */
function showOnceStyled(sheet, call, show) {
  const { parentElement } = call;
  latest.set(parentElement, call);
  const showLatest = () => {
    if (latest.get(parentElement) !== call) return;
    latest.delete(parentElement);
    if (isOnPage(parentElement)) show();
  };
  for (const name of ["load", "error"]) sheet.addEventListener(name, showLatest);
  setTimeout(showLatest, LONGEST);
}

function isOnPage(parent) {
  const host = parent.host ?? parent;
  return host.isConnected && host.closest(".stBidiComponent") !== null;
}
