// The page without a server: the widget, the editor and the reports, with the compiler in a worker.

import mountEditor from "../editor/main.js";
import widget from "../page/widget.js";
import { element } from "../shared/dom.js";
import { startWorker } from "./client.js";
import { createModel } from "./model.js";
import { createReports } from "./reports.js";

const { first, samples, schema, sheets, lock, script } = JSON.parse(document.getElementById("prepared").textContent);
const DOWNLOADS = [["document", "Document"], ["svg", "SVG"], ["html", "HTML page"], ["mermaid", "Mermaid"], ["dot", "Graphviz DOT"], ["compiled", "Compiled graphs (JSON)"]];
/** Bytes of a file that is read; the compiler's own limits are lower. */
const LARGEST = 64 * 1024 * 1024;
const address = new URLSearchParams(location.hash.slice(1));
const place = (name) => document.getElementById(name);

function files() {
  const entries = [...document.querySelectorAll("script[data-file]")].map((script) => {
    const { file, url, size } = script.dataset;
    return [file, url ? { url: new URL(url, location.href).href } : { packed: script.textContent, size: Number(size) }];
  });
  return Object.fromEntries(entries);
}

function base64(buffer) {
  const bytes = new Uint8Array(buffer);
  const pieces = [];
  for (let at = 0; at < bytes.length; at += 32768) pieces.push(String.fromCharCode(...bytes.subarray(at, at + 32768)));
  return btoa(pieces.join(""));
}

function say(sentence) {
  place("status").textContent = sentence;
}

const worker = startWorker({ script, lock, files: files() }, {
  ready: () => document.documentElement.dataset.ready = "",
  failed: (sentence) => say(`The compiler cannot run in this browser: ${sentence}`),
  idle: () => say(""),
});

const ask = (message) => worker.ask(message, (answer, last) => apply(answer, last, message.do !== "traits"));
const silence = { patience: 120000, sentence: "The compiler does not answer. Reload the page." };
const model = createModel({ ...first.traits, _sheets: sheets, _still: "", _silence: silence }, ask);
const select = (key) => {
  model.set("_picked", key);
  model.save_changes();
};
const reports = createReports(place("reports"), (name, take) => worker.ask({ do: "report", name }, (answer) => take(answer.report ?? { name, sentence: answer.traits._scene.refused })), select);

function apply(answer, last, redraw) {
  if (answer.link) copyLink(answer.link);
  if (answer.file) download(answer.file);
  if (!answer.traits) return;
  // A newer selection is on its path to the compiler while answers are awaited.
  if (!last) delete answer.traits._picked;
  model.apply(answer.traits, redraw);
  showEditor(answer.editor);
  showBaseline(answer.baseline);
  if (last && redraw) reports.refresh();
}

function showEditor(editor) {
  place("too-long").hidden = editor !== null;
  if (editor === null) return;
  const data = { ...editor, schema: editor.readonly ? null : schema };
  mountEditor({ data, parentElement: place("text"), setTriggerValue: (name, value) => ask(name === "typed" ? { do: "type", ...value } : { do: "undo" }) });
}

function showBaseline(name) {
  place("baseline").textContent = name ?? "none";
  place("forget").hidden = name === null;
}

function download({ name, text }) {
  const url = URL.createObjectURL(new Blob([text]));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function copyLink(link) {
  history.replaceState(null, "", `#s=${link}`);
  const what = "it holds the document and works without a server";
  const frame = `<iframe src="${location.href}&view=embed" width="900" height="560"></iframe>`;
  navigator.clipboard?.writeText(place("share").dataset.frame ? frame : location.href)
    .then(() => say(`Copied: ${what}.`), () => say(`The link is in the address bar: ${what}.`));
}

async function read(file, message) {
  if (file.size > LARGEST) say(`${file.name} is larger than 64 MB.`);
  else ask({ ...message, name: file.name, content: base64(await file.arrayBuffer()) });
}

function listen() {
  place("sample").append(...samples.map(({ group, entries }) => {
    const options = entries.map(({ key, title }) => element("option", { value: key, textContent: title }));
    const part = element("optgroup", {}, ...options);
    part.label = group;
    return part;
  }));
  place("sample").onchange = ({ target }) => target.value && ask({ do: "sample", key: target.value });
  for (const [name, message] of [["open", { do: "upload" }], ["deployed", { do: "baseline" }]]) {
    place(name).onchange = async ({ target }) => {
      if (target.files.length) await read(target.files[0], message);
      target.value = "";
    };
  }
  place("download").append(...DOWNLOADS.map(([value, text]) => element("option", { value, textContent: text })));
  place("download").onchange = ({ target }) => {
    const whole = target.value === "document" || target.value === "compiled";
    ask(whole ? { do: target.value } : { do: "picture", ending: target.value });
    target.value = "";
  };
  for (const name of ["share", "frame"]) {
    place(name).onclick = () => {
      place("share").dataset.frame = name === "frame" ? "1" : "";
      ask({ do: "link" });
    };
  }
  place("current").onclick = () => ask({ do: "baseline", current: true });
  place("forget").onclick = () => ask({ do: "forget" });
  document.ondragover = (event) => event.preventDefault();
  document.ondrop = (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) read(event.dataTransfer.files[0], { do: "upload" });
  };
}

listen();
reports.bar.append(place("deployed-version"));
document.documentElement.dataset.view = address.get("view") ?? "";
widget().render({ model, el: place("board") });
showEditor(first.editor);
showBaseline(first.baseline);
if (address.get("s")) ask({ do: "follow", link: address.get("s") });
else if (address.get("sample")) ask({ do: "sample", key: address.get("sample") });
