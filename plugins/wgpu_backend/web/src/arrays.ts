/** Arrays on a device. */

import {
  checkData, dataOf, isStruct, nbytesOf, shownElement, widthOf, type DataOf, type ElementType, type TypedArray,
} from "./dtypes.js";
import { ArgumentError, shownValue } from "./errors.js";
import type { Device } from "./device.js";
import { pack, type StructValue } from "./structs.js";

/** What an array is made of, or is written with: a typed array, bytes, or for an array of structs plain objects. */
export type ArrayData = TypedArray | ArrayBufferLike | DataView | readonly StructValue[];

/** A shape: the length of each axis, or the only length. */
export type Shape = number | readonly number[];

const finalization = new FinalizationRegistry<() => void>((release) => release());

/**
 * An array on a device. `device.array` and `device.empty` make one.
 *
 * ```js
 * const x = device.array(new Float32Array([1, 2, 3, 4]), { shape: [2, 2] });
 * module.kernels.double({ x });
 * console.log(await x.read()); // Float32Array [2, 4, 6, 8]
 * x.destroy();
 * ```
 *
 * The memory of an array that the page no longer refers to is freed by the garbage collector, at some time: large ones
 * are better freed by `destroy`.
 */
export class DeviceArray<E extends ElementType = ElementType> {
  readonly device: Device;
  readonly element: E;
  readonly shape: readonly number[];
  /** The number of elements. */
  readonly size: number;
  readonly nbytes: number;
  /** @internal The components of an element. */
  readonly width: number;
  readonly #memory: number;
  #isDestroyed = false;

  /** @internal */
  constructor(device: Device, element: E, shape: readonly number[]) {
    this.device = device;
    this.element = element;
    this.shape = Object.freeze([...shape]);
    this.size = shape.reduce((product, length) => product * length, 1);
    this.nbytes = this.size * nbytesOf(element);
    this.width = widthOf(element);
    this.#memory = device.queue.allocate(Math.max(this.nbytes, nbytesOf(element)));
    const [queue, memory] = [device.queue, this.#memory];
    finalization.register(this, () => queue.release(memory), this);
  }

  /** Whether `destroy` was called. */
  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  /** The number of the array's memory in `device.queue`. */
  get memory(): number {
    if (this.#isDestroyed) throw new ArgumentError(`this array (${this}) was destroyed; create a new one`);
    return this.#memory;
  }

  /**
   * Waits for what was queued, and copies the elements from the device: numbers as a typed array, structs as an
   * `ArrayBuffer`, see `gpucore.unpack`.
   *
   * Throws a `KernelError` if a kernel in debug mode has failed, and a `DeviceError` for what the device did not do.
   */
  async read(): Promise<DataOf<E>> {
    const reading = this.device.queue.read(this.memory, 0, this.nbytes);
    const bytes = await reading;
    await this.device.reports.collect();
    return dataOf(bytes, this.element) as DataOf<E>;
  }

  /** Replaces all elements; what was queued before sees the old ones. */
  write(data: ArrayData): void {
    const bytes = bytesFor(data, this.element, "write").slice();
    if (bytes.byteLength !== this.nbytes) {
      throw new ArgumentError(
        `write: the data has ${bytes.byteLength} bytes, and the array (${this}) has ${this.nbytes}; ` +
          "give all its elements",
      );
    }
    const { memory } = this;
    this.device.perform(() => this.device.queue.write(memory, 0, bytes));
  }

  /** Frees the memory, once what was queued with it has run. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    finalization.unregister(this);
    this.device.queue.release(this.#memory);
  }

  /** "f32 [2, 3]". */
  toString(): string {
    return `${shownElement(this.element)} [${this.shape.join(", ")}]`;
  }
}

/** @internal The bytes of what an array is made of. */
export function bytesFor(data: ArrayData, element: ElementType, where: string): Uint8Array<ArrayBuffer> {
  if (isStruct(element) && Array.isArray(data)) return new Uint8Array(pack(element, data as readonly StructValue[]));
  return checkData(data, element, where);
}

/** @internal Checks a shape, and what it says of the number of bytes. */
export function checkShape(shape: unknown, where: string): number[] {
  const lengths = Array.isArray(shape) ? [...(shape as unknown[])] : [shape];
  if (!lengths.length || !lengths.every((each) => Number.isSafeInteger(each) && (each as number) >= 0)) {
    throw new ArgumentError(
      `${where}: a shape is a whole number from 0 or an array of them, such as [2, 3], not ${shownValue(shape)}`,
    );
  }
  return lengths as number[];
}
