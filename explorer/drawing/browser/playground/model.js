// What a notebook gives its widget: values that both sides change, and messages. Here a worker is the other side.

/** A model for the widget; `ask` sends a message to the compiler. */
export function createModel(values, ask) {
  const traits = { ...values };
  const listeners = {};
  let unsaved = {};
  const emit = (name) => listeners[`change:${name}`]?.forEach((listener) => listener());
  return {
    get: (name) => traits[name],
    set(name, value) {
      unsaved[name] = value;
      if (traits[name] === value) return;
      traits[name] = value;
      emit(name);
    },
    save_changes() {
      const saved = unsaved;
      unsaved = {};
      ask({ do: "traits", values: saved });
    },
    send: ask,
    on: (event, listener) => (listeners[event] ??= new Set()).add(listener),
    off: (event, listener) => listeners[event]?.delete(listener),
    /** Apply an answer's values; the scene comes first, since the others refer to it. */
    apply(answered, redraw) {
      const changed = Object.keys(answered).filter((name) => JSON.stringify(answered[name]) !== JSON.stringify(traits[name]));
      Object.assign(traits, answered);
      const names = new Set(redraw ? ["_scene", ...changed] : changed);
      names.forEach(emit);
    },
  };
}
