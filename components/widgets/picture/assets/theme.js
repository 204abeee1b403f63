// Is the page light or dark? A picture is drawn for the ground that its user sees.

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
