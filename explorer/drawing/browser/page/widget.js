// The widget of a notebook: what the middle of the page does, with the kernel in the server's place.

import { foldedStep, onStep, handlesPick } from "../shared/step.js";
import mountLesson from "../lesson/main.js";
import mountStepper from "../stepper/main.js";
import { createBoards, selectIn } from "./boards.js";
import { details, element } from "./details.js";
import { form, heldField } from "./forms.js";
import { followTheme } from "./notebook_theme.js";
import { createTools } from "./tools.js";

const HINT = "Select an operator, a chain, a task or an edge.";
const SILENT = "The kernel does not answer. Run the cell again to change the graph.";
/** Milliseconds that the kernel has for an answer. */
const PATIENCE = 6000;

function skeleton(model) {
  const parts = {
    name: element("h1", ""), counts: element("p", "counts"), refused: element("p", "refused"),
    main: element("main", ""), aside: element("aside", ""), steps: element("section", "steps"),
    lessons: element("section", "lessons"), tools: createTools(),
  };
  parts.refused.setAttribute("role", "alert");
  parts.aside.setAttribute("aria-live", "polite");
  const header = element("header", "", parts.name, parts.counts, parts.tools.root);
  const root = element("div", "widget sheet", header, parts.refused, parts.main, parts.steps, parts.lessons);
  return { ...parts, root, style: element("style", "", model.get("_sheets")) };
}

/** What a notebook without a kernel shows in this widget's place is hidden while the widget is there. */
function hideStill(id) {
  const still = `[data-still-of="${id}"]`;
  const style = element("style", "", `${still}, .jp-OutputArea-child:has(${still}) { display: none; }`);
  document.head.append(style);
  return () => style.remove();
}

/** Keys that are pressed in here are no commands to the notebook, but for those with Control or Alt. */
function keepKeys(host) {
  const keep = ({ ctrlKey, metaKey, altKey }) => {
    const typing = host.shadowRoot.activeElement?.matches("input, select");
    host.toggleAttribute("data-lm-suppress-shortcuts", typing || !(ctrlKey || metaKey || altKey));
  };
  // JupyterLab looks at the attribute on the way down to the focus, from the document on.
  window.addEventListener("keydown", keep, true);
  return () => window.removeEventListener("keydown", keep, true);
}

