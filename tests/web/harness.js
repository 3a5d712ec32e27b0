// Runs the code of the tests in the page: their arrays come and go as base64.

import * as gpucore from "./gpucore.js";

const HOLDERS = {
  bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array,
  uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array,
  float16: Uint16Array,
};
const printed = [];
const modules = new Map();
let device;

function decode(value) {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== "object" || value === null) return value;
  if ("bigint" in value) return BigInt(value.bigint);
  if (!("base64" in value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, decode(each)]));
  const bytes = Uint8Array.from(atob(value.base64), (character) => character.charCodeAt(0));
  const holder = HOLDERS[value.dtype];
  return holder ? new holder(bytes.buffer) : bytes.buffer;
}

function encode(value) {
  if (typeof value === "bigint") return { bigint: String(value) };
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return { base64: btoa(text), holder: value.constructor.name };
  }
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, encode(each)]));
}

window.opened = async () => {
  device ??= await gpucore.openDevice({ print: (line) => printed.push(line), debugRecords: undefined });
  return { features: [...device.features], info: device.info };
};

// `key` is that of a manifest that the server has; "" for none.
window.runTest = async (key, code, names, values) => {
  try {
    await window.opened();
    if (key && !modules.has(key)) modules.set(key, await device.load(`manifests/${key}.json`));
    printed.length = 0;
    const run = new Function("gpucore", "device", "module", "printed", ...names, `return (async () => { ${code} })()`);
    return { result: encode(await run(gpucore, device, modules.get(key), printed, ...values.map(decode))) };
  } catch (error) {
    const kind = error.name === "KernelError" ? error.kind : "";
    const place = error.name === "KernelError" ? [error.file, error.line, error.invocation, error.array, error.index] : null;
    return { error: { name: error.name, message: error.message, kind, place, printed: [...printed], stack: error.stack } };
  }
};
window.ready = true;
