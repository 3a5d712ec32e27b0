// Opens the device, loads the kernels that `gpucore export web` wrote, and shows the demos.

import * as gpucore from "./kernels/gpucore.js";
import { showPictures } from "./pictures.js";
import { showProducts } from "./products.js";
import { showSorts } from "./sorts.js";
import { showSources } from "./sources.js";

const status = document.getElementById("status");

async function main() {
  const manifest = await (await fetch("kernels/kernels.json")).json();
  showSources(manifest);
  const device = await gpucore.openDevice();
  device.lost.then((info) => explain(`The device is lost: ${info.message || info.reason}. Load the page again.`));
  const module = await device.load(manifest);
  const { vendor, architecture, description, isFallback } = device.info;
  const name = [vendor, architecture, description].filter(Boolean).join(", ") || "unnamed";
  status.textContent = `WebGPU device: ${name}${isFallback ? " (software: times say nothing of a GPU)" : ""}`;
  document.getElementById("main").hidden = false;
  showSorts(device, module);
  showProducts(device, module);
  await showPictures(device, module);
  document.documentElement.dataset.ready = "yes"; // for tests of the page
}

function explain(text) {
  const missing = document.getElementById("missing");
  missing.hidden = false;
  missing.textContent = text;
  status.textContent = "";
}

try {
  await main();
} catch (error) {
  explain(navigator.gpu ? String(error.message ?? error)
    : "This browser offers no WebGPU to this page. Chrome and Edge have it from version 113 on, Safari from 26, Firefox " +
      "from 141 (Windows) and 145 (macOS); on Linux start Chrome with --enable-unsafe-webgpu, or set " +
      "chrome://flags/#enable-unsafe-webgpu. The page must come from https or from localhost.");
  document.documentElement.dataset.ready = "no";
}
