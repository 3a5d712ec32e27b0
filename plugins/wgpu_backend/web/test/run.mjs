// Runs the tests in this folder with node: each is bundled with the sources that it tests.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gpucore-test-"));
try {
  const names = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
  await build({
    entryPoints: names.map((name) => join(here, name)), bundle: true, platform: "node", format: "esm", outdir: folder,
    outExtension: { ".js": ".mjs" },
  });
  const built = readdirSync(folder).map((name) => join(folder, name));
  execFileSync(process.execPath, ["--test", ...built], { stdio: "inherit" });
} catch (error) {
  process.exitCode = error.status ?? 1;
  if (error.status === undefined) console.error(error);
} finally {
  rmSync(folder, { recursive: true });
}
