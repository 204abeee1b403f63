// A button that copies the page's address, which holds the whole state.

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

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByHand(text);
  }
}

export default function mount({ data, parentElement }) {
  let button = parentElement.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    parentElement.append(button);
  }
  button.textContent = data.label;
  button.title = data.help;
  button.onclick = async () => {
    button.textContent = (await copy(globalThis.location.href)) ? data.done : data.failed;
    setTimeout(() => {
      button.textContent = data.label;
    }, 1600);
  };
  return () => button.remove();
}
