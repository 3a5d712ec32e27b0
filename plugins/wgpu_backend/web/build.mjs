// Builds dist/gpucore.js and dist/gpucore.d.ts, and copies them into the Python package, whose exporter gives them to
// pages. With --check it only says whether the package has what the sources build to.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "..", "src", "gpucore_wgpu", "page");
const { version, license } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const banner = `/* gpucore ${version}, ${license}. Built from plugins/wgpu_backend/web; do not edit. */\n`;
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

/** One ES module, without comments and blanks, with the names of the sources: messages and stacks show them. */
async function buildScript() {
  const result = await build({
    entryPoints: [join(here, "src", "index.ts")], bundle: true, format: "esm", target: "es2022", write: false,
    minifyWhitespace: true, minifySyntax: true, legalComments: "none", charset: "utf8",
  });
  return banner + result.outputFiles[0].text;
}

/** The declarations of all modules as one, of which only what index.ts exports can be imported. */
function buildTypes() {
  const folder = mkdtempSync(join(tmpdir(), "gpucore-types-"));
  try {
    runTsc("-p", here, "--outDir", folder);
    const parts = readdirSync(folder).sort().filter((name) => name !== "index.d.ts");
    const declarations = parts.map((name) => withoutModule(readFileSync(join(folder, name), "utf8")));
    const index = readFileSync(join(folder, "index.d.ts"), "utf8");
    const exported = [...index.matchAll(/^export (type )?\{([^}]*)\} from .*$/gm)];
    const names = exported.map(([, type, list]) => `export ${type ?? ""}{${list}};\n`);
    const doc = index.slice(0, index.indexOf("export "));
    const text = [banner, '/// <reference types="@webgpu/types" />\n', doc, ...declarations, ...names].join("");
    checkTypes(folder, text);
    return text;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function withoutModule(text) {
  return text
    .replace(/^import .*;\n/gm, "")
    .replace(/^export (type )?\{.*\};\n/gm, "")
    .replace(/^export (declare )?/gm, (_, declare) => declare ?? "")
    .replace(/^(const|class|function) /gm, "declare $1 ")
    .trimStart();
}

/** The declarations must stand alone: nothing in them may be of a module that was left out. */
function checkTypes(folder, text) {
  const file = join(folder, "gpucore.d.ts");
  writeFileSync(file, text.replace(/^\/\/\/ .*\n/m, ""));
  const roots = ["--typeRoots", join(here, "node_modules", "@webgpu"), "--types", "types"];
  runTsc("--noEmit", "--strict", "--target", "ES2022", "--lib", "ES2022,DOM,DOM.Iterable", ...roots, file);
}

function runTsc(...options) {
  try {
    execFileSync(process.execPath, [tsc, ...options], { encoding: "utf8" });
  } catch (error) {
    process.stderr.write(error.stdout);
    process.exit(1);
  }
}

const built = { "gpucore.js": await buildScript(), "gpucore.d.ts": buildTypes() };
if (process.argv.includes("--check")) {
  const stale = Object.keys(built).filter((name) => {
    try {
      return readFileSync(join(page, name), "utf8") !== built[name];
    } catch {
      return true;
    }
  });
  if (stale.length) {
    process.stderr.write(`${stale.join(", ")} in the Python package: not what the sources build to; npm run build\n`);
    process.exit(1);
  }
} else {
  for (const folder of [join(here, "dist"), page]) {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(built)) writeFileSync(join(folder, name), text);
  }
}
