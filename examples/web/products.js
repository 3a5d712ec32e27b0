// The matmul ladder: products of whole numbers, of which every sum is exact, so that each element can be compared.

import { cell, enabled, ms } from "./cells.js";

const VARIANTS = ["naive", "workgroup_256", "workgroup_2d", "tiling_1d", "tiling_2d", "shared_tile", "auto"];

export function showProducts(device, module) {
  const side = document.getElementById("side");
  for (const each of [256, 512, 1024]) side.add(new Option(String(each)));
  document.getElementById("run-products").onclick = async () => {
    enabled("#products button, #products select", false);
    try {
      await multiply(device, module, Number(side.value));
    } finally {
      enabled("#products button, #products select", true);
    }
  };
}

async function multiply(device, module, n) {
  const rows = document.getElementById("product-rows");
  rows.replaceChildren();
  const [x, y] = [0, 1].map(() => Float32Array.from({ length: n * n }, () => Math.floor(Math.random() * 19) - 9));
  const began = performance.now();
  const wanted = reference(x, y, n);
  addRow(rows, "JavaScript", performance.now() - began, n, "");
  const [a, b] = [x, y].map((each) => device.array(each, { shape: [n, n] }));
  for (const variant of VARIANTS) {
    const sequence = module.sequences[`matmul_${variant}_${n}`];
    try {
      sequence({ a, b }).result.destroy(); // compiles
      await device.finish();
      const start = performance.now();
      const { result } = sequence({ a, b });
      await device.finish();
      const time = performance.now() - start;
      const found = await result.read();
      result.destroy();
      const wrong = found.reduce((count, value, at) => count + (value !== wanted[at] ? 1 : 0), 0);
      addRow(rows, variant, time, n, wrong ? `${wrong} of ${n * n} are wrong` : "right");
    } catch (error) {
      const row = rows.insertRow();
      cell(row, variant);
      cell(row, error.message, "bad").colSpan = 3;
    }
  }
  a.destroy();
  b.destroy();
}

function addRow(rows, name, time, n, check) {
  const row = rows.insertRow();
  cell(row, name);
  cell(row, ms(time), "number");
  cell(row, ((2 * n ** 3) / time / 1e6).toFixed(1), "number");
  cell(row, check, check === "right" ? "good" : "bad");
}

function reference(x, y, n) {
  const product = new Float32Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = product.subarray(i * n, (i + 1) * n);
    for (let k = 0; k < n; k++) {
      const factor = x[i * n + k];
      const other = y.subarray(k * n, (k + 1) * n);
      for (let j = 0; j < n; j++) row[j] += factor * other[j];
    }
  }
  return product;
}
