// Which colours does the canvas use? The page's own, read anew whenever the theme changes.

const LIGHT = {
  ink: "#1c2430", mute: "#647084", line: "#cdd5e1", card: "#ffffff", ground: "#fbfbfc",
  pick: "#2563eb", glow: "#eaf1ff", cut: "#be123c", wire: "#8593a8", track: "#e9edf4",
  now: "#c2410c", onNow: "#fff0e5", waiting: "#475569", chain: "#0f766e", onChain: "#e3f5f2", edge: "#7c3aed",
};
const DARK = {
  ink: "#e6eaf0", mute: "#98a4b5", line: "#3a4556", card: "#1b222c", ground: "#12171e",
  pick: "#60a5fa", glow: "#1d2c45", cut: "#fb7185", wire: "#7c8aa0", track: "#2a3340",
  now: "#fb923c", onNow: "#3a2415", waiting: "#cbd5e1", chain: "#2dd4bf", onChain: "#12332f", edge: "#a78bfa",
};

/** The luminance, 0 to 1, of a CSS colour. */
function luminance(colour) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const ctx = canvas.getContext("2d", { willReadFrequently: true });
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, 1, 1);
  const [r, g, b] = ctx.getImageData(0, 0, 1, 1).data;
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

/** Read the theme that applies to `element`. */
export function readTheme(element) {
  const style = getComputedStyle(element);
  const dark = luminance(style.getPropertyValue("--st-background-color") || "#fff") < 0.5;
  const sans = style.getPropertyValue("--st-font") || "sans-serif";
  const mono = style.getPropertyValue("--st-code-font") || "monospace";
  return { ...(dark ? DARK : LIGHT), dark, sans, mono };
}

/** A colour with an alpha; `colour` is #rrggbb. */
export function faint(colour, alpha) {
  return colour + Math.round(alpha * 255).toString(16).padStart(2, "0");
}
