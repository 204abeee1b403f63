// An SVG as points. It is painted twice as large as it is, or as large as a canvas can be.

const WANTED = 2;
/** Pixels of a canvas's side, and of all of it, that browsers still take. */
const [LONGEST, MOST] = [16000, 120e6];

/** The PNG of an SVG's blob; fails where the drawing is too large for one. */
export async function painted(svg) {
  const url = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    const scale = Math.min(WANTED, LONGEST / width, LONGEST / height, Math.sqrt(MOST / (width * height)));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise((made) => canvas.toBlob(made, "image/png"));
    if (!png) throw new Error("The drawing is too large for a PNG; an SVG or a PDF holds it");
    return png;
  } finally {
    URL.revokeObjectURL(url);
  }
}
