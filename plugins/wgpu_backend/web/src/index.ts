/**
 * Runs the kernels that gpucore wrote for a page, by WebGPU.
 *
 * ```js
 * import * as gpucore from "./gpucore.js";
 *
 * const device = await gpucore.openDevice();
 * const module = await device.load("kernels.json");
 * const x = device.array(new Float32Array([1, 2, 3]));
 * const y = device.empty("f32", 3);
 * module.kernels.saxpy({ a: 2, x, y });
 * console.log(await y.read());
 * ```
 */

export { openDevice, Device, Recording } from "./device.js";
export type { DeviceInfo, ElementOf, OpenOptions } from "./device.js";
export { DeviceArray } from "./arrays.js";
export type { ArrayData, Shape } from "./arrays.js";
export type { DataOf, ElementType, ScalarName, StructField, StructType, TypedArray, VectorName } from "./dtypes.js";
export { ArgumentError, DeviceError, GpucoreError, KernelError } from "./errors.js";
export type { Failure } from "./errors.js";
export type { Counts, Triple } from "./grid.js";
export type { Argument, GridOptions, Kernel } from "./kernel.js";
export type { Module, Source } from "./load.js";
export type { Bound, Form, Manifest, Parameter, Part, Place } from "./manifest.js";
export type { Scalar } from "./numbers.js";
export { Queue } from "./queue.js";
export type { Elapsed } from "./queue.js";
export type { PipelineSource } from "./pipelines.js";
export type { Sequence } from "./sequence.js";
export { pack, unpack } from "./structs.js";
export type { StructValue } from "./structs.js";
