// Pictures: a menu asks by name, the server answers with a file, and the browser saves, draws or copies it.

import { onCommand } from "../streamgraph-explorer.graph/command.js";
import { showFree } from "../streamgraph-explorer.graph/free.js";
import { element } from "../streamgraph-explorer.shared/dom.js";
import { mounted } from "../streamgraph-explorer.shared/mounted.js";
import { marksOf, onStep } from "../streamgraph-explorer.shared/step.js";
import { painted } from "./paint.js";
import { isDark } from "./theme.js";

const parts = new WeakMap();
/** Milliseconds that a message stays. */
const SHOWN = 2600;

/** What the step that is played does to each element, as lights of a drawing. */
function lightsOf(step) {
  if (!step) return {};
  const graphs = Object.values(globalThis.__graphs ?? {});
  const keys = graphs.flatMap((graph) => [...graph.keys(), ...graph.edges(), ...graph.boxes()]);
  const highlighted = keys.map((key) => {
    const marks = marksOf(step, key);
    return [key, Object.keys(marks).filter((mark) => marks[mark])];
  });
  return Object.fromEntries(highlighted.filter(([, lights]) => lights.length));
}

function createPart(parent) {
  const status = element("p", { role: "status" });
  parent.append(status);
  const part = { status, step: null, waiting: new Map() };
  part.say = (text) => {
    status.textContent = text;
    clearTimeout(part.timer);
    part.timer = setTimeout(() => (status.textContent = ""), SHOWN);
  };
  const stopSteps = onStep((step) => (part.step = step));
  const stopCommands = onCommand((name) => {
    const [verb, format, which] = name.split(":");
    const how = { picture: keep, show: (_, { blob }) => blob.text().then((page) => showFree(which, page)) }[verb];
    if (how) ask(part, format, which, how);
    return Boolean(how);
  });
  part.stop = () => {
    stopSteps();
    stopCommands();
  };
  return part;
}

/** Ask for a file; `use(part, file)` does with it what was asked for. */
function ask(part, format, which, use) {
  const serial = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  const answer = new Promise((answered) => part.waiting.set(serial, answered));
  const host = part.status.getRootNode().host ?? part.status;
  part.send("asked", { serial, format, which, dark: isDark(host), across: Boolean(globalThis.__graphs?.stream.across() || globalThis.__graphs?.job.across()), lights: lightsOf(part.step) });
  part.say("Drawing …");
  if (format === "copy") copy(part, answer);
  else answer.then((made) => use(part, made)).catch((error) => part.say(error.message));
}

/** The clipboard is only open while the click is: it is given a promise of the image. */
async function copy(part, answer) {
  try {
    const image = answer.then((made) => painted(made.blob));
    await navigator.clipboard.write([new ClipboardItem({ "image/png": image })]);
    part.say("Copied as an image");
  } catch (error) {
    part.say(`This browser does not let the page copy: ${error.message}`);
  }
}

async function keep(part, { blob, file, painted: how }) {
  const content = how ? await painted(blob) : blob;
  const link = element("a", { href: URL.createObjectURL(content), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  part.say(`Saved ${file}`);
}

function received(part, data) {
  const answered = data.serial && part.waiting.get(data.serial);
  if (!answered) return;
  part.waiting.delete(data.serial);
  const bytes = Uint8Array.from(atob(data.content), (letter) => letter.codePointAt(0));
  const type = data.painted ? "image/svg+xml" : data.mime;
  answered({ blob: new Blob([bytes], { type }), file: data.file, painted: data.painted });
}

function end({ stop, status }) {
  stop();
  status.remove();
}

export default function mount(call) {
  return mounted(parts, call, { create: createPart, update: received, end });
}
