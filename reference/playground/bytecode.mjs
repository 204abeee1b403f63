// Compile archives of modules in place, with Pyodide's own Python: node bytecode.mjs PYODIDE ARCHIVE...
// The last archive has the explorer. What its first answers import becomes bytecode without docstrings, so that a
// browser compiles no Python when it starts; all other modules stay text, which is smaller.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...archives] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: folder });
pyodide.runPython(`
import py_compile, zipfile
import sys
from pathlib import Path

ROOTS = (f"{next(path for path in sys.path if path.endswith('.zip'))}/", "/sources/")

def imported_files(archive):
    zipfile.ZipFile(archive).extractall("/sources")
    sys.path.insert(0, "/sources")
    from explorer.playground.page_kernel import Kernel

    kernel = Kernel()
    kernel.answer({"do": "baseline", "current": True})
    for name in ("ids", "check", "explain", "restore", "plan"):
        answer = kernel.answer({"do": "report", "name": name})
        if "report" not in answer:
            raise ImportError(answer["traits"]["_scene"]["refused"])
    files = [getattr(module, "__file__", None) or "" for module in sys.modules.values()]
    return {file.removeprefix(root) for file in files for root in ROOTS if file.startswith(root)}

def compiled(name, content):
    if name not in IMPORTED or not name.endswith(".py"):
        return name, content
    Path("/module.py").write_bytes(content)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    options = {"doraise": True, "optimize": 2, "invalidation_mode": unchecked}
    py_compile.compile("/module.py", "/module.pyc", name, **options)
    return name + "c", Path("/module.pyc").read_bytes()

def compile_archive(file):
    with zipfile.ZipFile(file) as archive:
        members = [compiled(name, archive.read(name)) for name in archive.namelist()]
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content)
`);
function compileAll() {
  pyodide.FS.writeFile("/explorer.zip", new Uint8Array(readFileSync(archives.at(-1))));
  pyodide.runPython('IMPORTED = imported_files("/explorer.zip")');
  const compileArchive = pyodide.globals.get("compile_archive");
  for (const archive of archives) {
    pyodide.FS.writeFile("/archive.zip", new Uint8Array(readFileSync(archive)));
    compileArchive("/archive.zip");
    writeFileSync(archive, pyodide.FS.readFile("/archive.zip"));
  }
}

try {
  compileAll();
} catch (error) {
  // Node would print Pyodide's source, which is one line of a megabyte.
  console.error(error.message);
  process.exitCode = 1;
}
