// How does a text reach the clipboard, also where the page is not served over HTTPS?

/** Milliseconds for which a button shows its result. */
const SHOWN = 2500;

function copyByHand(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

/** Copy a text; answers whether it could. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByHand(text);
  }
}

/** Copy a text for who pressed a button, on which one of two words then stands for a while. */
export async function copyFor(button, text, done, failed) {
  // A second press may come while the first one's word still stands.
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = (await copyText(text)) ? done : failed;
  setTimeout(() => (button.textContent = label), SHOWN);
}
