// Writes codemirror.js and the licences of all packages in it into a folder: node build.js [FOLDER], default the editor of explorer/drawing/browser.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "..", "..", "..", "..", "explorer", "drawing", "browser", "editor");
const built = await build({
  absWorkingDir: here,
  entryPoints: ["entry.js"],
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "none",
  target: "es2022",
  metafile: true,
  outfile: join(folder, "codemirror.js"),
});

/** The packages of which a part is in the bundle, by name. */
const packages = new Set(
  Object.keys(Object.values(built.metafile.outputs)[0].inputs)
    .map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1])
    .filter(Boolean),
);
const texts = [...packages].sort().map((name) => {
  const home = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const file = readdirSync(home).find((one) => /^licen[cs]e/i.test(one));
  return `${name} ${version}, ${license}\n\n${readFileSync(join(home, file), "utf8").trim()}\n`;
});
writeFileSync(join(folder, "codemirror.LICENSES.txt"), texts.join(`\n${"-".repeat(72)}\n\n`));
