/** Devices: opening one, making arrays on it, and waiting for it. */

import { bytesFor, checkShape, DeviceArray, type ArrayData, type Shape } from "./arrays.js";
import {
  checkElement, elementOf, isTypedArray, nbytesOf, shownElement, type DataOf, type ElementType, type TypedArray,
} from "./dtypes.js";
import { ArgumentError, DeviceError, shownValue } from "./errors.js";
import { loadModule, type Module, type Source } from "./load.js";
import { Queue, type Elapsed } from "./queue.js";
import { Diagnostics } from "./reports.js";

/** What `openDevice` may be told. */
export interface OpenOptions {
  /** Which of several GPUs. */
  powerPreference?: "low-power" | "high-performance";
  /** Features of WebGPU that the page cannot do without, such as "shader-f16"; without them opening fails. */
  features?: readonly string[];
  /** Takes the lines that kernels in debug mode print; by default `console.log`. */
  print?: (line: string) => void;
  /** How many lines and failures of a dispatch in debug mode are kept, from 1; by default 1 MiB of them. */
  debugRecords?: number;
}

/** What the browser tells of a device. Browsers may keep some of it empty. */
export interface DeviceInfo {
  vendor: string;
  architecture: string;
  device: string;
  description: string;
  /** Whether it is a program that does the work of a GPU on the CPU. */
  isFallback: boolean;
}

/** The element type of what typed arrays give without `element`. */
export type ElementOf<D> =
  D extends Float32Array ? "f32" : D extends Int32Array ? "i32" : D extends Uint32Array ? "u32"
  : D extends Uint8Array | Uint8ClampedArray ? "u8" : D extends Int8Array ? "i8" : D extends Uint16Array ? "u16"
  : D extends Int16Array ? "i16" : D extends BigInt64Array ? "i64" : D extends BigUint64Array ? "u64"
  : D extends Float64Array ? "f64" : ElementType;

const WANTED = ["shader-f16", "subgroups", "timestamp-query"];

/**
 * Opens a device, with all the limits that the GPU has, and with "shader-f16", "subgroups" and "timestamp-query" where
 * the browser offers them.
 *
 * ```js
 * const device = await gpucore.openDevice({ powerPreference: "high-performance" });
 * ```
 *
 * Throws a `DeviceError` that says what to enable if there is no WebGPU.
 */
export async function openDevice(options: OpenOptions = {}): Promise<Device> {
  checkRecords(options.debugRecords);
  const gpu = (globalThis.navigator as Navigator | undefined)?.gpu;
  if (!gpu) throw new DeviceError(whyNoWebGPU());
  const { powerPreference, features = [] } = options;
  const adapter = await gpu.requestAdapter(powerPreference ? { powerPreference } : {});
  if (!adapter) {
    throw new DeviceError(
      "this browser has WebGPU, but offers no GPU: see that hardware acceleration is on in its settings, and what " +
        "chrome://gpu or about:support say of WebGPU; on Linux, Chrome may need chrome://flags/#enable-unsafe-webgpu",
    );
  }
  const missing = features.filter((feature) => !adapter.features.has(feature as GPUFeatureName));
  if (missing.length) {
    throw new DeviceError(
      `this browser's GPU has no ${missing.join(", ")}; it has ` +
        ([...adapter.features].sort().join(", ") || "nothing optional"),
    );
  }
  const wanted = [...new Set([...WANTED, ...features])].filter((name) => adapter.features.has(name as GPUFeatureName));
  const handle = await adapter.requestDevice({
    requiredFeatures: wanted as GPUFeatureName[], requiredLimits: limitsOf(adapter),
  });
  return new Device(handle, adapter, options);
}

/** A device of the browser. {@link openDevice} opens one. */
export class Device {
  /** The device of WebGPU itself, to share it with other code of the page. */
  readonly gpu: GPUDevice;
  readonly info: DeviceInfo;
  /** The features of WebGPU that the device was opened with. */
  readonly features: ReadonlySet<string>;
  readonly limits: GPUSupportedLimits;
  /** Tells when the device is gone: the GPU was reset, or `destroy` was called. */
  readonly lost: Promise<GPUDeviceLostInfo>;
  /** What kernels are run with, on plain numbers and bytes. */
  readonly queue: Queue;
  /** @internal */
  readonly reports: Diagnostics;
  #recorded: (() => void)[] | null = null;

  /** @internal */
  constructor(gpu: GPUDevice, adapter: GPUAdapter, options: OpenOptions) {
    this.gpu = gpu;
    const { vendor, architecture, device, description } = adapter.info;
    const isFallback = Boolean((adapter.info as { isFallbackAdapter?: boolean }).isFallbackAdapter);
    this.info = { vendor, architecture, device, description, isFallback };
    this.features = gpu.features;
    this.limits = gpu.limits;
    this.lost = gpu.lost;
    this.queue = new Queue(gpu);
    const print = options.print ?? ((line: string) => console.log(line));
    this.reports = new Diagnostics(this.queue, gpu.limits.maxStorageBufferBindingSize, print, options.debugRecords);
  }

