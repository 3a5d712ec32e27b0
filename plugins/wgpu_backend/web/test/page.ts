/** A page's script, which the declarations of the built module must accept; it is not run. */

import * as gpucore from "../../src/gpucore_wgpu/page/gpucore.js";

export async function page(): Promise<void> {
  const device: gpucore.Device = await gpucore.openDevice({ powerPreference: "low-power" });
  const module = await device.load("kernels.json");
  const x = device.array(new Float32Array(6), { shape: [2, 3] });
  const y = device.empty("u32x2", 3);
  module.kernels.saxpy!({ a: 2, x, y, v: [1, 2, 3], p: { mass: 1, at: [0, 0] }, b: true, n: 3n }, { invocations: x });
  const floats: Float32Array = await x.read();
  const words: Uint32Array = await y.read();
  const body = module.structs.Body!;
  const bodies = device.array([{ mass: 1 }], { element: body });
  const bytes: ArrayBuffer = await bodies.read();
  const { result } = module.sequences.sort_1m!({ keys: y });
  const sorted: gpucore.TypedArray | ArrayBuffer = await result!.read();
  const { ms, clock }: gpucore.Elapsed = await device.time(() => device.record(() => undefined).replay());
  const limit: number = device.limits.maxBufferSize;
  // @ts-expect-error: an array is read to another type
  const wrong: Int32Array = await x.read();
  // @ts-expect-error: there is no such type of elements
  device.empty("f33", 3);
  console.log(floats, words, gpucore.unpack(body, bytes), sorted, ms, clock, limit, wrong);
}
