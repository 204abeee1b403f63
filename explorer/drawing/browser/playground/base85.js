// Bytes as text, five letters for four bytes: a fourth longer than the bytes, where base64 is a third longer.

/** The letters of Python's `base64.b85encode`, with a comma in place of "<", which could end the page's element. */
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";

/** The `size` bytes that a text stands for. */
export function decode(text, size) {
  const values = new Uint8Array(128);
  [...LETTERS].forEach((letter, value) => { values[letter.charCodeAt(0)] = value; });
  const view = new DataView(new ArrayBuffer(Math.ceil(size / 4) * 4));
  for (let from = 0, to = 0; to < size; from += 5, to += 4) {
    let word = 0;
    // What is missing at the end counts as the last letter, as in Python.
    for (let at = from; at < from + 5; at += 1) word = word * 85 + (at < text.length ? values[text.charCodeAt(at)] : 84);
    view.setUint32(to, word);
  }
  return new Uint8Array(view.buffer, 0, size);
}