  /**
   * An array with the elements of a typed array; by default of one axis.
   *
   * ```js
   * device.array(new Float32Array(12), { shape: [3, 4] });
   * device.array(new Float32Array(12), { element: "f32x4" });        // three vectors
   * device.array([{ position: [0, 1], mass: 2 }], { element: module.structs.Particle });
   * device.array(new Uint16Array(4), { element: "f16" });            // of the bits of f16
   * ```
   */
  array<D extends TypedArray>(data: D, options?: { shape?: Shape }): DeviceArray<ElementOf<D>>;
  array<E extends ElementType>(data: ArrayData, options: { element: E; shape?: Shape }): DeviceArray<E>;
  array(data: ArrayData, options: { element?: ElementType; shape?: Shape } = {}): DeviceArray {
    if (options.element === undefined && !isTypedArray(data)) {
      throw new ArgumentError(
        `array: ${shownValue(data)} does not tell the type of its elements; give a typed array such as ` +
          'new Float32Array([1, 2]), or the type, as in {element: "f32"}',
      );
    }
    const element = options.element === undefined ? elementOf(data as TypedArray) : checkElement(options.element);
    const bytes = bytesFor(data, element, "array");
    const count = bytes.byteLength / nbytesOf(element);
    if (!Number.isInteger(count)) {
      throw new ArgumentError(
        `array: ${bytes.byteLength} bytes are no whole number of ${shownElement(element)}, ` +
          `of ${nbytesOf(element)} bytes`,
      );
    }
    const shape = checkShape(options.shape ?? count, "array");
    if (shape.reduce((product, length) => product * length, 1) !== count) {
      throw new ArgumentError(
        `array: the data has ${count} elements, which do not fill the shape [${shape.join(", ")}]`,
      );
    }
    const array = new DeviceArray(this, element, shape);
    if (bytes.byteLength) array.write(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return array;
  }

  /** An array of zeros: `device.empty("f32", [480, 640])`. */
  empty<E extends ElementType>(element: E, shape: Shape): DeviceArray<E> {
    return new DeviceArray(this, checkElement(element) as E, checkShape(shape, "empty"));
  }

  /**
   * Loads the kernels that gpucore wrote for the page: from a URL, a `Response`, or the parsed content.
   *
   * ```js
   * const module = await device.load("kernels.json");
   * ```
   */
  load(source: Source): Promise<Module> {
    return loadModule(this, source);
  }

  /** Waits until everything that was queued has run. Throws what failed: a `KernelError` or a `DeviceError`. */
  async finish(): Promise<void> {
    await this.queue.finish();
    await this.reports.collect();
  }

  /**
   * Keeps what `work` queues, instead of running it: calls of kernels and sequences, and writes to arrays. A replay
   * makes none of the checks, and takes the arrays with what is in them then.
   *
   * ```js
   * const step = device.record(() => {
   *   module.kernels.move({ particles, dt: 0.01 });
   *   module.kernels.draw({ particles, image });
   * });
   * for (let n = 0; n < 100; n++) step.replay();
   * ```
   */
  record(work: () => void): Recording {
    if (this.#recorded) throw new ArgumentError("record: a recording is being made; recordings do not nest");
    const recorded: (() => void)[] = [];
    this.#recorded = recorded;
    try {
      const result: unknown = work();
      if (result instanceof Promise) {
        result.catch(() => undefined);
        throw new ArgumentError("record: the function is async; queue the work in one that does not wait");
      }
    } finally {
      this.#recorded = null;
    }
    return new Recording(this, recorded);
  }

  /**
   * Measures what `work` queues, in milliseconds, by the device's clock where it has timestamps.
   *
   * ```js
   * const { ms, clock } = await device.time(() => module.kernels.saxpy({ a: 2, x, y }));
   * ```
   */
  time(work: () => void | Promise<void>): Promise<Elapsed> {
    return this.queue.time(work);
  }

  /** Frees the device with all its arrays. */
  destroy(): void {
    this.queue.destroy();
  }

  /** @internal Runs an action of the queue, or keeps it if a recording is being made. */
  perform(action: () => void): void {
    if (this.#recorded) this.#recorded.push(action);
    else action();
  }
}

/** Work that was recorded by {@link Device.record}. */
export class Recording {
  readonly #device: Device;
  readonly #actions: readonly (() => void)[];

  /** @internal */
  constructor(device: Device, actions: readonly (() => void)[]) {
    this.#device = device;
    this.#actions = actions;
  }

  /** How many launches and writes it has. */
  get length(): number {
    return this.#actions.length;
  }

  /** Queues the work again. */
  replay(): void {
    for (const action of this.#actions) this.#device.perform(action);
  }
}

function checkRecords(count: unknown): void {
  if (count === undefined || (Number.isSafeInteger(count) && (count as number) >= 1)) return;
  throw new ArgumentError(
    `openDevice: debugRecords must be a whole number from 1, not ${shownValue(count)}; it is how many lines and ` +
      "failures of a dispatch in debug mode are kept: leave it out to keep 1 MiB of them",
  );
}

function whyNoWebGPU(): string {
  if (globalThis.isSecureContext === false) {
    return (
      "this page cannot use WebGPU, because it is not secure: serve it by https, or from localhost; browsers have no " +
      "WebGPU for pages by http or from files"
    );
  }
  return (
    "this browser has no WebGPU: use Chrome or Edge from 113, Safari from 26 or Firefox from 141 (Windows) or 145 " +
    "(macOS); in others enable it in chrome://flags (Unsafe WebGPU Support) or about:config (dom.webgpu.enabled)"
  );
}

/** All that the GPU has, which browsers give only if asked. */
function limitsOf(adapter: GPUAdapter): Record<string, number> {
  const limits: Record<string, number> = {};
  const offered = adapter.limits as unknown as Record<string, unknown>;
  for (const name in offered) {
    const value = offered[name];
    if (typeof value === "number") limits[name] = value;
  }
  return limits;
}

export type { DataOf };
