// The view of lessons and predictions: the words here, what they name highlighted in both graphs.

import { element } from "../streamgraph-explorer.shared/dom.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";
import { listenToKeys, nearestStep, takeData } from "../streamgraph-explorer.shared/player.js";
import { publishStep, takePicks, withdrawStep } from "../streamgraph-explorer.shared/step.js";

const players = new WeakMap();
/** Where a lesson was and what was answered, so that it goes on there when its tab is opened again. */
const places = { document: null, at: 0, chosen: new Map(), shown: new Set() };
const EVERYTHING = { has: () => true };

function create(parent) {
  const root = element("div", { className: "lesson", tabIndex: 0 });
  parent.append(root);
  const player = { root, data: null, text: "" };
  const keys = {
    ArrowLeft: () => go(player, places.at - 1), ArrowRight: () => go(player, places.at + 1),
    Enter: () => isOpen(stepOf(player)) && stepOf(player).ask.many && reveal(player),
  };
  for (let number = 1; number <= 9; number += 1) keys[number] = () => chooseNumber(player, number);
  player.ignoreKeys = listenToKeys(player, keys, { uses: (target) => target.matches?.("input") });
  return player;
}

/** Show the step at `wanted`, or the nearest there is. */
function go(player, wanted) {
  const at = nearestStep(player, wanted);
  if (at !== places.at) {
    places.at = at;
    select(player);
  }
  draw(player);
}

const stepOf = (player) => player.data.steps[places.at];
const chosenOf = () => places.chosen.get(places.at) ?? new Set();
const isOpen = (step) => step.ask && !places.shown.has(places.at);

/** Select what the step looks at first; while a question hides what it asks for, nothing. */
function select(player) {
  const step = stepOf(player);
  const hidden = isOpen(step) && step.ask.hides;
  player.send("picked", { key: hidden ? null : (step.look[0] ?? null) });
}

function draw(player) {
  light(player);
  const step = stepOf(player);
  player.root.replaceChildren(...[course(player), words(player, step), step.ask ? answer(player, step) : null].filter(Boolean));
  player.root.classList.toggle("asks", Boolean(step.ask));
}

/** Highlight what the step names; hide what its question asks for; let a click mark a choice. */
function light(player) {
  const { data } = player;
  const step = stepOf(player);
  const open = isOpen(step);
  const veil = Boolean(open && step.ask.hides);
  const { classList } = document.documentElement;
  classList.toggle("x-veiled", veil);
  // Fixes on the panel are changes that were tried: they tell also what a change would bring.
  classList.toggle("x-asked", Boolean(open));
  const marks = open && step.ask.choices.some(({ mark }) => mark);
  takePicks(marks ? (key) => mark(player, step, key) : veil ? () => {} : null);
  if (data.apart) {
    publishStep(player, null);
    return;
  }
  const chosen = step.ask ? step.ask.choices.filter(({ key }) => chosenOf().has(key)).map(({ mark: key }) => key) : [];
  const keys = new Set([...step.look, ...chosen.filter(Boolean)]);
  publishStep(player, {
    now: step.look[0] ?? null, waiting: new Set(), fresh: new Set(), made: EVERYTHING, hashed: EVERYTHING,
    chain: keys, edges: keys, veil, partitioners: Boolean(step.ask?.partitioners),
  });
}

function mark(player, step, key) {
  const choice = step.ask.choices.find((each) => each.mark === key);
  if (choice) choose(player, step, choice.key);
}

function chooseNumber(player, number) {
  const step = stepOf(player);
  const choice = isOpen(step) && step.ask.choices[number - 1];
  if (choice) choose(player, step, choice.key);
}

function choose(player, step, key) {
  const chosen = new Set(step.ask.many ? chosenOf() : []);
  if (chosen.has(key)) chosen.delete(key);
  else chosen.add(key);
  places.chosen.set(places.at, chosen);
  if (step.ask.many) draw(player);
  else reveal(player);
}

function reveal(player) {
  places.shown.add(places.at);
  select(player);
  draw(player);
}

/** How many are right, of all that were asked so far. */
function score(player) {
  let [good, all] = [0, 0];
  for (const at of places.shown) {
    const [hits, of] = scoreOf(player.data.steps[at].ask, places.chosen.get(at) ?? new Set());
    good += hits;
    all += of;
  }
  return [good, all];
}

/** As `Answer.score` in Python counts. */
function scoreOf(ask, chosen) {
  const good = ask.choices.filter(({ key, right }) => chosen.has(key) === right).length;
  return ask.many ? [good, ask.choices.length] : [Number(good === ask.choices.length), 1];
}

function button(text, onclick, properties = {}) {
  return element("button", { type: "button", textContent: text, onclick, ...properties });
}

