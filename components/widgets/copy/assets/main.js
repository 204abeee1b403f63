// A button that copies a text: the page's address, which holds the whole state, or the one it was sent.

import { copyFor } from "./clipboard.js";
import { received } from "../streamgraph-explorer.shared/mounted.js";

/** The page's address, as who works on it has it or as a reader does; in a frame, where it is for one. */
function textOf(view) {
  const address = new URL(globalThis.location.href);
  if (!view) return address.href;
  for (const name of [...address.searchParams.keys()]) if (!["s", "graphs"].includes(name)) address.searchParams.delete(name);
  address.searchParams.set("view", view);
  if (view !== "embed") return address.href;
  const frame = document.createElement("iframe");
  frame.src = address.href;
  frame.width = "100%";
  frame.height = "520";
  frame.title = "StreamGraph and JobGraph";
  frame.style.border = "0";
  return frame.outerHTML;
}

export default function mount({ data: sent, parentElement }) {
  const data = received(sent);
  let button = parentElement.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    parentElement.append(button);
  }
  button.textContent = data.label;
  button.title = data.help;
  button.onclick = () => copyFor(button, data.text ?? textOf(data.view), data.done, data.failed);
  return () => button.remove();
}
