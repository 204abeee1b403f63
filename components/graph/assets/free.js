// The free layout of a graph, in a frame of its own: pyvis's page, which knows nothing of this one.

import { sendCommand } from "./command.js";
import { element } from "../streamgraph-explorer.shared/dom.js";

const pending = new Map();

/** Show the page of a graph's free layout, which the server has drawn. */
export function showFree(side, page) {
  pending.get(side)?.(page);
}

/** Ask for the free layout of the graph in `section` and show it over its board. Call the returned function to end it. */
export function openFree(section, side) {
  const title = `Free layout of the ${section.querySelector("h3").textContent}`;
  const frame = element("iframe", { className: "free", title, sandbox: "allow-scripts" });
  pending.set(side, (page) => (frame.srcdoc = page));
  section.append(frame);
  sendCommand(`show:free:${side}`);
  return () => {
    pending.delete(side);
    frame.remove();
  };
}