class Board {
  constructor(model, host) {
    this.model = model;
    this.parts = skeleton(model);
    this.boards = [];
    this.shadow = host.attachShadow({ mode: "open" });
    this.shadow.append(this.parts.style, this.parts.root);
    this.parts.tools.listen((message) => this.ask(message), (name) => this.toggle(name));
    this.parts.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.pick(null);
    });
  }

  get scene() {
    return this.model.get("_scene");
  }

  /** Ask the kernel for a change; it answers with a scene, whatever it thinks of it. */
  ask(message) {
    clearTimeout(this.silence);
    // The playground's compiler may still be starting, and is no kernel.
    const { patience, sentence } = this.model.get("_silence") ?? { patience: PATIENCE, sentence: SILENT };
    this.silence = setTimeout(() => this.refuse(sentence), patience);
    this.parts.root.classList.add("waiting");
    this.model.send(message);
  }

  answered() {
    clearTimeout(this.silence);
    this.parts.root.classList.remove("waiting");
  }

  refuse(sentence) {
    this.answered();
    this.parts.refused.textContent = sentence;
  }

  /** Open or close the steps, or the lesson. */
  toggle(name) {
    this.model.set(name, !this.model.get(name));
    this.model.save_changes();
  }

  /** Select what was clicked, unless a lesson's question uses the click as its answer. */
  click(key) {
    if (!handlesPick(key)) this.pick(key);
  }

  pick(key) {
    this.model.set("_picked", key);
    this.model.save_changes();
    this.light();
  }

  draw() {
    const { scene, parts } = this;
    const held = heldField(this.shadow);
    this.refuse(scene.refused);
    parts.name.textContent = scene.name;
    parts.counts.textContent = scene.counts;
    parts.tools.show(scene);
    parts.main.className = scene.arrangement;
    parts.main.innerHTML = scene.graphs.join("");
    parts.main.append(parts.aside);
    this.boards = createBoards(parts.main, (key) => this.click(key));
    this.light();
    this.lightStep(this.step ?? null);
    if (held) parts.aside.querySelector(`[data-field="${held}"]`)?.focus();
  }

  light() {
    const { scene, parts } = this;
    const wanted = this.model.get("_picked");
    const key = wanted in scene.facts.parts ? wanted : null;
    selectIn(this.boards, scene.facts.counterparts, key);
    if (key === null) parts.aside.replaceChildren(element("h2", "", "Details"), element("p", "hint", HINT));
    else {
      const fields = scene.forms[key] ?? [];
      const [kind, name, ...rest] = details(scene.facts, key);
      parts.aside.replaceChildren(kind, name, ...form(fields, (field, value) => this.ask({ do: "set", key, field, value })), ...rest);
    }
    parts.aside.scrollTop = 0;
  }

  /** Open the player if the kernel sent steps, and close it if the kernel removed them. */
  showSteps() {
    const steps = this.model.get("_steps");
    this.parts.tools.pressed("playing", Boolean(this.model.get("playing")));
    this.parts.root.classList.toggle("playing", steps !== null);
    if (steps === null) this.closeSteps();
    else {
      const data = { ...steps, document: this.scene.name, label: "Steps", alone: true };
      this.stopPlayer = mountStepper({ data, parentElement: this.parts.steps });
    }
  }

  closeSteps() {
    this.stopPlayer?.();
    this.stopPlayer = null;
  }

  /** Open the lesson where the kernel sent one; it is played here, and changes the graph there. */
  showLesson() {
    const lesson = this.model.get("_lesson");
    this.parts.tools.pressed("learning", Boolean(this.model.get("learning")));
    this.parts.root.classList.toggle("learning", lesson !== null);
    if (lesson === null) this.closeLesson();
    else {
      const data = { ...lesson, document: lesson.title, alone: true };
      this.stopLesson = mountLesson({ data, parentElement: this.parts.lessons, setTriggerValue: (name, value) => this.takeStep(name, value) });
    }
  }

  /** What a lesson's player asks for. */
  takeStep(name, value) {
    if (name === "picked") this.pick(value.key);
    else if (name === "tried") this.ask({ do: "try", step: value.step });
    else if (name === "restored") this.ask({ do: "restore" });
  }

  closeLesson() {
    this.stopLesson?.();
    this.stopLesson = null;
  }

  lightStep(shown) {
    this.step = shown;
    this.parts.root.classList.toggle("veiled", Boolean(shown?.veil));
    const { counterparts } = this.scene.facts;
    const step = shown && this.scene.folded ? foldedStep(shown, (key) => counterparts[key]?.[0] ?? key) : shown;
    for (const board of this.boards) board.play(step);
  }
}

function render({ model, el }) {
  const host = element("div", "");
  el.append(host);
  const board = new Board(model, host);
  const listeners = { "change:_scene": () => board.draw(), "change:_picked": () => board.light(), "change:_steps": () => board.showSteps(), "change:_lesson": () => board.showLesson() };
  for (const [name, does] of Object.entries(listeners)) model.on(name, does);
  const ends = [keepKeys(host), hideStill(model.get("_still")), followTheme(board.parts.root), onStep((step) => board.lightStep(step))];
  board.draw();
  board.showSteps();
  board.showLesson();
  return () => {
    for (const [name, does] of Object.entries(listeners)) model.off(name, does);
    for (const end of ends) end();
    board.closeSteps();
    board.closeLesson();
    host.remove();
  };
}

export default function widget() {
  return { render };
}
