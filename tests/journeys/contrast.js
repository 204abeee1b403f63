// Every text on the page that is shown and can be used, with less contrast to its ground than asked: a line each.
(least) => {
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const remembered = (compute, known = new Map()) => (key) => known.get(key) ?? known.set(key, compute(key)).get(key);
  const colour = remembered((text) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = text;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  });
  const over = (top, below) => [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3])).concat(1);
  const around = (element) => element.parentElement ?? element.getRootNode().host;
  const ground = remembered((element) => {
    const layer = colour(getComputedStyle(element).backgroundColor);
    if (layer[3] === 1) return layer;
    return over(layer, around(element) ? ground(around(element)) : [255, 255, 255, 1]);
  });
  const opacity = remembered((element) => Number(getComputedStyle(element).opacity) * (around(element) ? opacity(around(element)) : 1));
  const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) => 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

  const entered = (element) => element.matches("input:not([type=range], [type=checkbox], [type=radio], [type=file]), textarea");
  const said = (element) =>
    entered(element)
      ? element.value || element.placeholder
      : [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join("").trim();
  const seen = (element) => {
    const [box, style] = [element.getBoundingClientRect(), getComputedStyle(element)];
    if (box.width < 2 || box.height < 2 || style.visibility === "hidden" || style.clip !== "auto") return false;
    return !element.closest(":disabled, [aria-disabled=true], script, style, title, noscript, template");
  };
  const faint = (element) => {
    const below = ground(element);
    const empty = entered(element) && !element.value;
    const [red, green, blue, alpha] = colour(getComputedStyle(element, empty ? "::placeholder" : null).color);
    const ink = [red, green, blue, alpha * opacity(element)];
    return ink[3] === 0 ? Infinity : ratio(light(over(ink, below)), light(below));
  };
  const found = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      const text = said(element);
      if (!text || !seen(element)) continue;
      const contrast = faint(element);
      if (contrast < least) found.push(`${contrast.toFixed(2)} ${element.tagName} ${text.slice(0, 40)}`);
    }
  };
  walk(document);
  return found;
}
