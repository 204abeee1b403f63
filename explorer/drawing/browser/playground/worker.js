// The worker of the playground: it unpacks Pyodide and the explorer, and answers messages in their order.

import { decode } from "./base85.js";
import startKernel from "./kernel.js";

const TYPES = { wasm: "application/wasm", mjs: "text/javascript", zip: "application/zip" };

/** The compressed bytes of a file, which the page holds as text, or of which it names the address. */
async function compressed({ packed, size, url }) {
  if (!url) return new Blob([decode(packed, size)]).stream();
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be read: ${response.status}`);
  return response.body;
}

/** A file of the page, unpacked, and an address for it. */
async function unpacked([name, source]) {
  const stream = (await compressed(source)).pipeThrough(new DecompressionStream("gzip"));
  const type = TYPES[name.split(".").at(-1)];
  const blob = await new Response(stream, { headers: { "content-type": type } }).blob();
  return [name, { blob, address: URL.createObjectURL(blob) }];
}

/** Pyodide wants a worker of type module, which no browser starts from a file; `import` works in this one as well. */
function passForModule() {
  self.importScripts = () => {
    throw new TypeError("Module scripts import.");
  };
}

async function start({ files, lock }) {
  passForModule();
  const entries = Object.fromEntries(await Promise.all(Object.entries(files).map(unpacked)));
  const [python, runtime] = await Promise.all([import(entries["pyodide.mjs"].address), import(entries["pyodide.asm.mjs"].address)]);
  const settings = {
    // Pyodide adds the name of its program to this address: a fragment leaves it as it is.
    indexURL: `${entries["pyodide.asm.wasm"].address}#`,
    stdLibURL: entries["python_stdlib.zip"].address,
    createPyodideModule: runtime.default,
    lockFileContents: lock,
  };
  const archive = await entries["explorer.zip"].blob.arrayBuffer();
  return startKernel(python.loadPyodide, settings, new Uint8Array(archive));
}

let kernel = null;

self.onmessage = async ({ data }) => {
  try {
    if (kernel === null) {
      kernel = start(data);
      await kernel;
      self.postMessage({ ready: true });
    } else self.postMessage({ number: data.number, text: (await kernel)(data.text) });
  } catch (error) {
    self.postMessage({ failed: String(error?.message ?? error) });
  }
};
