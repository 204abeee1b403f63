// Which colours does the canvas use? Those that it is sent, chosen anew whenever the theme changes.

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

/** Whether `element` stands on a dark ground. */
export function isDark(element) {
  return luminance(getComputedStyle(element).getPropertyValue("--st-background-color") || "white") < 0.5;
}

/** Read the theme that applies to `element`; of each of `colours`, one is for a dark ground; `looks`: shapes. */
export function readTheme(element, colours, looks) {
  const style = getComputedStyle(element);
  const dark = isDark(element);
  const sans = style.getPropertyValue("--st-font") || "sans-serif";
  const mono = style.getPropertyValue("--st-code-font") || "monospace";
  const chosen = Object.entries(colours).map(([part, pair]) => [part, pair[dark ? 1 : 0]]);
  return { ...Object.fromEntries(chosen), dark, sans, mono, looks };
}

/** A colour with an alpha; `colour` is #rrggbb. */
export function faint(colour, alpha) {
  return colour + Math.round(alpha * 255).toString(16).padStart(2, "0");
}
