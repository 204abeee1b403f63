// How does a part of the page live? Streamlit mounts it whenever its data or the theme changed; what was made stays.

/** A component's data: the page sends it as a text in JSON, a notebook as it is. */
export const received = (data) => (typeof data === "string" ? JSON.parse(data) : data);

/**
 * Answer one call of a component's `mount`: `create(parent, data)` makes what is in the page, once, `update(part, data)`
 * applies the data, and `end(part)` removes it from the page. `parts` holds what was made, by its parent, and
 * `part.send(name, value)` sends an event to Python.
 */
export function mounted(parts, { data: sent, parentElement, setTriggerValue }, { create, update, end }) {
  const data = received(sent);
  let part = parts.get(parentElement);
  if (!part) {
    part = create(parentElement, data);
    parts.set(parentElement, part);
  }
  part.send = setTriggerValue;
  update(part, data);
  return () => {
    // Streamlit also ends a call that a newer one overtook while the module loaded: the part is the newer one's.
    if (isOnPage(parentElement)) return;
    end(part);
    parts.delete(parentElement);
  };
}

function isOnPage(parent) {
  const host = parent.host ?? parent;
  return host.isConnected && host.closest(".stBidiComponent") !== null;
}
