// A form of the values of a part that may be changed; the kernel names its fields.

import { element } from "./details.js";

function choice({ choices, value, hint }) {
  const none = hint === null ? [] : [Object.assign(element("option", "", hint), { value: "" })];
  const made = element("select", "", ...none, ...choices.map((each) => Object.assign(element("option", "", each), { value: each })));
  made.value = value ?? "";
  return [made, () => made.value || null];
}

function number({ value, hint }) {
  const made = Object.assign(element("input", ""), { type: "number", min: 1, step: 1, value: value ?? "", placeholder: hint ?? "" });
  return [made, () => (made.value === "" ? null : Number(made.value))];
}

/** A notebook handles the Enter key itself; a browser reports a change when the focus leaves, too. */
function entered(input) {
  input.blur();
  input.focus();
}

/** The form as one element, or none where nothing can be changed; `change` gets a field and its value. */
export function form(fields, change) {
  if (!fields.length) return [];
  const rows = fields.map((field) => {
    const [input, value] = (field.choices ? choice : number)(field);
    input.dataset.field = field.field;
    input.setAttribute("aria-label", field.label);
    input.addEventListener("change", () => change(field.field, value()));
    input.addEventListener("keydown", (event) => event.key === "Enter" && entered(input));
    return element("label", "", field.label, input);
  });
  return [element("div", "form", ...rows)];
}

/** The field that has the focus, to be given back after the form was drawn anew. */
export function heldField(root) {
  return root.activeElement?.dataset?.field ?? null;
}
