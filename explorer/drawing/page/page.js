// Moves both drawings, lights what belongs together and tells what is selected. All that a user
// named reaches the page as text.

const facts = JSON.parse(document.getElementById("facts").textContent);
const aside = document.querySelector("aside");
const hint = [...aside.childNodes];
const embedded = window.parent !== window;
/** How many units of the drawing a pixel shows at most, when the page opens. */
const READABLE = 2;

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function verdict([code, holds, asked, values]) {
  const [title] = facts.rules[code];
  const mark = element("b", holds ? "good" : "bad", holds ? "✓" : "✗");
  const words = element("span", "", title, element("small", "", values));
  const row = element("div", asked ? "verdict" : "verdict void", mark, element("code", "", code), words);
  row.title = facts.rules[code][1];
  return row;
}

function details(key) {
  const part = facts.parts[key];
  const parts = [element("h2", "", part.kind), element("p", "name", part.name)];
  if (part.headline) parts.push(element("p", `outcome ${part.chained ? "good" : "bad"}`, part.headline));
  const list = element("dl", "");
  for (const [name, value] of part.rows) list.append(element("dt", "", name), element("dd", "", value));
  parts.push(list);
  if (part.verdicts) parts.push(...part.verdicts.map(verdict));
  for (const sentence of part.sentences ?? []) parts.push(element("p", "sentence", sentence));
  return parts;
}

function select(key) {
  for (const part of document.querySelectorAll(".picked, .lit")) part.classList.remove("picked", "lit");
  const lit = new Set(key === null ? [] : facts.counterparts[key]);
  for (const part of document.querySelectorAll("[data-key]")) {
    const own = part.dataset.key;
    if (own === key) part.classList.add(part.tagName === "TR" ? "lit" : "picked");
    else if (lit.has(own)) part.classList.add("lit");
  }
  aside.replaceChildren(...(key === null ? hint : details(key)));
  aside.scrollTop = 0;
}

/** Let a drawing be moved and enlarged; returns what its buttons do. */
function movable(svg) {
  const whole = svg.viewBox.baseVal;
  const home = [whole.x, whole.y, whole.width, whole.height];
  let box = home;
  let own = false;
  const show = () => svg.setAttribute("viewBox", box.map((each) => each.toFixed(2)).join(" "));
  const scale = () => box[2] / svg.getBoundingClientRect().width;
  /** All of it from its top on, never larger than it is drawn; a huge one no smaller than `most`. */
  const fit = (most) => {
    const { width, height } = svg.getBoundingClientRect();
    if (!width || !height) return;
    own = false;
    const size = Math.min(most, Math.max(1, home[2] / width, home[3] / height));
    box = [home[0] + (home[2] - width * size) / 2, home[1], width * size, height * size];
    show();
  };
  const zoom = (factor, event) => {
    const wide = Math.min(home[2] * 8, Math.max(60, box[2] * factor));
    const real = wide / box[2];
    const rim = svg.getBoundingClientRect();
    const [centreX, centreY] = [box[0] + box[2] / 2, box[1] + box[3] / 2];
    const x = event ? centreX + (event.clientX - rim.left - rim.width / 2) * scale() : centreX;
    const y = event ? centreY + (event.clientY - rim.top - rim.height / 2) * scale() : centreY;
    own = true;
    box = [x - (x - box[0]) * real, y - (y - box[1]) * real, wide, box[3] * real];
    show();
  };
  svg.addEventListener("wheel", (event) => {
    if (embedded && !event.ctrlKey && !event.metaKey && document.activeElement !== svg) return;
    event.preventDefault();
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 240), event);
  }, { passive: false });
  let held = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button === 0) held = { x: event.clientX, y: event.clientY, box, far: false };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.far && Math.hypot(dx, dy) < 4) return;
    if (!held.far) svg.setPointerCapture(event.pointerId);
    held.far = own = true;
    svg.classList.add("held");
    box = [held.box[0] - dx * scale(), held.box[1] - dy * scale(), box[2], box[3]];
    show();
  });
  svg.addEventListener("pointerup", (event) => {
    const far = held?.far;
    held = null;
    svg.classList.remove("held");
    if (far || event.button !== 0) return;
    svg.focus();
    select(event.target.closest("[data-key]")?.dataset.key ?? null);
  });
  svg.addEventListener("pointercancel", () => { held = null; });
  // A frame has no size before it is shown, and another one when its page is resized.
  new ResizeObserver(() => own || fit(READABLE)).observe(svg);
  return { out: () => zoom(1.25), in: () => zoom(0.8), fit: () => fit(Infinity) };
}

for (const pane of document.querySelectorAll(".pane")) {
  const svg = pane.querySelector("svg");
  svg.setAttribute("tabindex", "0");
  const does = movable(svg);
  for (const [name, sign, words] of [["out", "−", "Zoom out"], ["in", "+", "Zoom in"], ["fit", "Fit", "Show all"]]) {
    const button = element("button", "", sign);
    button.title = words;
    button.setAttribute("aria-label", words);
    button.addEventListener("click", does[name]);
    pane.querySelector(".bar").append(button);
  }
  for (const way of pane.querySelectorAll(".way")) {
    const reach = way.cloneNode();
    reach.setAttribute("class", "reach");
    way.before(reach);
  }
}
for (const row of document.querySelectorAll("tr[data-key]")) {
  row.addEventListener("click", () => select(row.dataset.key));
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") select(null);
});
