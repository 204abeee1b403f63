// The compiler in Pyodide: what a browser's worker and Node share. A message and its answer are JSON texts.

/** The folder of Pyodide's file system with the explorer, its libraries and the samples. */
const HOME = "/home/explorer";

/** Start Python with `settings`, unpack the explorer from `archive`, and give the function that answers a message. */
export default async function startKernel(loadPyodide, settings, archive) {
  const pyodide = await loadPyodide({ ...settings, env: { HOME, PYTHONDONTWRITEBYTECODE: "1" } });
  pyodide.unpackArchive(archive, "zip", { extractDir: HOME });
  pyodide.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(HOME)})`);
  const kernel = pyodide.pyimport("explorer.playground.page_kernel").Kernel();
  return (text) => kernel.answer_text(text);
}
