// The nine sorts of `gpucore demo`, and two larger ones, each checked as a whole.

import { cell, enabled, ms } from "./cells.js";

const floats = new Float32Array([3.14, -2.5, 0, NaN, 1e-40, -Infinity, 2.71, -0, Infinity, -1e30, 0.5, -0.125]);
const example = new Uint32Array([42, 7, 999, 1, 500, 33, 87, 250]);
const signed = new Int32Array([-5, 10, 0, -100, 42, -(2 ** 31), 2 ** 31 - 1, -1]);

function shuffled() {
  const values = Float32Array.from({ length: 1000 }, (_, at) => -1000 + (2000 * at) / 999);
  for (let at = values.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [values[at], values[other]] = [values[other], values[at]];
  }
  return values;
}

function random(count) {
  const values = new Uint32Array(count);
  for (let first = 0; first < count; first += 16384) crypto.getRandomValues(values.subarray(first, first + 16384));
  return values;
}

const NINE = [
  ["u32, a small example", "u32", () => [example], false],
  ["i32 with negatives", "i32", () => [signed], false],
  ["f32 with fractions, infinities, NaN and both zeros", "f32", () => [floats], false],
  ["u32, descending", "u32", () => [example], true],
  ["1,000 shuffled f32", "f32", () => [shuffled()], false],
  ["i32, descending", "i32", () => [signed], true],
  ["f32, descending", "f32", () => [floats], true],
  ["100,000 random u32", "u32", () => [random(100_000)], false],
  ["u32 that is sorted already, and all equal", "u32",
    () => [Uint32Array.from({ length: 1000 }, (_, at) => at), new Uint32Array(1000).fill(7)], false],
];
const LARGE = { "run-million": 1_000_000, "run-ten-million": 10_000_000 };

export function showSorts(device, module) {
  const rows = document.getElementById("sort-rows");
  const run = async (demos) => {
    enabled("#sorts button", false);
    try {
      for (const demo of demos) await sortAll(device, module, rows, demo);
    } finally {
      enabled("#sorts button", true);
    }
  };
  document.getElementById("run-sorts").onclick = () => {
    rows.replaceChildren();
    run(NINE);
  };
  for (const [id, count] of Object.entries(LARGE)) {
    const title = `${count.toLocaleString("en")} random u32`;
    document.getElementById(id).onclick = () => run([[title, "u32", () => [random(count)], false]]);
  }
}

async function sortAll(device, module, rows, [title, dtype, make, descending]) {
  for (const values of make()) {
    const row = rows.insertRow();
    cell(row, title);
    try {
      const sequence = module.sequences[`sort_${dtype}_${values.length}_${descending ? "down" : "up"}`];
      const keys = device.array(values);
      sequence({ keys }).result.destroy(); // compiles
      await device.finish();
      const began = performance.now();
      const { result } = sequence({ keys });
      await device.finish();
      const own = performance.now() - began;
      const found = await result.read();
      keys.destroy();
      result.destroy();
      const [wanted, theirs] = reference(values, descending);
      const wrong = differences(found, wanted);
      cell(row, `${shown(found.subarray(0, 4))} … ${shown(found.subarray(-4))}`, "values");
      cell(row, ms(own), "number");
      cell(row, ms(theirs), "number");
      cell(row, wrong ? `${wrong} of ${values.length} are wrong` : "right", wrong ? "bad" : "good");
    } catch (error) {
      cell(row, error.message, "bad").colSpan = 4;
    }
  }
}

// Floats are in the total order of IEEE 754: -NaN, -Infinity, ..., -0, 0, ..., Infinity, NaN.
function reference(values, descending) {
  const began = performance.now();
  let sorted = values.slice();
  if (values instanceof Float32Array) {
    const keys = new Uint32Array(sorted.buffer);
    keys.forEach((bits, at) => (keys[at] = bits >>> 31 ? ~bits : bits | 0x80000000));
    keys.sort();
    keys.forEach((key, at) => (keys[at] = key >>> 31 ? key & 0x7fffffff : ~key));
    sorted = new Float32Array(keys.buffer);
  } else {
    sorted.sort();
  }
  if (descending) sorted.reverse();
  return [sorted, performance.now() - began];
}

function differences(found, wanted) {
  const [left, right] = [found, wanted].map((each) => new Uint32Array(each.buffer, each.byteOffset, each.length));
  return left.reduce((count, bits, at) => count + (bits !== right[at] ? 1 : 0), 0);
}

function shown(values) {
  const text = (value) => (Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7))));
  return Array.from(values, (value) => (Object.is(value, -0) ? "-0" : text(value))).join(" ");
}
