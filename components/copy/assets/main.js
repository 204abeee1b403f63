// A button that copies the page's address, which holds the whole state.

import { copyText } from "./clipboard.js";

export default function mount({ data, parentElement }) {
  let button = parentElement.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    parentElement.append(button);
  }
  button.textContent = data.label;
  button.title = data.help;
  button.onclick = async () => {
    button.textContent = (await copyText(globalThis.location.href)) ? data.done : data.failed;
    setTimeout(() => {
      button.textContent = data.label;
    }, 1600);
  };
  return () => button.remove();
}
