// The elements of a drawing: each has an identity, so that what stays is moved and what is new is added.

const SVG = "http://www.w3.org/2000/svg";
/** Parts up to which all of them are in the tree. */
const FEW = 1600;
/** How far beyond what is in view parts are in the tree, in its width and height. */
const BEYOND = 0.75;
/** How much wider the tree may be at rest than a movement needs. */
const SPARE = 1.5;
const MOTION = { duration: 250, easing: "ease-in-out" };
const LISTED = new Set(["box", "edge", "label", "card"]);

const kindOf = (id) => id.slice(0, id.indexOf(":"));
const meets = (a, b) => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
const moves = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Elements of a drawing's markup, in its order. */
function elementsOf(texts) {
  const holder = document.createElementNS(SVG, "g");
  holder.innerHTML = texts.join("");
  return [...holder.children];
}

const afterGoing = (element) => {
  let at = element;
  while (at?.classList.contains("going")) at = at.nextElementSibling;
  return at;
};

/** Give `root` these children in this order, behind those that are going; what stays in its place is not touched: a browser would draw it anew. */
function arrangeChildren(root, elements) {
  const wanted = new Set(elements);
  for (const element of [...root.children]) if (!wanted.has(element) && !element.classList.contains("going")) element.remove();
  let next = afterGoing(root.firstElementChild);
  for (const element of elements) {
    if (element === next) next = afterGoing(next.nextElementSibling);
    else root.insertBefore(element, next);
  }
}

/** Name an element to assistive technology, and make a thin line easy to meet. */
function furnish(part) {
  const { element } = part;
  part.base = element.getAttribute("class");
  element.dataset.key = part.key;
  if (LISTED.has(part.kind)) element.setAttribute("role", "treeitem");
  if (part.kind === "edge") {
    const route = element.querySelector(".route");
    const reach = route.cloneNode();
    reach.setAttribute("class", "reach");
    route.before(reach);
  }
}

/** Hold the parts of a drawing below `root`; `looksOf(part)` gives the classes of its state, `isPicked(part)` whether it is selected. */
export function createParts(root, { looksOf, isPicked }) {
  let parts = new Map();
  let near = null;

  const make = (wanted) => {
    const missing = wanted.filter((part) => !part.element);
    elementsOf(missing.map(({ svg }) => svg)).forEach((element, turn) => {
      missing[turn].element = element;
      furnish(missing[turn]);
    });
  };

  const paint = (part) => {
    const looks = looksOf(part);
    const classes = looks ? `${part.base} ${looks}` : part.base;
    if (part.classes !== classes) part.element.setAttribute("class", classes);
    part.classes = classes;
    const selected = String(isPicked(part));
    if (LISTED.has(part.kind) && part.selected !== selected) part.element.setAttribute("aria-selected", selected);
    part.selected = selected;
  };

  /** Put what is near `visible` into the tree. */
  const draw = (visible) => {
    near = parts.size > FEW ? grown(visible) : null;
    const wanted = [...parts.values()].filter((part) => !near || meets(part.area, near));
    make(wanted);
    wanted.forEach(paint);
    arrangeChildren(root, wanted.map(({ element }) => element));
  };

  /** Follow a movement: draw what comes near. */
  const follow = (visible) => {
    if (near && !(near[0] <= visible[0] && near[1] <= visible[1] && near[2] >= visible[2] && near[3] >= visible[3])) draw(visible);
  };

  /** Leave out what is far from `visible`: a browser goes through each text of the tree in every frame of a movement. */
  const trim = (visible) => {
    const { 0: left, 2: right } = grown(visible);
    if (near && near[2] - near[0] > SPARE * (right - left)) draw(visible);
  };

  /** Take over rows of an identity, a key, an area and markup. Returns what `settle` moves to its new place. */
  const update = (rows) => {
    const old = parts;
    parts = new Map(rows.map(([id, key, area, svg]) => {
      const known = old.get(id);
      if (known?.svg === svg) return [id, { ...known, key, area }];
      return [id, { id, key, kind: kindOf(id), area, svg, element: null }];
    }));
    return old;
  };

  /** Let the parts of one document move from their old places: `from` and `to` map an area's corner to the stage. */
  const settle = (old, from, to, scale) => {
    if (parts.size > FEW || !moves()) return;
    for (const part of parts.values()) {
      const before = old.get(part.id);
      if (!before?.element) part.element?.animate([{ opacity: 0 }, { opacity: 1 }], MOTION);
      else move(part, before, from, to, scale);
    }
    for (const [id, { element }] of old) if (element && !parts.has(id)) fade(element);
  };

  const move = (part, before, from, to, scale) => {
    const [a, b] = [from(before.area), to(part.area)];
    const [dx, dy] = [(a.x - b.x) / scale, (a.y - b.y) / scale];
    if (Math.hypot(dx, dy) * scale < 1) return;
    part.element?.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], MOTION);
  };

  /** Show once more what goes, without its keys: it can no longer be met. */
  const fade = (element) => {
    const ghost = element.cloneNode(true);
    for (const each of [ghost, ...ghost.querySelectorAll("*")]) {
      for (const name of Object.keys(each.dataset)) delete each.dataset[name];
      each.removeAttribute("role");
      each.removeAttribute("aria-selected");
    }
    ghost.setAttribute("aria-hidden", "true");
    ghost.classList.add("going");
    root.prepend(ghost);
    ghost.animate([{ opacity: 1 }, { opacity: 0 }], MOTION).finished.finally(() => ghost.remove());
  };

  return {
    update,
    draw,
    follow,
    trim,
    settle,
    /** Give the elements the looks of their state: all, or those with one of these keys. */
    paint: (keys = null) => {
      for (const part of parts.values()) if (part.element && (!keys || keys.includes(part.key))) paint(part);
    },
    all: () => [...parts.values()],
    get: (id) => parts.get(id),
    /** The element of a part, whether it is in the tree or not. */
    elementOf: (part) => {
      make([part]);
      return part.element;
    },
    /** Take over the elements that a document holds already. */
    adopt: (elements) => {
      parts = new Map(elements.map((element, turn) => {
        const kind = ["box", "edge", "label", "card", "task-name"].find((name) => element.classList.contains(name)) ?? "badge";
        const { x, y, width, height } = element.getBBox();
        const { key } = element.dataset;
        const part = { id: `${kind}:${turn}`, key, kind, area: [x, y, x + width, y + height], element };
        furnish(part);
        return [part.id, part];
      }));
    },
  };
}

function grown([left, top, right, foot]) {
  const [wide, high] = [(right - left) * BEYOND, (foot - top) * BEYOND];
  return [left - wide, top - high, right + wide, foot + high];
}
