// The kernel's answers in Node: node answers.mjs PYODIDE FOLDER prints them as a list.
// FOLDER has messages.json, a list, kernel.mjs, and the unpacked archives of the playground.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const { default: startKernel } = await import(pathToFileURL(join(folder, "kernel.mjs")));
const settings = { indexURL: pyodide, stdLibURL: join(folder, "python_stdlib.zip") };
const answer = await startKernel(loadPyodide, settings, new Uint8Array(readFileSync(join(folder, "explorer.zip"))));
const messages = JSON.parse(readFileSync(join(folder, "messages.json"), "utf8"));
process.stdout.write(`[${messages.map((message) => answer(JSON.stringify(message))).join(",")}]`);