/** The lessons of the course by their groups, the one that is played first in sight. */
function course(player) {
  const list = element("nav", { className: "course", "aria-label": "Lessons" });
  for (const { group, lessons } of player.data.course) {
    list.append(element("h3", { textContent: group }));
    for (const { key, title } of lessons) {
      const current = key === player.data.key ? { "aria-current": "true" } : {};
      list.append(button(title, () => player.send("opened", { key }), { title, ...current }));
    }
  }
  requestAnimationFrame(() => list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }));
  return list;
}

function words(player, step) {
  const { data } = player;
  const last = data.steps.length - 1;
  const bar = element("div", { className: "bar" });
  if (last > 0) {
    bar.append(
      button("← Back", () => go(player, places.at - 1), { disabled: places.at === 0 }),
      button("Next →", () => go(player, places.at + 1), { disabled: places.at === last, className: "next" }),
      element("span", { className: "count", textContent: `${places.at + 1} of ${last + 1}` }),
    );
  }
  const [good, all] = score(player);
  if (all) bar.append(element("span", { className: "score", textContent: `${good} of ${all} right` }));
  const sentence = [element("h4", { textContent: data.title }), element("p", { textContent: step.say })];
  const bubble = element("div", { className: "say", role: "status" }, bar, ...sentence);
  if (data.apart) {
    const back = button("Back to the lesson's pipeline", () => player.send("restored", {}));
    bubble.append(element("p", { className: "hint", textContent: "The pipeline was changed since; the lesson refers to the original version." }), back);
  } else if (places.at === last && data.next) {
    bubble.append(button(`Next lesson: ${data.next.title}`, () => player.send("opened", { key: data.next.key })));
  }
  return bubble;
}

function answer(player, step) {
  const open = isOpen(step);
  const { ask } = step;
  const choices = ask.choices.map((choice) => choiceRow(player, step, choice, open));
  const looks = { className: ask.many ? "choices many" : "choices", role: "group", "aria-label": ask.question };
  const group = element("div", looks, ...choices);
  const part = element("div", { className: "ask" }, element("strong", { textContent: ask.question }), group);
  if (open && ask.many) {
    const marks = ask.choices.some(({ mark: key }) => key);
    part.append(
      button("Reveal", () => reveal(player), { className: "reveal", title: "Key Enter" }),
      element("span", { className: "hint", textContent: marks ? "Mark them here, or click them in the StreamGraph." : "" }),
    );
  }
  if (!open) part.append(...reportOf(player, step));
  return part;
}

function choiceRow(player, step, choice, open) {
  const chosen = chosenOf().has(choice.key);
  const row = button("", () => choose(player, step, choice.key), { disabled: !open, "aria-pressed": String(chosen) });
  row.append(element("span", { textContent: choice.text }));
  const number = step.ask.choices.indexOf(choice) + 1;
  if (open && number <= 9) row.title = `Key ${number}`;
  if (!open) {
    row.classList.add(choice.right ? "right" : "wrong");
    row.prepend(element("i", { textContent: choice.right ? "✓" : "–" }));
    if (step.ask.many && chosen !== choice.right) {
      row.append(element("em", { textContent: chosen ? "wrong" : "not marked" }));
    }
    row.title = choice.reason;
  }
  return row;
}

function reportOf(player, step) {
  const { ask } = step;
  const [good, all] = scoreOf(ask, chosenOf());
  const verdict = good === all ? "Right." : ask.many ? `${good} of ${all} right.` : "Wrong.";
  const parts = [element("p", { className: good === all ? "verdict good" : "verdict bad", textContent: verdict })];
  parts.push(element("p", { className: "reason", textContent: ask.reason }));
  const reasons = ask.choices.filter(({ reason }) => reason);
  if (reasons.length) {
    const list = element("dl", { className: "reasons" });
    for (const choice of reasons) {
      const name = element("dt", {}, choice.mark ? button(choice.text, () => player.send("picked", { key: choice.mark })) : choice.text);
      list.append(name, element("dd", { textContent: choice.reason }));
    }
    parts.push(list);
  }
  if (step.change && !player.data.apart) {
    parts.push(button("Make this change on the page", () => player.send("tried", { step: places.at })));
  }
  parts.push(button("Ask again", () => {
    places.shown.delete(places.at);
    places.chosen.delete(places.at);
    select(player);
    draw(player);
  }));
  return parts;
}

function update(player, data) {
  if (!takeData(player, data)) return;
  if (places.document !== data.document) {
    Object.assign(places, { document: data.document, at: 0, chosen: new Map(), shown: new Set() });
    select(player);
  }
  places.at = nearestStep(player, places.at);
  draw(player);
}

function end(player) {
  withdrawStep(player);
  takePicks(null);
  document.documentElement.classList.remove("x-veiled", "x-asked");
  player.ignoreKeys();
  player.root.remove();
}

export default function mount(call) {
  return mounted(players, call, { create, update, end });
}
