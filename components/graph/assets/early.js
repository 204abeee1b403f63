// Both graphs in the page's cover: they can be worked with before Streamlit's scripts have run.

import { apply } from "../streamgraph-explorer.frame/layout.js";
import { element } from "../streamgraph-explorer.shared/dom.js";
import { drawEarly } from "./main.js";

const place = document.querySelector("#first-paint main");

/** Draw the graphs, unless Streamlit was quicker. */
function draw({ target: sheet }) {
  if (globalThis.__graphs || !place.isConnected) return;
  drawEarly(sheet.getRootNode(), JSON.parse(document.getElementById("first-board").textContent));
}

if (place && !globalThis.__graphs) {
  apply();
  const host = element("div");
  const sheet = element("link", { rel: "stylesheet", href: new URL("main.css", import.meta.url).href });
  sheet.addEventListener("load", draw, { once: true });
  host.attachShadow({ mode: "open" }).append(sheet);
  place.append(host);
}
