// The widget's tools, which change the job as a whole: they stay while the graphs are drawn anew.

import { element } from "./details.js";

function button(text, title) {
  return Object.assign(element("button", "", text), { type: "button", title });
}

/** The tools; `show` gives them a scene's values, `listen` reports what is asked for. */
export function createTools() {
  const release = element("select", "");
  release.setAttribute("aria-label", "Flink release");
  const chaining = Object.assign(element("input", ""), { type: "checkbox" });
  const undo = button("Undo", "Undo the latest change");
  const players = {
    playing: button("Steps", "Play hashing and chaining step by step"),
    learning: button("Lesson", "Sentences and questions about this pipeline"),
  };
  const label = element("label", "", chaining, "Chaining");
  const root = element("div", "tools", release, label, undo, ...Object.values(players));
  const options = (releases) => releases.map((each) => Object.assign(element("option", "", `Flink ${each}`), { value: each }));
  return {
    root,
    show(scene) {
      if (release.length !== scene.releases.length) release.replaceChildren(...options(scene.releases));
      release.value = scene.release;
      chaining.checked = scene.chaining;
      undo.disabled = !scene.undo;
      for (const player of Object.values(players)) player.disabled = !scene.playable;
      players.learning.hidden = !scene.taught;
    },
    pressed: (name, on) => players[name].setAttribute("aria-pressed", String(on)),
    listen(ask, play) {
      release.addEventListener("change", () => ask({ do: "release", value: release.value }));
      chaining.addEventListener("change", () => ask({ do: "chaining", value: chaining.checked }));
      undo.addEventListener("click", () => ask({ do: "undo" }));
      for (const [name, player] of Object.entries(players)) player.addEventListener("click", () => play(name));
    },
  };
}
