// WGSL to MSL and HLSL, many texts in one process. stdin: { texts: { name: wgsl } }.
// stdout: { naga: version, results: { name: { msl, hlsl, errors: { msl, hlsl } } }, panicked: name or null }.
// A panic leaves the WebAssembly instance unusable, so the process ends there: the caller sends the rest to another one.
import { readFileSync } from "node:fs";
import { NagaError, nagaVersion, parseWgsl, validate, writeHlsl, writeMsl } from "naga-wasm";

const WRITERS = {
  msl: (module, info) => writeMsl(module, info, { langVersion: [3, 1] }),
  hlsl: (module, info) => writeHlsl(module, info, { shaderModel: "6_2" }),
};

const { texts, only } = JSON.parse(readFileSync(0, "utf8"));
const answer = { naga: nagaVersion, results: {}, panicked: null };

function translated(name, text) {
  const result = (answer.results[name] = { msl: null, hlsl: null, errors: {} });
  let stage = "wgsl";
  try {
    const module = parseWgsl(text);
    const info = validate(module);
    for (stage of only) {
      try {
        result[stage] = WRITERS[stage](module, info);
      } catch (error) {
        if (!(error instanceof NagaError)) throw error;
        result.errors[stage] = `${error.kind}: ${error.formatted}`;
      }
    }
    module.free();
    info.free();
  } catch (error) {
    if (error instanceof NagaError) {
      for (const language of only) result.errors[language] = `${error.kind}: ${error.formatted}`;
      return true;
    }
    result.errors[stage] = `panic: ${error}`;
    return false;
  }
  return true;
}

for (const [name, text] of Object.entries(texts)) {
  if (!translated(name, text)) {
    answer.panicked = name;
    break;
  }
}
process.stdout.write(JSON.stringify(answer));
