// How does a part of the page live? Streamlit mounts it whenever its data or the theme changed; what was made stays.

/**
 * Answer one call of a component's `mount`: `create(parent, data)` makes what is in the page, once, `update(part, data)`
 * takes the data over, and `end(part)` takes it out of the page. `parts` holds what was made, by its parent, and
 * `part.send(name, value)` sends an event to Python.
 */
export function mounted(parts, { data, parentElement, setTriggerValue }, { create, update, end }) {
  let part = parts.get(parentElement);
  if (!part) {
    part = create(parentElement, data);
    parts.set(parentElement, part);
  }
  part.send = setTriggerValue;
  update(part, data);
  return () => {
    end(part);
    parts.delete(parentElement);
  };
}
